#include <assimp/scene.h>

#include <cmath>
#include <string>
#include <unordered_set>

#include "sinew/asset/fbx/assimp_scene.h"
#include "sinew/asset/joint_names.h"

namespace sinew {
namespace {

// A node whose transform has lost a dimension cannot carry anything: give it its parent's place instead.
bool is_usable(const Affine3d& matrix) {
  if (!matrix.matrix().allFinite()) return false;
  const double size = matrix.linear().norm();
  return size > 0 && std::abs(matrix.linear().determinant()) > 1e-12 * size * size * size;
}

class SkeletonBuilder {
 public:
  SkeletonBuilder(const aiScene& scene, SceneSkeleton& result, Warnings& warnings)
      : scene_(scene), result_(result), warnings_(warnings) {
    index_names(*scene.mRootNode);
  }

  void build() {
    find_bones(*scene_.mRootNode);
    const bool has_bones = !bind_.empty();
    if (has_bones) {
      for (const auto& [node, bind] : bind_) choose_with_ancestors(node);
    } else if (scene_.mNumMeshes == 0) {
      choose_below(*scene_.mRootNode);
    } else {
      for (unsigned a = 0; a < scene_.mNumAnimations; ++a) {
        for (unsigned c = 0; c < scene_.mAnimations[a]->mNumChannels; ++c) {
          const auto found = by_name_.find(scene_.mAnimations[a]->mChannels[c]->mNodeName.C_Str());
          if (found != by_name_.end()) choose_with_ancestors(found->second);
        }
      }
    }
    choose_ends(*scene_.mRootNode);
    for (unsigned c = 0; c < scene_.mRootNode->mNumChildren; ++c) add(*scene_.mRootNode->mChildren[c], -1, has_bones);
    normalise_spaces();
    if (unusable_ > 0) {
      warnings_.push_back({"zero-scale-joints", std::to_string(unusable_) +
                                                    " joints have a transform of zero size; their parent's place is "
                                                    "used instead"});
    }
  }

 private:
  void index_names(const aiNode& node) {
    by_name_.try_emplace(node.mName.C_Str(), &node);
    for (unsigned c = 0; c < node.mNumChildren; ++c) index_names(*node.mChildren[c]);
  }

  // The bind pose of every bone of every mesh instance: mesh → scene, after bone → mesh.
  void find_bones(const aiNode& node) {
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
      const aiMesh& mesh = *scene_.mMeshes[node.mMeshes[m]];
      const Affine3d mesh_to_character = result_.scene_to_character * node_to_scene(&node);
      for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const auto found = by_name_.find(mesh.mBones[b]->mName.C_Str());
        const Affine3d offset = to_affine(mesh.mBones[b]->mOffsetMatrix);
        if (found == by_name_.end() || found->second == scene_.mRootNode) continue;
        if (!is_usable(offset)) {
          choose_with_ancestors(found->second);
          ++unusable_;
          continue;
        }
        bind_.try_emplace(found->second, mesh_to_character * offset.inverse());
      }
    }
    for (unsigned c = 0; c < node.mNumChildren; ++c) find_bones(*node.mChildren[c]);
  }

  void choose_with_ancestors(const aiNode* node) {
    for (; node && node != scene_.mRootNode; node = node->mParent) chosen_.insert(node);
  }

  void choose_below(const aiNode& node) {
    for (unsigned c = 0; c < node.mNumChildren; ++c) {
      chosen_.insert(node.mChildren[c]);
      choose_below(*node.mChildren[c]);
    }
  }

  // Nodes below a joint that only say where its bone ends.
  void choose_ends(const aiNode& node) {
    for (unsigned c = 0; c < node.mNumChildren; ++c) {
      const aiNode& child = *node.mChildren[c];
      if (chosen_.contains(&node) && child.mNumMeshes == 0 && names_bone_end(child.mName.C_Str())) {
        chosen_.insert(&child);
      }
      choose_ends(child);
    }
  }

  void add(const aiNode& node, int parent, bool has_bones) {
    if (!chosen_.contains(&node)) return;
    const auto bind = bind_.find(&node);
    const Affine3d above = parent < 0 ? result_.scene_to_character : result_.skeleton.rest[parent];
    Affine3d rest = bind != bind_.end() ? bind->second : Affine3d(above * to_affine(node));
    if (!is_usable(rest)) {
      rest = above;
      ++unusable_;
    }
    JointKind kind = has_bones && bind == bind_.end() ? JointKind::helper : JointKind::joint;
    if (bind == bind_.end() && names_bone_end(node.mName.C_Str())) kind = JointKind::end;
    const int joint = add_joint(result_.skeleton, node.mName.C_Str(), parent, rest, kind);
    result_.joint_of.emplace(&node, joint);
    result_.joint_named.try_emplace(node.mName.C_Str(), joint);
    result_.nodes.push_back(&node);
    result_.is_bone.push_back(bind != bind_.end());
    for (unsigned c = 0; c < node.mNumChildren; ++c) add(*node.mChildren[c], joint, has_bones);
  }

  void normalise_spaces() {
    for (Affine3d& rest : result_.skeleton.rest) {
      const double scale = std::cbrt(std::abs(rest.linear().determinant()));
      result_.space_scale.push_back(scale);
      rest.linear() /= scale;
    }
  }

  const aiScene& scene_;
  SceneSkeleton& result_;
  Warnings& warnings_;
  std::unordered_map<std::string, const aiNode*> by_name_;
  std::unordered_map<const aiNode*, Affine3d> bind_;
  std::unordered_set<const aiNode*> chosen_;
  std::size_t unusable_ = 0;
};

}  // namespace

Affine3d to_affine(const aiMatrix4x4t<float>& m) {
  Affine3d result = Affine3d::Identity();
  result.matrix().topRows<3>() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
  return result;
}

Affine3d to_affine(const aiNode& node) { return to_affine(node.mTransformation); }

Affine3d node_to_scene(const aiNode* node) {
  Affine3d result = Affine3d::Identity();
  for (; node && node->mParent; node = node->mParent) result = to_affine(*node) * result;
  return result;
}

SceneSkeleton scene_skeleton(const aiScene& scene, double unit, Warnings& warnings) {
  SceneSkeleton result;
  result.unit = unit;
  result.scene_to_character = Eigen::Scaling(unit) * to_affine(*scene.mRootNode);
  SkeletonBuilder(scene, result, warnings).build();
  return result;
}

}  // namespace sinew
