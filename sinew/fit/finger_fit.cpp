#include "sinew/fit/finger_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/mesh/submesh.h"

namespace sinew {
namespace {

constexpr double finger_confidence = 0.6;

// One finger as it was carried along: joints from the knuckle on, an end marker last where there is one.
struct FingerChain {
  std::vector<int> joints;
  std::vector<double> to_tip;  // from each joint along the finger to its tip
  Vec3d tip = Vec3d::Zero();
};

struct HandPlace {
  Vec3d wrist, axis;  // axis: unit length, towards the fingers
  double length;      // wrist to the tip of the hand
};

std::vector<FingerChain> finger_chains(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, int hand) {
  const std::vector<std::vector<int>> children = children_of(skeleton);
  std::vector<FingerChain> chains;
  for (int first = 0; first < skeleton.joint_count(); ++first) {
    const int parent = skeleton.parents[first];
    const bool knuckle = is_finger(joints[first].role) && (parent < 0 || !is_finger(joints[parent].role));
    if (!knuckle || skeleton.kinds[first] != JointKind::joint || !hangs_on(skeleton.parents, first, hand)) continue;
    FingerChain chain;
    for (int joint = first; joint >= 0;) {
      chain.joints.push_back(joint);
      joint = children[joint].size() == 1 ? children[joint][0] : -1;
    }
    const auto place = [&](std::size_t i) { return skeleton.position(chain.joints[i]); };
    const std::size_t last = chain.joints.size() - 1;
    if (last == 0) continue;
    chain.tip = place(last);
    // A last joint that is no end marker turns the last phalanx, which goes on about as far as the one before it.
    if (skeleton.kinds[chain.joints[last]] == JointKind::joint) chain.tip += 0.8 * (place(last) - place(last - 1));
    chain.to_tip.assign(chain.joints.size(), (chain.tip - place(last)).norm());
    for (std::size_t i = last; i-- > 0;) chain.to_tip[i] = chain.to_tip[i + 1] + (place(i + 1) - place(i)).norm();
    chains.push_back(std::move(chain));
  }
  return chains;
}

TriangleMesh hand_mesh(const TriangleMesh& mesh, const HandPlace& hand) {
  std::vector<Triangle> near;
  for (const Triangle& t : mesh.triangles) {
    const bool inside = std::all_of(t.begin(), t.end(), [&](std::uint32_t v) {
      const Vec3d away = mesh.positions[v].cast<double>() - hand.wrist;
      const double along = away.dot(hand.axis);
      return along > -0.25 * hand.length && along < 1.4 * hand.length &&
             (away - along * hand.axis).norm() < 0.8 * hand.length;
    });
    if (inside) near.push_back(t);
  }
  std::vector<std::uint32_t> vertices;
  return submesh(mesh.positions, near, vertices);
}

// Tips of a hand, the most prominent first, and the ways from the first `wanted` of them back to the wrist: none when
// there are fewer.
struct FingerWays {
  std::size_t tips = 0;
  std::vector<LimbCurve> ways;
};

FingerWays finger_ways(const VoxelSolid& solid, const HandPlace& hand, double prominence, std::size_t wanted) {
  FingerWays result;
  const std::int64_t start = solid.near(hand.wrist + 0.15 * hand.length * hand.axis, 8);
  if (start < 0) return result;
  const auto from = static_cast<std::uint32_t>(start);
  const std::vector<double> distance = solid.distances(from, false);
  std::vector<std::uint32_t> tips;
  for (const VoxelSolid::Tip& tip : solid.tips(distance, prominence * hand.length)) {
    const double along = (solid.position(tip.voxel) - hand.wrist).dot(hand.axis);
    if (std::isfinite(distance[tip.voxel]) && along >= 0.2 * hand.length) tips.push_back(tip.voxel);
  }
  result.tips = tips.size();
  if (tips.size() < wanted) return result;
  std::vector<std::uint32_t> came_from;
  solid.distances(from, true, &came_from);
  for (std::size_t i = 0; i < wanted; ++i) {
    LimbCurve way;
    for (std::uint32_t v = tips[i]; v != from; v = came_from[v]) way.points.push_back(solid.position(v));
    way.points.push_back(solid.position(from));
    way.smooth(4);
    result.ways.push_back(std::move(way));
  }
  return result;
}

// Which way belongs to which finger: the assignment with the least distance between tips. Empty when it is no match.
std::vector<std::size_t> match_tips(const std::vector<FingerChain>& chains, const std::vector<LimbCurve>& ways,
                                    double hand_length) {
  std::vector<std::size_t> order(ways.size()), best;
  std::iota(order.begin(), order.end(), 0);
  double least = 1e300;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < chains.size(); ++i) sum += (ways[order[i]].points.front() - chains[i].tip).norm();
    if (sum < least) least = sum, best = order;
  } while (std::next_permutation(order.begin(), order.end()));
  if (least > 0.3 * hand_length * static_cast<double>(chains.size())) best.clear();
  return best;
}

// A place so far from the tip, on the way while it runs in the finger; the knuckle lies straight on inside the palm.
Vec3d along_finger(const LimbCurve& way, double from_tip, double finger) {
  const double whole = std::max(way.length(), 1e-12), in_finger = 0.6 * finger;
  if (from_tip <= in_finger) return way.at(from_tip / whole);
  const Vec3d near = way.at(in_finger / whole), before = way.at(0.25 * finger / whole);
  return near + (from_tip - in_finger) * (near - before).normalized();
}

// False when the hand does not show the fingers.
bool fit_hand(const TriangleMesh& mesh, const std::vector<FingerChain>& chains, int hand_joint, const Vec3d& tip,
              Placement& placement) {
  Skeleton& skeleton = placement.skeleton;
  HandPlace hand{skeleton.position(hand_joint), tip - skeleton.position(hand_joint), 0};
  hand.length = hand.axis.norm();
  if (chains.size() > 5 || hand.length <= 0) return false;
  hand.axis /= hand.length;
  const TriangleMesh part = hand_mesh(mesh, hand);
  if (part.triangles.size() < 40) return false;
  FingerWays seen = finger_ways(VoxelSolid(part, 72), hand, 0.12, chains.size());
  // Fingers that lie close together, and short thumbs, need a closer look; a fist or a mitten does not get it.
  if (seen.ways.empty() && seen.tips >= 2) seen = finger_ways(VoxelSolid(part, 120), hand, 0.06, chains.size());
  const std::vector<LimbCurve>& ways = seen.ways;
  if (ways.empty()) return false;
  const std::vector<std::size_t> way_of = match_tips(chains, ways, hand.length);
  if (way_of.empty()) return false;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const LimbCurve& way = ways[way_of[i]];
    // Tips of voxel ways end half a voxel under the skin.
    const double scale =
        (way.points.front() - hand.wrist).norm() / std::max((chains[i].tip - hand.wrist).norm(), 1e-12);
    const double finger = scale * chains[i].to_tip.front();
    for (std::size_t k = 0; k < chains[i].joints.size(); ++k) {
      const int joint = chains[i].joints[k];
      skeleton.rest[joint].translation() = along_finger(way, scale * chains[i].to_tip[k], finger);
      placement.confidence[joint] = finger_confidence;
    }
  }
  return true;
}

}  // namespace

int fit_fingers(const TriangleMesh& mesh, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                Placement& placement) {
  int not_found = 0;
  if (shape.on_all_fours) return not_found;
  for (int side = 0; side < 2; ++side) {
    const BodySide body_side = side == 0 ? BodySide::left : BodySide::right;
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const JointIdentity& joint) {
      return joint.role == JointRole::hand && joint.side == body_side && joint.index == 1;
    });
    if (found == joints.end()) continue;
    const int hand = static_cast<int>(found - joints.begin());
    const std::vector<FingerChain> chains = finger_chains(placement.skeleton, joints, hand);
    if (chains.size() < 3) continue;  // a mitten's skeleton
    not_found += !fit_hand(mesh, chains, hand, shape.arm_joints[side][3], placement);
  }
  return not_found;
}

}  // namespace sinew
