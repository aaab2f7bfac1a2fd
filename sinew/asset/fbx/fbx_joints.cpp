#include <algorithm>
#include <cmath>

#include "sinew/asset/fbx/fbx_scene.h"

namespace sinew {
namespace {

constexpr double degrees_per_radian = 180.0 / 3.14159265358979323846;

// A helper at the top that carries the whole skeleton stays a group, and Blender makes it the armature; every other joint
// is a bone. A group below another would be an armature that Blender puts in the wrong place.
int group_of(const Skeleton& skeleton, const SkinWeights& weights) {
  const std::vector<int> roots = roots_of(skeleton);
  if (roots.size() != 1 || skeleton.kinds[roots[0]] != JointKind::helper || skeleton.joint_count() < 2) return -1;
  for (std::size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] > 0 && weights.joints[slot] == roots[0]) return -1;
  }
  return roots[0];
}

// Blender joins a bone to its parent when it begins where the parent's tail is (on the parent's Y axis, as far as its
// children are on average), and a joined bone plays no translation. Those that a motion does translate are therefore
// put aside by a few millionths of the skeleton's size. Returns how far, relative to the parent.
std::vector<Vec3d> nudges_of(const Skeleton& unit, const std::vector<double>& space_scale,
                             const std::vector<Motion>& motions, int group) {
  std::vector<Vec3d> nudges(unit.names.size(), Vec3d::Zero());
  const Pose pose = rest_pose(unit);
  const std::vector<std::vector<int>> children = children_of(unit);
  double reach = 0;
  for (const Affine3d& rest : unit.rest) reach = std::max(reach, rest.translation().cwiseAbs().maxCoeff());
  for (std::size_t joint = 0; joint < nudges.size(); ++joint) {
    const int parent = unit.parents[joint];
    if (parent < 0 || parent == group) continue;
    double length = 0;
    for (const int child : children[parent]) length += pose[child].translation.norm();
    length /= static_cast<double>(children[parent].size());
    const Vec3d& place = pose[joint].translation;
    if ((place - Vec3d(0, length, 0)).norm() > 4e-6 * reach) continue;
    const bool moves = std::any_of(motions.begin(), motions.end(), [&](const Motion& motion) {
      for (std::size_t at = joint; at < motion.transforms.size(); at += nudges.size()) {
        if ((motion.transforms[at].translation * space_scale[parent] - place).norm() > 2e-6 * reach) return true;
      }
      return false;
    });
    if (moves) nudges[joint].x() = (place.x() < 0 ? -2.5e-6 : 2.5e-6) * reach;
  }
  return nudges;
}

void add_matrix(FbxNode& node, const Affine3d& matrix) { node.reals({matrix.matrix().data(), 16}); }

void add_vector(FbxNode& properties, const char* name, const char* type, const char* flags, const Vec3d& value) {
  properties.property(name, type, "", flags).real(value.x()).real(value.y()).real(value.z());
}

}  // namespace

Vec3d fbx_degrees(const Quatd& rotation, const Vec3d& near) {
  const Mat3d m = rotation.toRotationMatrix();
  Vec3d angles;
  const double flat = std::hypot(m(0, 0), m(1, 0));
  angles.y() = std::atan2(-m(2, 0), flat);
  if (flat > 1e-9) {
    angles.x() = std::atan2(m(2, 1), m(2, 2));
    angles.z() = std::atan2(m(1, 0), m(0, 0));
  } else {  // straight up or down: x and z turn about one axis, so z keeps what it had
    angles.z() = near.z() / degrees_per_radian;
    const double c = std::cos(angles.z()), s = std::sin(angles.z());
    angles.x() = std::atan2(m(0, 2) * s - m(1, 2) * c, m(1, 1) * c - m(0, 1) * s);
  }
  angles *= degrees_per_radian;
  Vec3d other(angles.x() + 180.0, 180.0 - angles.y(), angles.z() + 180.0);
  const auto turn_towards = [&](Vec3d& value) {
    for (int axis = 0; axis < 3; ++axis) value[axis] -= 360.0 * std::round((value[axis] - near[axis]) / 360.0);
  };
  turn_towards(angles);
  turn_towards(other);
  return (other - near).squaredNorm() < (angles - near).squaredNorm() ? other : angles;
}

std::string FbxScene::unique_name(const std::string& wanted) {
  if (names_.insert(wanted).second) return wanted;
  ++renamed;
  for (int number = 2;; ++number) {
    const std::string name = wanted + "_" + std::to_string(number);
    if (names_.insert(name).second) return name;
  }
}

FbxNode& FbxScene::add_object(const char* record, std::int64_t id, std::string_view name, std::string_view object_class,
                              std::string_view kind) {
  return objects.child(record).int64(id).object_name(name, object_class).text(kind);
}

void FbxScene::connect(std::int64_t child, std::int64_t parent) {
  connections.child("C").text("OO").int64(child).int64(parent);
}

void FbxScene::connect(std::int64_t child, std::int64_t parent, const char* property) {
  connections.child("C").text("OP").int64(child).int64(parent).text(property);
}

std::int64_t FbxScene::add_model(const std::string& name, const char* kind, std::int64_t parent,
                                 const Transform& local) {
  const std::int64_t id = new_id();
  FbxNode& model = add_object("Model", id, name, "Model", kind);
  model.child("Version").int32(232);
  FbxNode& properties = model.child("Properties70");
  properties.property("RotationActive", "bool", "", "").int32(1);
  properties.property("InheritType", "enum", "", "").int32(1);  // a parent's scale comes after the joint's rotation
  properties.property("ScalingMax", "Vector3D", "Vector", "").real(0).real(0).real(0);
  properties.property("DefaultAttributeIndex", "int", "Integer", "").int32(0);
  add_vector(properties, "PreRotation", "Vector3D", "", fbx_degrees(local.rotation));
  add_vector(properties, "Lcl Translation", "Lcl Translation", "A", local.translation);
  add_vector(properties, "Lcl Rotation", "Lcl Rotation", "A", Vec3d::Zero());
  add_vector(properties, "Lcl Scaling", "Lcl Scaling", "A", local.scale);
  model.child("Shading").boolean(true);
  model.child("Culling").text("CullingOff");
  connect(id, parent);
  return id;
}

void add_fbx_joints(FbxScene& scene) {
  const Skeleton& skeleton = scene.character.skeleton;
  const int group = group_of(skeleton, scene.weights);
  const auto attribute = [&](std::int64_t model, const std::string& name, bool is_group) {
    const std::int64_t id = scene.new_id();
    scene.add_object("NodeAttribute", id, name, "NodeAttribute", is_group ? "Null" : "LimbNode")
        .child("TypeFlags")
        .text(is_group ? "Null" : "Skeleton");
    scene.connect(id, model);
  };
  std::vector<std::string> names;  // the joints' names come before all others
  for (std::size_t joint = 0; joint < skeleton.names.size(); ++joint) {
    const std::string& name = skeleton.names[joint];
    names.push_back(scene.unique_name(name.empty() ? "joint " + std::to_string(joint) : name));
  }
  const bool own_root = roots_of(skeleton).size() > 1;
  if (own_root) {
    const std::string name = scene.unique_name("Root");
    scene.skeleton_parent = scene.add_model(name, "LimbNode", 0, {});
    attribute(scene.skeleton_parent, name, false);
    scene.models.push_back({scene.skeleton_parent, Affine3d::Identity()});
  }
  Skeleton unit = skeleton;
  for (Affine3d& rest : unit.rest) {
    scene.space_scale.push_back(std::cbrt(std::abs(rest.linear().determinant())));
    rest.linear() /= scene.space_scale.back();
  }
  scene.nudge = nudges_of(unit, scene.space_scale, scene.character.motions, group);
  std::vector<Vec3d> shift(names.size(), Vec3d::Zero());  // what a nudge does to all that hangs on the joint
  for (std::size_t joint = 0; joint < names.size(); ++joint) {
    const int parent = unit.parents[joint];
    if (parent >= 0) shift[joint] = shift[parent] + unit.rest[parent].linear() * scene.nudge[joint];
    unit.rest[joint].translation() += shift[joint];
  }
  const Pose pose = rest_pose(unit);
  const std::vector<Affine3d> reached = global_transforms(unit, pose);
  double reach = 0, error = 0;
  for (std::size_t joint = 0; joint < names.size(); ++joint) {
    const int parent = unit.parents[joint];
    const bool is_group = static_cast<int>(joint) == group;
    const std::int64_t id = scene.add_model(names[joint], is_group ? "Null" : "LimbNode",
                                            parent < 0 ? scene.skeleton_parent : scene.joints[parent].id, pose[joint]);
    attribute(id, names[joint], is_group);
    scene.joints.push_back({id, unit.rest[joint]});
    scene.models.push_back(scene.joints.back());
    reach = std::max(reach, unit.rest[joint].matrix().cwiseAbs().maxCoeff());
    error = std::max(error, (reached[joint].matrix() - unit.rest[joint].matrix()).cwiseAbs().maxCoeff());
  }
  if (error > 1e-4 * reach) {
    scene.warnings.push_back({"shear-lost",
                              "the rest pose has shear, which FBX nodes cannot hold; the skin is exact, the nodes "
                              "stand as near to it as they can"});
  }
}

void add_fbx_bind_pose(FbxScene& scene) {
  if (scene.joints.empty()) return;
  FbxNode& pose = scene.add_object("Pose", scene.new_id(), "BindPose", "Pose", "BindPose");
  pose.child("Type").text("BindPose");
  pose.child("Version").int32(100);
  pose.child("NbPoseNodes").int32(static_cast<std::int32_t>(scene.models.size()));
  for (const FbxModel& model : scene.models) {
    FbxNode& entry = pose.child("PoseNode");
    entry.child("Node").int64(model.id);
    add_matrix(entry.child("Matrix"), model.global);
  }
}

}  // namespace sinew
