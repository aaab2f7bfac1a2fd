#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "sinew/asset/fbx/assimp_scene.h"
#include "sinew/asset/plain/polygon.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::size_t max_influences = 16;

using InfluenceList = std::vector<Influence>;

Vec3f to_vec(const aiVector3D& v) { return {v.x, v.y, v.z}; }

// Numbers equal corners once: position, normal, texture coordinate, colour and weights must all agree.
class CornerJoiner {
 public:
  CornerJoiner(const aiMesh& mesh, const std::vector<InfluenceList>& influences)
      : mesh_(mesh), influences_(influences), joined_of_(mesh.mNumVertices, unseen) {}

  std::uint32_t joined(std::uint32_t corner) {
    if (joined_of_[corner] != unseen) return joined_of_[corner];
    key_.clear();
    append(&mesh_.mVertices[corner], sizeof(aiVector3D));
    if (mesh_.HasNormals()) append(&mesh_.mNormals[corner], sizeof(aiVector3D));
    if (mesh_.HasTextureCoords(0)) append(&mesh_.mTextureCoords[0][corner], 2 * sizeof(float));
    if (mesh_.HasVertexColors(0)) append(&mesh_.mColors[0][corner], sizeof(aiColor4D));
    // Lips that touch are two: they part when the mouth opens.
    for (unsigned s = 0; s < mesh_.mNumAnimMeshes; ++s) {
      const aiAnimMesh& shape = *mesh_.mAnimMeshes[s];
      if (shape.HasPositions() && corner < shape.mNumVertices) append(&shape.mVertices[corner], sizeof(aiVector3D));
    }
    for (const Influence& i : influences_[corner]) {
      append(&i.joint, sizeof i.joint);
      append(&i.weight, sizeof i.weight);
    }
    const auto next = static_cast<std::uint32_t>(first_corner_.size());
    const auto [entry, inserted] = seen_.try_emplace(key_, next);
    if (inserted) first_corner_.push_back(corner);
    return joined_of_[corner] = entry->second;
  }

  const std::vector<std::uint32_t>& first_corner() const { return first_corner_; }

 private:
  static constexpr std::uint32_t unseen = ~0u;
  void append(const void* bytes, std::size_t count) { key_.append(static_cast<const char*>(bytes), count); }

  const aiMesh& mesh_;
  const std::vector<InfluenceList>& influences_;
  std::vector<std::uint32_t> joined_of_;
  std::vector<std::uint32_t> first_corner_;
  std::unordered_map<std::string, std::uint32_t> seen_;
  std::string key_;
};

class MeshCollector {
 public:
  MeshCollector(const aiScene& scene, const SceneSkeleton& skeleton, const LoadOptions& options, Character& character)
      : scene_(scene), skeleton_(skeleton), options_(options), character_(character) {
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
      any_normals_ = any_normals_ || scene.mMeshes[m]->HasNormals();
      any_uvs_ = any_uvs_ || scene.mMeshes[m]->HasTextureCoords(0);
      any_colors_ = any_colors_ || scene.mMeshes[m]->HasVertexColors(0);
    }
  }

  SceneSurface collect() {
    visit(*scene_.mRootNode);
    fill_missing_normals();
    set_weights();
    if (ignored_ > 0) {
      character_.warnings.push_back({"ignored-elements", std::to_string(ignored_) + " lines or points were ignored"});
    }
    if (rebound_parts_ > 0) {
      character_.warnings.push_back(
          {"several-bind-poses", std::to_string(rebound_parts_) +
                                     " parts were bound in another pose than the first; they were moved into it"});
    }
    if (more_uvs_) {
      character_.warnings.push_back({"lost-uvs", "the file has more than one set of UVs; the first is read"});
    }
    return std::move(surface_);
  }

 private:
  void visit(const aiNode& node) {
    for (unsigned m = 0; m < node.mNumMeshes; ++m) add_part(node, *scene_.mMeshes[node.mMeshes[m]]);
    for (unsigned c = 0; c < node.mNumChildren; ++c) visit(*node.mChildren[c]);
  }

  // The nearest joint above a node, or -1; `below` receives the node's transform relative to it.
  int carrier(const aiNode& node, Affine3d& below) const {
    below = Affine3d::Identity();
    for (const aiNode* n = &node; n && n->mParent; n = n->mParent) {
      const auto joint = skeleton_.joint_of.find(n);
      if (joint != skeleton_.joint_of.end()) return joint->second;
      below = to_affine(*n) * below;
    }
    return -1;
  }

  void add_part(const aiNode& node, const aiMesh& mesh) {
    if (character_.mesh.vertex_count() + mesh.mNumVertices > options_.max_elements) {
      throw Error(ErrorCode::too_large, "more vertices than the limit allows");
    }
    Part part;
    part.name = node.mName.length > 0 ? node.mName.C_Str() : mesh.mName.C_Str();
    if (mesh.mMaterialIndex < scene_.mNumMaterials) {
      part.material = scene_.mMaterials[mesh.mMaterialIndex]->GetName().C_Str();
    }
    std::vector<InfluenceList> influences(mesh.mNumVertices);
    Affine3d to_character = skeleton_.scene_to_character * node_to_scene(&node);
    std::vector<Affine3d> rebind;
    if (mesh.mNumBones > 0) {
      part.binding = PartBinding::skinned;
      rebind = gather_influences(mesh, to_character, influences);
    } else {
      Affine3d below;
      const int joint = carrier(node, below);
      if (joint >= 0) {
        part.binding = PartBinding::attached;
        to_character = skeleton_.skeleton.rest[joint] * Eigen::Scaling(skeleton_.space_scale[joint]) * below;
        for (InfluenceList& list : influences) list.push_back({static_cast<std::uint16_t>(joint), 1.0});
      }
    }
    add_geometry(node, mesh, to_character, rebind, influences, part);
    character_.parts.push_back(part);
    surface_.material_of_part.push_back(mesh.mMaterialIndex);
    more_uvs_ = more_uvs_ || mesh.HasTextureCoords(1);
  }

  // Weights per corner. Returns, when this mesh was bound in another pose than the skeleton's rest pose, per joint what
  // moves its vertices (in character space) there; empty when the poses agree.
  std::vector<Affine3d> gather_influences(const aiMesh& mesh, const Affine3d& mesh_to_character,
                                          std::vector<InfluenceList>& influences) {
    std::vector<Affine3d> rebind(skeleton_.skeleton.joint_count(), Affine3d::Identity());
    bool differs = false;
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
      const aiBone& bone = *mesh.mBones[b];
      const auto found = skeleton_.joint_named.find(bone.mName.C_Str());
      if (found == skeleton_.joint_named.end()) continue;
      const int joint = found->second;
      for (unsigned w = 0; w < bone.mNumWeights; ++w) {
        const aiVertexWeight& weight = bone.mWeights[w];
        if (weight.mVertexId >= mesh.mNumVertices) {
          throw Error(ErrorCode::file_damaged, "a bone's weight names a vertex that does not exist");
        }
        if (weight.mWeight > 0) {
          influences[weight.mVertexId].push_back({static_cast<std::uint16_t>(joint), weight.mWeight});
        }
      }
      const Affine3d own_bind = mesh_to_character * to_affine(bone.mOffsetMatrix).inverse();
      if (!skeleton_.is_bone[joint] || !own_bind.matrix().allFinite()) continue;
      const Affine3d rest = skeleton_.skeleton.rest[joint] * Eigen::Scaling(skeleton_.space_scale[joint]);
      rebind[joint] = rest * own_bind.inverse();
      const double turned = (rebind[joint].linear() - Mat3d::Identity()).cwiseAbs().maxCoeff();
      const double moved = (rest.translation() - own_bind.translation()).norm();
      differs = differs || turned > 1e-3 || moved > 1e-3 * (rest.translation().norm() + skeleton_.unit);
    }
    if (!differs) rebind.clear();
    rebound_parts_ += differs;
    return rebind;
  }

  void add_geometry(const aiNode& node, const aiMesh& mesh, const Affine3d& to_character,
                    const std::vector<Affine3d>& rebind, const std::vector<InfluenceList>& influences, Part& part) {
    TriangleMesh& out = character_.mesh;
    part.first_vertex = out.positions.size();
    part.first_triangle = out.triangles.size();
    CornerJoiner joiner(mesh, influences);
    std::vector<Vec3f> outline;
    std::vector<std::array<std::uint32_t, 3>> cut;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 3) {
        ++ignored_;
        continue;
      }
      outline.clear();
      for (unsigned c = 0; c < face.mNumIndices; ++c) {
        if (face.mIndices[c] >= mesh.mNumVertices) {
          throw Error(ErrorCode::file_damaged, "a face names a vertex that does not exist");
        }
        outline.push_back(to_vec(mesh.mVertices[face.mIndices[c]]));
      }
      triangulate_polygon(outline, cut);
      for (const auto& triangle : cut) {
        Triangle added;
        for (int c = 0; c < 3; ++c) {
          added[c] = static_cast<std::uint32_t>(part.first_vertex) + joiner.joined(face.mIndices[triangle[c]]);
        }
        // A mirrored node turns triangles inside out.
        if (to_character.linear().determinant() < 0) std::swap(added[1], added[2]);
        out.triangles.push_back(added);
      }
    }
    part.triangle_count = out.triangles.size() - part.first_triangle;
    part.vertex_count = joiner.first_corner().size();
    const std::vector<std::size_t> keys = keys_of(node, mesh);
    for (std::uint32_t corner : joiner.first_corner()) {
      const Affine3d placed = add_vertex(mesh, corner, to_character, rebind, influences[corner]);
      for (std::size_t s = 0; s < keys.size(); ++s) {
        add_shape(mesh, *mesh.mAnimMeshes[s], corner, placed, surface_.shape_keys[keys[s]]);
      }
    }
  }

  // The shape key of every shape of the mesh: meshes of one node that have a shape of the same name share it.
  std::vector<std::size_t> keys_of(const aiNode& node, const aiMesh& mesh) {
    std::vector<std::size_t> keys;
    std::unordered_map<std::string, int> seen;  // shapes between two have the name of their channel
    for (unsigned s = 0; s < mesh.mNumAnimMeshes; ++s) {
      std::string name = mesh.mAnimMeshes[s]->mName.C_Str();
      const int number = ++seen[name];
      if (number > 1) name += "_" + std::to_string(number);
      const auto [entry, is_new] = key_of_.try_emplace({&node, name}, surface_.shape_keys.size());
      if (is_new) surface_.shape_keys.emplace_back().name = name;
      keys.push_back(entry->second);
    }
    return keys;
  }

  // What the shape does to the vertex that was added last.
  void add_shape(const aiMesh& mesh, const aiAnimMesh& shape, std::uint32_t corner, const Affine3d& to_character,
                 ShapeKey& key) {
    if (!shape.HasPositions() || corner >= shape.mNumVertices) return;
    const Vec3d offset = (to_vec(shape.mVertices[corner]) - to_vec(mesh.mVertices[corner])).cast<double>();
    Vec3d turn = Vec3d::Zero();
    if (shape.HasNormals() && mesh.HasNormals()) {
      turn = (to_vec(shape.mNormals[corner]) - to_vec(mesh.mNormals[corner])).cast<double>();
    }
    if ((offset.isZero(0.0) && turn.isZero(0.0)) || !offset.allFinite() || !turn.allFinite()) return;
    const Mat3d linear = to_character.linear();
    const double size = std::cbrt(std::abs(linear.determinant()));
    key.vertices.push_back(static_cast<std::uint32_t>(character_.mesh.positions.size() - 1));
    key.offsets.push_back((linear * offset).cast<float>());
    // Nodes are turned and scaled alike in all directions, nearly always: so normals turn as offsets do.
    key.normals.push_back(size > 0 ? Vec3f((linear * turn / size).cast<float>()) : Vec3f(Vec3f::Zero()));
  }

  // Returns the vertex's own way to character space.
  Affine3d add_vertex(const aiMesh& mesh, std::uint32_t corner, Affine3d to_character,
                      const std::vector<Affine3d>& rebind, const InfluenceList& influences) {
    if (!rebind.empty() && !influences.empty()) {
      double sum = 0;
      Mat4d blended = Mat4d::Zero();
      for (const Influence& i : influences) {
        blended += i.weight * rebind[i.joint].matrix();
        sum += i.weight;
      }
      to_character = Affine3d(Mat4d(blended / sum)) * to_character;
    }
    TriangleMesh& out = character_.mesh;
    out.positions.push_back((to_character * to_vec(mesh.mVertices[corner]).cast<double>()).cast<float>());
    if (any_normals_) {
      Vec3d normal = Vec3d::Zero();
      if (mesh.HasNormals()) {
        const Mat3d linear = to_character.linear();
        // The cofactor matrix turns normals rightly even where the transform is not invertible.
        Mat3d cofactor;
        cofactor << linear.row(1).cross(linear.row(2)), linear.row(2).cross(linear.row(0)),
            linear.row(0).cross(linear.row(1));
        normal = (cofactor * to_vec(mesh.mNormals[corner]).cast<double>());
        if (linear.determinant() < 0) normal = -normal;
      }
      out.normals.push_back(normal.stableNormalized().cast<float>());
    }
    if (any_uvs_) {
      Vec2f uv = Vec2f::Zero();
      if (mesh.HasTextureCoords(0)) uv = {mesh.mTextureCoords[0][corner].x, 1.0f - mesh.mTextureCoords[0][corner].y};
      out.uvs.push_back(uv);
    }
    if (any_colors_) {
      Vec4f color = Vec4f::Ones();
      if (mesh.HasVertexColors(0)) {
        const aiColor4D& c = mesh.mColors[0][corner];
        color = {c.r, c.g, c.b, c.a};
      }
      out.colors.push_back(color);
    }
    influences_.push_back(influences);
    return to_character;
  }

  void fill_missing_normals() {
    if (!any_normals_) return;
    TriangleMesh& mesh = character_.mesh;
    const auto is_missing = [](const Vec3f& n) { return !(n.squaredNorm() > 0.25f); };
    if (std::none_of(mesh.normals.begin(), mesh.normals.end(), is_missing)) return;
    const std::vector<Vec3f> computed = vertex_normals(mesh.positions, mesh.triangles);
    for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
      if (is_missing(mesh.normals[i])) mesh.normals[i] = computed[i];
    }
  }

  void set_weights() {
    std::size_t most = 0, truncated = 0;
    for (const InfluenceList& list : influences_) most = std::max(most, list.size());
    if (most == 0) return;
    const std::size_t slots = std::min(most, max_influences);
    character_.weights = make_skin_weights(influences_.size(), static_cast<int>(slots));
    for (std::size_t vertex = 0; vertex < influences_.size(); ++vertex) {
      truncated += influences_[vertex].size() > slots;
      set_influences(character_.weights, vertex, influences_[vertex]);
    }
    if (truncated > 0) {
      character_.warnings.push_back({"many-influences", std::to_string(truncated) + " vertices follow more than " +
                                                            std::to_string(slots) +
                                                            " joints; the strongest were kept"});
    }
  }

  const aiScene& scene_;
  const SceneSkeleton& skeleton_;
  const LoadOptions& options_;
  Character& character_;
  std::vector<InfluenceList> influences_;  // per vertex
  SceneSurface surface_;
  std::map<std::pair<const aiNode*, std::string>, std::size_t> key_of_;
  bool any_normals_ = false, any_uvs_ = false, any_colors_ = false, more_uvs_ = false;
  std::size_t ignored_ = 0, rebound_parts_ = 0;
};

}  // namespace

SceneSurface add_scene_meshes(const aiScene& scene, const SceneSkeleton& skeleton, const LoadOptions& options,
                              Character& character) {
  return MeshCollector(scene, skeleton, options, character).collect();
}

}  // namespace sinew
