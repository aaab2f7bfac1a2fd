#include "sinew/fit/match_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/cancellation.h"
#include "sinew/base/rotation.h"
#include "sinew/error.h"
#include "sinew/fit/matchable_joints.h"

namespace sinew {
namespace {

// What disagreement costs. Lengths are shares of the mesh's diagonal; every cost is capped, so that one odd joint
// cannot drag a whole skeleton along.
constexpr double bone_slack = 0.35, least_bone_slack = 0.015;  // of the bone's own length, and at least
constexpr double bone_cap = 6;
constexpr double detour_slack = 0.03, detour_cost = 1.0, detour_cap = 3;
constexpr double place_slack = 0.12, place_cost = 0.5, place_cap = 4;
constexpr double tip_slack = 0.06, tip_cost = 0.6, tip_cap = 4;
constexpr double left_out_cost = 2.5;  // of a joint that is carried along because the mesh has no such part
constexpr double uncovered_cost = 3;   // of a curve that the skeleton does not reach at all
constexpr double node_slack = 0.6, least_node_slack = 0.01;  // of the thickness, how far joints may leave the curve
constexpr double barely = 4;                                 // cost of a joint that counts as misfit 1

struct Alignment {
  Mat3d turn = Mat3d::Identity();
  double scale = 1;
  Vec3d shift = Vec3d::Zero();

  Vec3d operator()(const Vec3d& p) const { return scale * (turn * p) + shift; }
};

class SkeletonMatcher {
 public:
  SkeletonMatcher(const CurveSkeleton& curve, const Skeleton& skeleton, const MatchOptions& options)
      : curve_(curve), skeleton_(skeleton), options_(options), joints_(matchable_joints(skeleton)) {
    if (joints_.joints.size() < 2 || !(joints_.size > 0)) {
      throw Error(ErrorCode::skeleton_not_understood, "the skeleton has no two joints in different places");
    }
    if (curve.nodes.size() < 2) {
      throw Error(ErrorCode::body_not_recognised, "the mesh has no limb and no length that a skeleton could follow");
    }
    measure_curve();
    for (const int joint : joints_.joints) was_.push_back(skeleton.position(joint));
  }

  SkeletonMatch run() {
    double best = infinite;
    Solution winner;
    for (const Mat3d& turn : turns()) {
      Solution found = solve(turn);
      // What is left over counts too. A skeleton that stands as the mesh does is believed unless another way is much
      // better.
      const double left_over = uncovered_cost * (1 - covered(relaxed(found)));
      const double cost = (found.cost + left_over) * (turn.isIdentity() ? 0.6 : 1.0);
      if (cost < best) best = cost, winner = std::move(found);
    }
    return placed(winner);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  struct Solution {
    Alignment alignment;
    std::vector<int> nodes;                                 // per matchable joint; -1: left out
    std::vector<double> costs;                              // per matchable joint
    double cost = std::numeric_limits<double>::infinity();  // mean
  };

  int count() const { return static_cast<int>(joints_.joints.size()); }
  const Vec3d& place(int node) const { return curve_.nodes[node].position; }
  double apart(int a, int b) const { return apart_[static_cast<std::size_t>(a) * curve_.nodes.size() + b]; }

  void measure_curve() {
    const std::size_t n = curve_.nodes.size();
    apart_.assign(n * n, 0.0);
    beyond_.assign(n, 0.0);
    for (std::size_t a = 1; a < n; ++a) {
      const auto parent = static_cast<std::size_t>(curve_.nodes[a].parent);
      const double step = curve_.from_core[a] - curve_.from_core[parent];
      for (std::size_t b = 0; b < a; ++b) {
        apart_[a * n + b] = apart_[b * n + a] = apart_[parent * n + b] + step;
      }
    }
    for (std::size_t a = n - 1; a > 0; --a) {
      const int parent = curve_.nodes[a].parent;
      beyond_[parent] = std::max(beyond_[parent], beyond_[a] + curve_.from_core[a] - curve_.from_core[parent]);
    }
    for (std::size_t a = 0; a < n; ++a) {
      const int node = static_cast<int>(a);
      const bool key = a == 0 || curve_.is_tip(node) || curve_.is_branch(node);
      if (key || std::lround(curve_.from_core[a] / curve_.cell) % 3 == 0) coarse_.push_back(node);
    }
  }

  // As it is, then quarter turns about the upright axis, then z and y exchanged.
  std::vector<Mat3d> turns() const {
    std::vector<Mat3d> result{Mat3d::Identity()};
    if (!options_.turns) return result;
    const double quarter = 0.5 * EIGEN_PI;
    for (const double tilt : {0.0, -quarter, quarter}) {
      for (int yaw = 0; yaw < 4; ++yaw) {
        Mat3d turn = (Eigen::AngleAxisd(yaw * quarter, Vec3d::UnitY()) * Eigen::AngleAxisd(tilt, Vec3d::UnitX()))
                         .toRotationMatrix();
        turn = turn.array().round();
        if (tilt != 0 || yaw != 0) result.push_back(turn);
      }
    }
    return result;
  }

  // Which joints are mirror images of each other, for one way to stand.
  void use_symmetry(const Mat3d& turn) {
    normal_in_skeleton_ = turn.transpose() * curve_.plane.normal;
    partner_.assign(joints_.joints.size(), -1);
    symmetric_ = false;
    if (curve_.symmetric) {
      const std::vector<int> partner = mirrored_joints(joints_, skeleton_, normal_in_skeleton_);
      const auto paired = std::count_if(partner.begin(), partner.end(), [](int p) { return p >= 0; });
      if (paired > 0.7 * count()) partner_ = partner, symmetric_ = true;
    }
  }

  Solution solve(const Mat3d& turn) {
    use_symmetry(turn);
    const Alignment first = first_alignment(turn);
    Solution best;
    for (const double factor : {1.0, 0.8, 1.25}) {
      Alignment alignment = first;
      const Vec3d middle = centre_of_joints();
      alignment.shift = first(middle) - factor * first.scale * (turn * middle);
      alignment.scale = factor * first.scale;
      for (int round = 0; round < 2; ++round) {
        stop_if_cancelled();
        Solution found = choose(alignment, coarse_candidates());
        alignment = aligned(found, turn);
        if (found.cost < best.cost) best = std::move(found);
      }
    }
    Solution fine = choose(aligned(best, turn), fine_candidates(best));
    return fine;
  }

  Vec3d centre_of_joints() const {
    Vec3d sum = Vec3d::Zero();
    double weight = 1e-12;
    for (int i = 1; i < count(); ++i) {
      const double length = (was_[i] - was_[joints_.parents[i]]).norm();
      sum += 0.5 * length * (was_[i] + was_[joints_.parents[i]]);
      weight += length;
    }
    return sum / weight;
  }

  // Centre and spread of the bones onto those of the curve.
  Alignment first_alignment(const Mat3d& turn) const {
    const Vec3d middle = centre_of_joints();
    double spread = 0, weight = 1e-12;
    for (int i = 1; i < count(); ++i) {
      const Vec3d &a = was_[i], &b = was_[joints_.parents[i]];
      const double length = (a - b).norm();
      spread += length * ((0.5 * (a + b) - middle).squaredNorm() + (a - b).squaredNorm() / 12);
      weight += length;
    }
    Vec3d own_middle = Vec3d::Zero();
    double own_weight = 1e-12, own_spread = 0;
    for (std::size_t n = 1; n < curve_.nodes.size(); ++n) {
      const double step = curve_.from_core[n] - curve_.from_core[curve_.nodes[n].parent];
      own_middle += step * curve_.nodes[n].position;
      own_weight += step;
    }
    own_middle /= own_weight;
    for (std::size_t n = 1; n < curve_.nodes.size(); ++n) {
      const double step = curve_.from_core[n] - curve_.from_core[curve_.nodes[n].parent];
      own_spread += step * (curve_.nodes[n].position - own_middle).squaredNorm();
    }
    Alignment result;
    result.turn = turn;
    // Joints end before the tips that curves reach.
    result.scale = 0.9 * std::sqrt((own_spread / own_weight) / std::max(spread / weight, 1e-24));
    result.shift = own_middle - result.scale * (turn * middle);
    return result;
  }

  // Scale and shift that bring the joints nearest to their nodes.
  Alignment aligned(const Solution& found, const Mat3d& turn) const {
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    int matched = 0;
    const auto counts = [&](int i) { return found.nodes[i] >= 0 && found.costs[i] < barely; };
    for (int i = 0; i < count(); ++i) {
      if (!counts(i)) continue;
      from += turn * was_[i];
      to += place(found.nodes[i]);
      ++matched;
    }
    if (matched < 2) return found.alignment;
    from /= matched;
    to /= matched;
    double both = 0, own = 0;
    for (int i = 0; i < count(); ++i) {
      if (!counts(i)) continue;
      both += (turn * was_[i] - from).dot(place(found.nodes[i]) - to);
      own += (turn * was_[i] - from).squaredNorm();
    }
    Alignment result = found.alignment;
    if (own > 0 && both > 0) result.scale = std::clamp(both / own, 0.5 * result.scale, 2.0 * result.scale);
    result.shift = to - result.scale * from;
    return result;
  }

  // Which nodes a joint may take: those of its own half where both are symmetric.
  bool may_take(int i, int node) const {
    if (!symmetric_ || partner_[i] < 0) return true;
    const int image = curve_.nodes[node].mirror;
    if (partner_[i] == i) return image == node;
    return image == node || curve_.plane.side(place(node)) > 0;
  }

  std::vector<std::vector<int>> coarse_candidates() const {
    std::vector<std::vector<int>> result(joints_.joints.size());
    for (int i = 0; i < count(); ++i) {
      for (const int node : coarse_) {
        if (may_take(i, node)) result[i].push_back(node);
      }
    }
    return result;
  }

  std::vector<std::vector<int>> fine_candidates(const Solution& coarse) const {
    std::vector<std::vector<int>> result(joints_.joints.size());
    for (int i = 0; i < count(); ++i) {
      if (coarse.nodes[i] < 0) continue;
      for (int node = 0; node < static_cast<int>(curve_.nodes.size()); ++node) {
        if (apart(node, coarse.nodes[i]) < 4.5 * curve_.cell && may_take(i, node)) result[i].push_back(node);
      }
    }
    return result;
  }

  // The image of a joint's image is chosen with it: only one of the two is looked at.
  bool is_image(int i) const {
    if (!symmetric_ || partner_[i] < 0 || partner_[i] == i) return false;
    const double own = (was_[i] - was_[partner_[i]]).dot(normal_in_skeleton_);
    return own < 0 || (own == 0 && i > partner_[i]);
  }

  double place_of(int i, int node, const Alignment& alignment) const {
    const double d = curve_.diagonal;
    const double away = (place(node) - alignment(was_[i])).squaredNorm() / (place_slack * d * place_slack * d);
    double cost = place_cost * std::min(away, place_cap);
    if (joints_.main_end[i]) {
      const int parent = joints_.parents[i];
      const double bone = alignment.scale * (was_[i] - was_[parent]).norm();
      const double missed = std::max(0.0, beyond_[node] - 0.8 * bone - 0.02 * d) / (tip_slack * d);
      cost += tip_cost * std::min(missed * missed, tip_cap);
    }
    return cost;
  }

  double bone_of(const Vec3d& bone, double slack, int above, int node) const {
    const Vec3d step = place(node) - place(above);
    const double away = (step - bone).squaredNorm() / (slack * slack);
    const double detour = std::max(0.0, apart(above, node) - 1.1 * step.norm()) / (detour_slack * curve_.diagonal);
    return std::min(away, bone_cap) + detour_cost * std::min(detour, detour_cap);
  }

  // The best nodes of all joints for one alignment.
  Solution choose(const Alignment& alignment, const std::vector<std::vector<int>>& candidates) {
    const std::size_t n = joints_.joints.size();
    std::vector<std::vector<double>> best(n);  // per joint and candidate: cost of it and everything below
    std::vector<std::vector<int>> choice(n);   // per joint and candidate of its parent; -1: left out
    std::vector<int> below(n, 1);
    for (int i = count() - 1; i > 0; --i) below[joints_.parents[i]] += below[i];
    for (int i = count() - 1; i >= 0; --i) {
      best[i].resize(candidates[i].size());
      for (std::size_t c = 0; c < candidates[i].size(); ++c) best[i][c] += place_of(i, candidates[i][c], alignment);
    }
    for (int i = count() - 1; i > 0; --i) {
      if (is_image(i)) continue;
      stop_if_cancelled();
      const int parent = joints_.parents[i];
      const Vec3d bone = alignment.scale * (alignment.turn * (was_[i] - was_[parent]));
      const double slack = bone_slack * bone.norm() + least_bone_slack * curve_.diagonal;
      const double twice = symmetric_ && partner_[i] >= 0 && partner_[i] != i && partner_[parent] == parent ? 2 : 1;
      choice[i].assign(candidates[parent].size(), -1);
      for (std::size_t p = 0; p < candidates[parent].size(); ++p) {
        double least = left_out_cost * below[i];
        for (std::size_t c = 0; c < candidates[i].size(); ++c) {
          const double cost = best[i][c] + bone_of(bone, slack, candidates[parent][p], candidates[i][c]);
          if (cost < least) least = cost, choice[i][p] = static_cast<int>(c);
        }
        best[parent][p] += twice * least;
      }
    }
    return read_choice(alignment, candidates, best[0], choice);
  }

  Solution read_choice(const Alignment& alignment, const std::vector<std::vector<int>>& candidates,
                       const std::vector<double>& of_root, const std::vector<std::vector<int>>& choice) const {
    Solution result;
    result.alignment = alignment;
    result.nodes.assign(joints_.joints.size(), -1);
    result.costs.assign(joints_.joints.size(), left_out_cost);
    if (of_root.empty()) return result;
    std::vector<int> taken(joints_.joints.size(), -1);
    taken[0] = static_cast<int>(std::min_element(of_root.begin(), of_root.end()) - of_root.begin());
    for (int i = 0; i < count(); ++i) {
      if (is_image(i)) continue;
      if (i > 0) taken[i] = taken[joints_.parents[i]] >= 0 ? choice[i][taken[joints_.parents[i]]] : -1;
      if (taken[i] < 0) continue;
      result.nodes[i] = candidates[i][taken[i]];
      result.costs[i] = place_of(i, result.nodes[i], alignment);
      if (i > 0) {
        const Vec3d bone = alignment.scale * (alignment.turn * (was_[i] - was_[joints_.parents[i]]));
        const double slack = bone_slack * bone.norm() + least_bone_slack * curve_.diagonal;
        result.costs[i] += bone_of(bone, slack, result.nodes[joints_.parents[i]], result.nodes[i]);
      }
    }
    result.cost = 0;
    for (int i = 0; i < count(); ++i) {
      if (is_image(i)) {
        const int own = result.nodes[partner_[i]];
        result.nodes[i] = own >= 0 ? curve_.nodes[own].mirror : -1;
        result.costs[i] = result.costs[partner_[i]];
      }
      result.cost += result.costs[i] / count();
    }
    return result;
  }

  // Places of the matchable joints: at their nodes, or within the thickness there where their bones ask for it. Joints
  // without a node stand where the alignment puts them.
  std::vector<Vec3d> relaxed(const Solution& found) const {
    std::vector<Vec3d> places;
    for (int i = 0; i < count(); ++i) {
      places.push_back(found.nodes[i] >= 0 ? place(found.nodes[i]) : found.alignment(was_[i]));
    }
    const auto bone = [&](int i) {
      return Vec3d(found.alignment.scale * (found.alignment.turn * (was_[i] - was_[joints_.parents[i]])));
    };
    const auto stiffness = [&](int i) {
      const double slack = bone_slack * bone(i).norm() + least_bone_slack * curve_.diagonal;
      return 1 / (slack * slack);
    };
    for (int round = 0; round < 30; ++round) {
      for (int i = 0; i < count(); ++i) {
        if (found.nodes[i] < 0) continue;
        const double slack = node_slack * curve_.nodes[found.nodes[i]].radius + least_node_slack * curve_.diagonal;
        double weight = 1 / (slack * slack);
        Vec3d sum = weight * place(found.nodes[i]);
        const auto pull = [&](int bone_of, int other, double sign) {
          if (found.nodes[other] < 0) return;
          const double own = stiffness(bone_of);
          sum += own * (places[other] + sign * bone(bone_of));
          weight += own;
        };
        if (i > 0) pull(i, joints_.parents[i], 1);
        for (const int child : joints_.children[i]) pull(child, child, -1);
        const Vec3d off = sum / weight - place(found.nodes[i]);
        const double most = 0.8 * curve_.nodes[found.nodes[i]].radius;
        places[i] = place(found.nodes[i]) + (off.norm() > most ? Vec3d(most / off.norm() * off) : off);
      }
    }
    for (int i = 0; i < count(); ++i) {
      if (is_image(i)) {
        places[i] = curve_.plane.mirrored(places[partner_[i]]);
      } else if (symmetric_ && partner_[i] == i) {
        places[i] -= curve_.plane.side(places[i]) * curve_.plane.normal;
      }
    }
    return places;
  }

  SkeletonMatch placed(const Solution& found) {
    use_symmetry(found.alignment.turn);
    SkeletonMatch match;
    match.turn = found.alignment.turn;
    match.scale = found.alignment.scale;
    match.nodes.assign(skeleton_.names.size(), -1);
    match.misfits.assign(skeleton_.names.size(), 1.0);
    match.places.resize(skeleton_.names.size());
    const std::vector<Vec3d> places = relaxed(found);
    for (int i = 0; i < count(); ++i) {
      const int joint = joints_.joints[i];
      match.nodes[joint] = found.nodes[i];
      match.places[joint] = places[i];
      if (found.nodes[i] >= 0) match.misfits[joint] = std::min(1.0, found.costs[i] / barely);
    }
    match.misfit = found.cost / barely;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (match.nodes[j] < 0) match.places[j] = carried(j, found.alignment, match);
    }
    match.covered = covered(places);
    return match;
  }

  Vec3d carried(int joint, const Alignment& alignment, const SkeletonMatch& match) const {
    // The joint that was nearest among those with a node: a control belongs to what it moves, wherever it hangs.
    int nearest = -1;
    for (int other = 0; other < skeleton_.joint_count(); ++other) {
      if (match.nodes[other] < 0) continue;
      const auto away = [&](int o) { return (skeleton_.position(o) - skeleton_.position(joint)).norm(); };
      if (nearest < 0 || away(other) < away(nearest)) nearest = other;
    }
    if (nearest < 0) return alignment(skeleton_.position(joint));
    Mat3d turn = alignment.turn;
    const int above = skeleton_.parents[nearest];
    if (above >= 0 && match.nodes[above] >= 0 && match.nodes[above] != match.nodes[nearest]) {
      const Vec3d before = alignment.turn * (skeleton_.position(nearest) - skeleton_.position(above));
      const Vec3d after = match.places[nearest] - match.places[above];
      if (before.norm() > 0) turn = rotation_between(before, after).toRotationMatrix() * turn;
    }
    return match.places[nearest] + alignment.scale * (turn * (skeleton_.position(joint) - skeleton_.position(nearest)));
  }

  double covered(const std::vector<Vec3d>& places) const {
    double all = 1e-12, near = 0;
    for (std::size_t n = 1; n < curve_.nodes.size(); ++n) {
      const double step = curve_.from_core[n] - curve_.from_core[curve_.nodes[n].parent];
      const double reach = 1.5 * curve_.nodes[n].radius + 0.06 * curve_.diagonal;
      bool found = false;
      for (int i = 1; i < count() && !found; ++i) {
        const Vec3d &a = places[joints_.parents[i]], &b = places[i];
        const double length = (b - a).squaredNorm();
        const double t = length > 0 ? std::clamp((place(static_cast<int>(n)) - a).dot(b - a) / length, 0.0, 1.0) : 0.0;
        found = (place(static_cast<int>(n)) - a - t * (b - a)).norm() < reach;
      }
      all += step;
      near += found ? step : 0.0;
    }
    return near / all;
  }

  const CurveSkeleton& curve_;
  const Skeleton& skeleton_;
  const MatchOptions& options_;
  MatchableJoints joints_;
  std::vector<Vec3d> was_;  // places of the matchable joints in the given skeleton
  std::vector<double> apart_, beyond_;
  std::vector<int> coarse_;
  std::vector<int> partner_;
  bool symmetric_ = false;
  Vec3d normal_in_skeleton_ = Vec3d::UnitX();
};

}  // namespace

SkeletonMatch match_skeleton(const CurveSkeleton& curve, const Skeleton& skeleton, const MatchOptions& options) {
  return SkeletonMatcher(curve, skeleton, options).run();
}

}  // namespace sinew
