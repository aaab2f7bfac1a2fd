// Joints of the body that move nothing, although there is skin around their bones.
//
// Rigs are full of joints without weight: roots, controls, end markers, slots for props, faces that nobody animates. A
// joint is only missed when its counterpart on the other side has weight, or when the joints before and after it in a
// limb have.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr double shortest_bone = 0.01;  // of the diagonal
// Vertices that lie beside the bone, nearer to it than to any other: so many are skin that the joint should move.
constexpr std::size_t vertices_beside = 3, vertices_beside_leaf = 6;
constexpr double limb_thickness = 0.6, head_thickness = 1.5;  // as far from the bone as its length times this

bool has_skin_of_its_own(JointRole role) {
  switch (role) {
    case JointRole::root:
    case JointRole::twist:
    case JointRole::control:
    case JointRole::prop:
    case JointRole::hip_joint:
      return false;
    default:
      return true;
  }
}

// The joint on the other side that has weight where this one has none; -1: there is none.
int driving_counterpart(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, std::size_t joint) {
  if (mirrored && mirrored->joints[joint] >= 0) {
    const std::size_t image = static_cast<std::size_t>(mirrored->joints[joint]);
    return image != joint && skin.drives[image] ? static_cast<int>(image) : -1;
  }
  JointIdentity wanted = skin.roles[joint];
  if (wanted.side == BodySide::centre || wanted.role == JointRole::unknown) return -1;
  wanted.side = wanted.side == BodySide::left ? BodySide::right : BodySide::left;
  for (std::size_t other = 0; other < skin.roles.size(); ++other) {
    if (skin.roles[other] == wanted) return skin.drives[other] ? static_cast<int>(other) : -1;
  }
  return -1;
}

// How far the skin of a joint goes in its poses.
Offset reach_of(const CheckedSkin& skin, int joint) {
  Offset reach;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const float weight = skin.weights.weight_of(vertex, joint);
    if (weight < 0.1f) continue;
    const Vec3d lever = skin.position(vertex) - skin.character.skeleton.position(joint);
    for (const int pose : skin.poses_of_joint[static_cast<std::size_t>(joint)]) {
      const double distance = weight * (skin.turns[static_cast<std::size_t>(pose)] * lever).norm() / skin.diagonal;
      if (distance > reach.distance) reach = {pose, distance};
    }
  }
  return reach;
}

bool in_the_middle_of_a_limb(const CheckedSkin& skin, std::size_t joint) {
  const Skeleton& skeleton = skin.character.skeleton;
  const int parent = skeleton.parents[joint];
  if (parent < 0 || !skin.drives[static_cast<std::size_t>(parent)]) return false;
  for (std::size_t child = joint + 1; child < skeleton.names.size(); ++child) {
    if (skeleton.parents[child] == static_cast<int>(joint) && skin.drives[child]) return true;
  }
  return false;
}

// The last of a chain that bodies end with.
bool ends_a_body(const CheckedSkin& skin, std::size_t joint) {
  const JointRole role = skin.roles[joint].role;
  const int parent = skin.character.skeleton.parents[joint];
  // The second head of a rig is the top of the first.
  const bool ends =
      role == JointRole::tail || ((role == JointRole::head || role == JointRole::neck) && skin.roles[joint].index == 1);
  return ends && parent >= 0 && skin.drives[static_cast<std::size_t>(parent)];
}

// Vertices beside the joint's bone to which no bone with weight is nearer.
std::vector<std::uint32_t> skin_of(const CheckedSkin& skin, std::size_t joint) {
  std::vector<std::uint32_t> own;
  const JointRole role = skin.roles[joint].role;
  const double thickness = role == JointRole::head || role == JointRole::neck ? head_thickness : limb_thickness;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const Vec3d point = skin.position(vertex);
    double nearest = std::numeric_limits<double>::infinity();
    for (const int bone : skin.bones_of_joint[joint]) {
      const PointOnBone on = closest_point_on_bone(skin.bones[static_cast<std::size_t>(bone)], point);
      const bool beside = on.along > 0.05 && (on.along < 0.95 || role == JointRole::head);
      if (beside && on.distance < thickness * skin.bones[static_cast<std::size_t>(bone)].length())
        nearest = std::min(nearest, on.distance);
    }
    if (!std::isfinite(nearest)) continue;
    const bool other_nearer = std::any_of(skin.bones.begin(), skin.bones.end(), [&](const Bone& bone) {
      return skin.drives[static_cast<std::size_t>(bone.joint)] && closest_point_on_bone(bone, point).distance < nearest;
    });
    if (!other_nearer) own.push_back(vertex);
  }
  return own;
}

}  // namespace

void find_idle_joints(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, Suspicions& found) {
  const Skeleton& skeleton = skin.character.skeleton;
  for (std::size_t joint = 0; joint < skeleton.names.size(); ++joint) {
    if (skin.drives[joint] || skin.poses_of_joint[joint].empty() || skin.bones_of_joint[joint].empty() ||
        !has_skin_of_its_own(skin.roles[joint].role))
      continue;
    const Bone& bone = skin.bones[static_cast<std::size_t>(skin.bones_of_joint[joint].front())];
    const int counterpart = driving_counterpart(skin, mirrored, joint);
    const bool in_limb = in_the_middle_of_a_limb(skin, joint);
    if (counterpart < 0 && (bone.length() < shortest_bone * skin.diagonal || !(in_limb || ends_a_body(skin, joint))))
      continue;
    Suspicion own{.kind = FindingKind::idle_joint};
    own.joint = static_cast<int>(joint);
    own.vertices = skin_of(skin, joint);
    if (counterpart < 0 && own.vertices.size() < (in_limb ? vertices_beside : vertices_beside_leaf)) continue;
    if (counterpart >= 0) {
      own.offset = reach_of(skin, counterpart);
      own.offset.pose = skin.poses_of_joint[joint].front();
    }
    for (const std::uint32_t vertex : own.vertices) {
      const Vec3d lever = skin.position(vertex) - skeleton.position(own.joint);
      for (const int pose : skin.poses_of_joint[joint]) {
        const double distance = (skin.turns[static_cast<std::size_t>(pose)] * lever).norm() / skin.diagonal;
        if (distance > own.offset.distance) own.offset = {pose, distance};
      }
    }
    const WeightList holders = mean_weights(skin, own.vertices);
    double strongest = 0;
    for (const Influence& entry : holders) {
      if (entry.weight > strongest) strongest = entry.weight, own.other_joint = entry.joint;
    }
    found.push_back(std::move(own));
  }
}

}  // namespace sinew
