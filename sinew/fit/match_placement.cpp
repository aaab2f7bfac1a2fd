#include "sinew/fit/match_placement.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/rotation.h"
#include "sinew/rig/bone.h"

namespace sinew {
namespace {

// How far a joint may leave the curve: a share of the thickness there, and at least a share of the diagonal.
constexpr double node_slack = 1.5, least_node_slack = 0.022;
constexpr double deepest = 0.8;  // of the thickness: joints stay inside
constexpr int relaxing_rounds = 30;

}  // namespace

std::vector<Vec3d> relaxed_places(const CurveSkeleton& curve, const MatchableJoints& joints, const Skeleton& skeleton,
                                  const MatchedNodes& found) {
  const auto count = static_cast<int>(joints.joints.size());
  std::vector<Vec3d> places, bone(joints.joints.size(), Vec3d::Zero());
  std::vector<double> stiffness(joints.joints.size(), 0.0);
  for (int i = 0; i < count; ++i) {
    const Vec3d was = skeleton.position(joints.joints[i]);
    places.push_back(found.nodes[i] >= 0 ? curve.nodes[found.nodes[i]].position : found.alignment(was));
    if (i == 0) continue;
    bone[i] = found.alignment(was) - found.alignment(skeleton.position(joints.joints[joints.parents[i]]));
    const double slack = slack_of_bone(bone[i].norm(), curve.diagonal);
    stiffness[i] = 1 / (slack * slack);
  }
  for (int round = 0; round < relaxing_rounds; ++round) {
    for (int i = 0; i < count; ++i) {
      if (found.nodes[i] < 0) continue;
      const CurveNode& node = curve.nodes[found.nodes[i]];
      const double slack = node_slack * node.radius + least_node_slack * curve.diagonal;
      double weight = 1 / (slack * slack);
      Vec3d sum = weight * node.position;
      const auto pull = [&](int of, int other, double sign) {
        if (found.nodes[other] < 0) return;
        sum += stiffness[of] * (places[other] + sign * bone[of]);
        weight += stiffness[of];
      };
      if (i > 0) pull(i, joints.parents[i], 1);
      for (const int child : joints.children[i]) pull(child, child, -1);
      const Vec3d off = sum / weight - node.position;
      const double most = deepest * node.radius;
      places[i] = node.position + (off.norm() > most ? Vec3d(most / off.norm() * off) : off);
    }
  }
  // Mirror images to the last bit: the side that was looked at decides.
  for (int i = 0; i < count && !found.partner.empty(); ++i) {
    const int image = found.partner[i];
    if (image < 0 || found.nodes[i] < 0) continue;
    if (image == i) {
      places[i] -= curve.plane.side(places[i]) * curve.plane.normal;
    } else if (curve.plane.side(places[i]) > curve.plane.side(places[image])) {
      places[image] = curve.plane.mirrored(places[i]);
    }
  }
  return places;
}

Vec3d carried_place(const Skeleton& skeleton, int joint, const Alignment& alignment, const std::vector<int>& nodes,
                    const std::vector<Vec3d>& places) {
  // A control belongs to what it moves, wherever it hangs.
  int nearest = -1;
  for (int other = 0; other < skeleton.joint_count(); ++other) {
    if (nodes[other] < 0) continue;
    const auto away = [&](int o) { return (skeleton.position(o) - skeleton.position(joint)).norm(); };
    if (nearest < 0 || away(other) < away(nearest)) nearest = other;
  }
  if (nearest < 0) return alignment(skeleton.position(joint));
  Mat3d turn = alignment.turn;
  const int above = skeleton.parents[nearest];
  if (above >= 0 && nodes[above] >= 0 && nodes[above] != nodes[nearest]) {
    const Vec3d before = alignment.turn * (skeleton.position(nearest) - skeleton.position(above));
    const Vec3d after = places[nearest] - places[above];
    if (before.norm() > 0 && after.norm() > 0) turn = rotation_between(before, after).toRotationMatrix() * turn;
  }
  return places[nearest] + alignment.scale * (turn * (skeleton.position(joint) - skeleton.position(nearest)));
}

double covered_share(const CurveSkeleton& curve, const MatchableJoints& joints, const std::vector<Vec3d>& places) {
  double all = 1e-12, near = 0;
  for (std::size_t n = 1; n < curve.nodes.size(); ++n) {
    const double step = curve.from_core[n] - curve.from_core[curve.nodes[n].parent];
    const double reach = 1.5 * curve.nodes[n].radius + 0.06 * curve.diagonal;
    bool found = false;
    for (std::size_t i = 1; i < joints.joints.size() && !found; ++i) {
      const Bone bone{joints.joints[i], places[joints.parents[i]], places[i]};
      found = closest_point_on_bone(bone, curve.nodes[n].position).distance < reach;
    }
    all += step;
    near += found ? step : 0.0;
  }
  return near / all;
}

}  // namespace sinew
