// Joints at which the skin bends badly: blended over so much of the limb that it collapses, or hardly at all.
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/check/bend_shape.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr double too_wide = 2.2;    // of the shorter bone
constexpr double much_wider = 1.8;  // than the counterpart on the other side
// Share of the change that happens in single edges, and their length as a part of the limb's radius: a fine mesh could
// blend, a coarse one has no vertices to do it with.
constexpr double hard_from = 0.65, fine_edge = 0.35;
constexpr double all_hard_from = 0.88, quite_fine_edge = 0.7;
constexpr std::size_t fewest_blended = 16;
constexpr std::size_t fewest_crossing = 12;
constexpr double soft_joints = 0.5;  // of the character's: where most are hard, that is its style

bool bends(JointRole role) {
  switch (role) {
    case JointRole::upper_arm:
    case JointRole::forearm:
    case JointRole::hand:
    case JointRole::thigh:
    case JointRole::shin:
    case JointRole::foot:
      return true;
    default:
      return false;
  }
}

Offset largest_offset(const CheckedSkin& skin, int joint, const std::vector<std::uint32_t>& vertices,
                      const std::vector<float>& amount) {
  Offset worst;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3d lever = skin.position(vertices[i]) - skin.character.skeleton.position(joint);
    for (const int pose : skin.poses_of_joint[static_cast<std::size_t>(joint)]) {
      const double distance = amount[i] * (skin.turns[static_cast<std::size_t>(pose)] * lever).norm() / skin.diagonal;
      if (distance > worst.distance) worst = {pose, distance};
    }
  }
  return worst;
}

Suspicion collapsed(const CheckedSkin& skin, int joint, const BendShape& shape) {
  Suspicion own{.kind = FindingKind::collapse, .joint = joint, .other_joint = shape.above, .vertices = shape.blended};
  const std::vector<float> shares = shares_of(skin, joint);
  // A point that follows both sides by half sinks by at most this much below either.
  std::vector<float> sinks;
  for (const std::uint32_t vertex : shape.blended) sinks.push_back(std::min(shares[vertex], 1 - shares[vertex]));
  own.offset = largest_offset(skin, joint, shape.blended, sinks);
  return own;
}

Suspicion hard_edge(const CheckedSkin& skin, int joint, const BendShape& shape) {
  Suspicion own{.kind = FindingKind::hard_edge, .joint = joint, .other_joint = shape.above};
  const std::vector<float> shares = shares_of(skin, joint);
  for (const auto& [a, b] : skin.edges) {
    if (std::abs(shares[a] - shares[b]) < 0.5f) continue;
    own.vertices.push_back(a);
    own.vertices.push_back(b);
  }
  std::sort(own.vertices.begin(), own.vertices.end());
  own.vertices.erase(std::unique(own.vertices.begin(), own.vertices.end()), own.vertices.end());
  own.offset = largest_offset(skin, joint, own.vertices, std::vector<float>(own.vertices.size(), 0.5f));
  return own;
}

}  // namespace

void find_bad_bends(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, Suspicions& found) {
  const std::size_t count = static_cast<std::size_t>(skin.joint_count());
  std::vector<std::optional<BendShape>> shapes(count);
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t joint = begin; joint < end; ++joint) {
      if (!skin.poses_of_joint[joint].empty()) shapes[joint] = measure_bend(skin, static_cast<int>(joint));
    }
  });
  double joints = 0, soft = 0;
  for (const std::optional<BendShape>& shape : shapes) {
    if (!shape || (shape->crossing < fewest_crossing && shape->blended.size() < fewest_blended)) continue;
    ++joints;
    soft += shape->hard < 0.6;
  }
  for (std::size_t joint = 0; joint < count; ++joint) {
    const std::optional<BendShape>& shape = shapes[joint];
    if (!shape) continue;
    const int image = mirrored ? mirrored->joints[joint] : -1;
    const BendShape* other =
        image >= 0 && shapes[static_cast<std::size_t>(image)] ? &*shapes[static_cast<std::size_t>(image)] : nullptr;
    const bool wider = !other || shape->width > much_wider * other->width;
    if (bends(skin.roles[joint].role) && shape->width > too_wide * shape->length && wider && shape->hard < 0.5 &&
        shape->blended.size() >= fewest_blended)
      found.push_back(collapsed(skin, static_cast<int>(joint), *shape));
    const double edge = shape->edge / std::max(shape->radius, 1e-12);
    const bool is_hard =
        ((shape->hard > hard_from && edge < fine_edge) || (shape->hard > all_hard_from && edge < quite_fine_edge)) &&
        shape->crossing >= fewest_crossing && soft > soft_joints * joints;
    if (is_hard) found.push_back(hard_edge(skin, static_cast<int>(joint), *shape));
  }
}

}  // namespace sinew
