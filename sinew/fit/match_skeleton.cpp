#include "sinew/fit/match_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/cancellation.h"
#include "sinew/error.h"
#include "sinew/fit/match_placement.h"

namespace sinew {
namespace {

// What disagreement costs. Lengths are shares of the mesh's diagonal; every cost is capped, so that one odd joint
// cannot drag a whole skeleton along.
constexpr double bone_cap = 6;
constexpr double detour_slack = 0.03, detour_cost = 0.6, detour_cap = 3;
constexpr double place_slack = 0.12, place_cost = 0.7, place_cap = 4;
constexpr double tip_slack = 0.06, tip_cost = 0.6, tip_cap = 4;
constexpr double left_out_cost = 2.5;  // of a joint that is carried along because the mesh has no such part
constexpr double uncovered_cost = 3;   // of a curve that the skeleton does not reach at all
constexpr double crowding_cost = 4;    // of a limb that another chain of the skeleton has taken
constexpr double barely = 4;           // cost of a joint that counts as misfit 1
constexpr double surely = 0.3, surely_covered = 0.7;  // misfit and share of the curve that leave no doubt

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
      // A skeleton that stands as the mesh does is believed where it matches, and unless another way is much better.
      const bool as_it_is = turn.isIdentity();
      if (as_it_is && found.cost < surely * barely &&
          covered_share(curve_, joints_, places_of(found)) > surely_covered) {
        return placed(found);
      }
      const double cost = with_left_over(found) * (as_it_is ? 0.6 : 1.0);
      if (cost < best) best = cost, winner = std::move(found);
    }
    return placed(winner);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  using Solution = MatchedNodes;

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
    // The only tip beyond a node; -1 where there are several.
    tip_of_.assign(n, -1);
    for (std::size_t a = n - 1; a > 0; --a) {
      const std::vector<int>& next = curve_.children[a];
      tip_of_[a] = next.empty() ? static_cast<int>(a) : next.size() == 1 ? tip_of_[next[0]] : -1;
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

  // The cost of a choice, and of what it leaves of the curve.
  double with_left_over(const Solution& found) const {
    return found.cost + uncovered_cost * (1 - covered_share(curve_, joints_, places_of(found)));
  }

  std::vector<Vec3d> places_of(const Solution& found) const {
    return relaxed_places(curve_, joints_, skeleton_, found);
  }

  // Which joints are mirror images of each other, for one way to stand.
  void use_symmetry(const Mat3d& turn) {
    normal_in_skeleton_ = turn.transpose() * curve_.plane.normal;
    partner_.assign(joints_.joints.size(), -1);
    symmetric_ = false;
    if (!curve_.symmetric) return;
    const std::vector<int> partner = mirrored_joints(joints_, skeleton_, normal_in_skeleton_);
    const auto paired = std::count_if(partner.begin(), partner.end(), [](int p) { return p >= 0; });
    if (paired > 0.7 * count()) partner_ = partner, symmetric_ = true;
  }

  Solution solve(const Mat3d& turn) {
    use_symmetry(turn);
    barred_.assign(joints_.joints.size(), {});
    const Alignment first = first_alignment(turn);
    Solution best;
    double least = infinite;
    const auto try_alignment = [&](const Alignment& alignment) {
      stop_if_cancelled();
      Solution found = choose(alignment, coarse_candidates());
      const Alignment next = aligned(found, turn);
      const double cost = with_left_over(found);
      if (cost < least) least = cost, best = std::move(found);
      return next;
    };
    for (const double factor : {1.0, 0.8, 1.25}) {
      Alignment alignment = first;
      const Vec3d middle = centre_of_joints();
      alignment.shift = first(middle) - factor * first.scale * (turn * middle);
      alignment.scale = factor * first.scale;
      for (int round = 0; round < 2; ++round) alignment = try_alignment(alignment);
    }
    for (int round = 0; round < 4 && bar_crowded_limbs(best); ++round) {
      const double before = least;
      try_alignment(best.alignment);
      if (least == before) break;
    }
    return choose(aligned(best, turn), fine_candidates(best));
  }

  // Two chains that end in the same limb: the one that is further from its place may not do so again.
  bool bar_crowded_limbs(const Solution& found) {
    bool any = false;
    for (int i = 0; i < count(); ++i) {
      for (int other = 0; other < i; ++other) {
        if (!joints_.main_end[i] || !joints_.main_end[other] || is_image(i) || is_image(other)) continue;
        if (found.nodes[i] < 0 || found.nodes[other] < 0) continue;
        const int tip = tip_of_[found.nodes[i]];
        if (tip < 0 || tip != tip_of_[found.nodes[other]]) continue;
        const auto away = [&](int j) { return (place(found.nodes[j]) - found.alignment(was_[j])).norm(); };
        barred_[away(i) > away(other) ? i : other].push_back(tip);
        any = true;
      }
    }
    return any;
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
    if (std::find(barred_[i].begin(), barred_[i].end(), tip_of_[node]) != barred_[i].end()) cost += crowding_cost;
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
      const double slack = slack_of_bone(bone.norm(), curve_.diagonal);
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
    if (symmetric_) result.partner = partner_;
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
        const double slack = slack_of_bone(bone.norm(), curve_.diagonal);
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

  SkeletonMatch placed(const Solution& found) const {
    SkeletonMatch match;
    match.turn = found.alignment.turn;
    match.scale = found.alignment.scale;
    match.nodes.assign(skeleton_.names.size(), -1);
    match.misfits.assign(skeleton_.names.size(), 1.0);
    match.places.resize(skeleton_.names.size());
    const std::vector<Vec3d> places = places_of(found);
    for (int i = 0; i < count(); ++i) {
      const int joint = joints_.joints[i];
      match.nodes[joint] = found.nodes[i];
      match.places[joint] = places[i];
      if (found.nodes[i] >= 0) match.misfits[joint] = std::min(1.0, found.costs[i] / barely);
    }
    match.misfit = found.cost / barely;
    match.covered = covered_share(curve_, joints_, places);
    const std::vector<Vec3d> known = match.places;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (match.nodes[j] < 0) match.places[j] = carried_place(skeleton_, j, found.alignment, match.nodes, known);
    }
    return match;
  }

  const CurveSkeleton& curve_;
  const Skeleton& skeleton_;
  const MatchOptions& options_;
  MatchableJoints joints_;
  std::vector<Vec3d> was_;  // places of the matchable joints in the given skeleton
  std::vector<double> apart_, beyond_;
  std::vector<int> tip_of_;
  std::vector<std::vector<int>> barred_;  // per matchable joint: tips that it may not end at
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
