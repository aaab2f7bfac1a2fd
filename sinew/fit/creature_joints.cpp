#include "sinew/fit/creature_joints.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Lengths are shares of the diagonal.
constexpr double spine_spacing = 0.08;
constexpr double spine_margin = 0.06;                  // an end of the spine shorter than this has no joints of its own
constexpr double tail_share = 0.78, head_share = 0.6;  // of the tail and of neck and head, up to their last joint
constexpr double prominence = 0.17;                    // length of a limb times its slenderness
constexpr double small_part = 0.08;
constexpr double bend_votes = 1.5, neck_votes = 0.3;
constexpr double search_window = 0.18;  // of a limb's length, around the place that anatomy votes for

// Shares of a limb's length at which artists put its joints, by its length.
struct LimbPlan {
  double shorter_than;
  std::array<double, 6> shares;
  int count;
};
constexpr std::array<LimbPlan, 5> limb_plans = {{{0.09, {0.1}, 1},
                                                 {0.15, {0.1, 0.6}, 2},
                                                 {0.37, {0.04, 0.39, 0.73}, 3},
                                                 {0.6, {0.05, 0.31, 0.58, 0.78}, 4},
                                                 {1e300, {0.05, 0.25, 0.45, 0.65, 0.83}, 5}}};

class JointVotes {
 public:
  JointVotes(const CurveSkeleton& curve, const CurvePaths& paths, const JointChoice& choice)
      : curve_(curve), paths_(paths), choice_(choice), moves_(paths.paths.size(), 0) {}

  CreatureJoints run() {
    for (std::size_t p = 1; p < moves_.size(); ++p) moves_[p] = is_prominent(paths_.paths[p]);
    place();
    while (choice_.most > 0 && result_.count() > choice_.most && drop_a_limb()) place();
    thin_out();
    return std::move(result_);
  }

 private:
  double share(double length) const { return length / curve_.diagonal; }

  double importance(const CurvePath& limb) const {
    const double thickness = 2 * std::max(paths_.radius_at(curve_, index_of(limb), limb.outside), 1e-300);
    return share(limb.free_length()) * limb.free_length() / thickness;
  }

  int index_of(const CurvePath& path) const { return static_cast<int>(&path - paths_.paths.data()); }

  // Long or slender enough, on something that moves.
  bool is_prominent(const CurvePath& limb) const {
    const bool small = limb.parent > 0 || share(limb.free_length()) < small_part;
    if (small && !choice_.small_parts) return false;
    return importance(limb) > prominence && (limb.parent == 0 || moves_[limb.parent]);
  }

  void place() {
    result_ = {};
    result_.along.resize(paths_.paths.size());
    place_spine();
    for (int p = 1; p < static_cast<int>(moves_.size()); ++p) {
      if (moves_[p]) place_limb(p);
    }
  }

  void place_spine() {
    const CurvePath& spine = paths_.paths[0];
    const double core = spine.along[paths_.core];
    std::vector<double> votes;
    for (std::size_t p = 1; p < moves_.size(); ++p) {
      if (moves_[p] && paths_.paths[p].parent == 0) votes.push_back(spine.along[paths_.paths[p].at]);
    }
    double rear = core, front = core;
    for (const double at : votes) rear = std::min(rear, at), front = std::max(front, at);
    const double from = share(rear) > spine_margin ? (1 - tail_share) * rear : rear;
    const double beyond = spine.length() - front;
    const double to = share(beyond) > spine_margin ? front + head_share * beyond : front;
    const double spacing = spine_spacing * curve_.diagonal / choice_.density;
    const int bones = std::max(1, static_cast<int>(std::lround((to - from) / spacing)));
    std::vector<double>& joints = result_.along[0];
    if (to - from < 0.4 * spacing) {
      joints = {core};
    } else {
      for (int i = 0; i <= bones; ++i) joints.push_back(from + (to - from) * i / bones);
    }
    move_to_votes(votes, (to - from) / bones, joints);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (std::abs(joints[i] - core) < std::abs(joints[result_.root] - core)) result_.root = static_cast<int>(i);
    }
    const double slack = 1e-9 * curve_.diagonal;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const bool at_root = static_cast<int>(i) == result_.root;
      if (joints[i] < rear - slack && static_cast<int>(i) < result_.root) {
        ++result_.tail_joints;
      } else if (joints[i] <= front + slack || static_cast<int>(i) < result_.root || at_root) {
        ++result_.trunk_joints;
      }
    }
  }

  // Joints go to the limbs nearest to them, unless one is there already.
  static void move_to_votes(const std::vector<double>& votes, double spacing, std::vector<double>& joints) {
    for (const double vote : votes) {
      const auto nearest = std::min_element(
          joints.begin(), joints.end(), [&](double a, double b) { return std::abs(a - vote) < std::abs(b - vote); });
      const bool taken = std::find(votes.begin(), votes.end(), *nearest) != votes.end();
      if (!taken && std::abs(*nearest - vote) < 0.5 * spacing) *nearest = vote;
    }
  }

  void place_limb(int p) {
    const CurvePath& limb = paths_.paths[p];
    const double length = limb.free_length();
    const auto plan = std::find_if(limb_plans.begin(), limb_plans.end(),
                                   [&](const LimbPlan& own) { return share(length) < own.shorter_than; });
    std::vector<double> shares(plan->shares.begin(), plan->shares.begin() + plan->count);
    const int wanted = std::max(1, static_cast<int>(std::lround(choice_.density * plan->count)));
    if (wanted != plan->count) {
      const double last = plan->count > 1 ? shares.back() : 0.6;
      const double first = shares.front();
      shares.clear();
      for (int i = 0; i < wanted; ++i) shares.push_back(wanted > 1 ? first + (last - first) * i / (wanted - 1) : first);
    }
    std::vector<double>& joints = result_.along[p];
    const double window = std::min(search_window, 0.45 / wanted) * length;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double prior = limb.outside + shares[i] * length;
      joints.push_back(i == 0 ? prior : most_votes(p, prior, window));
    }
    suppress(0.35 * length / wanted, joints);
  }

  // The place with the most votes around the one that anatomy votes for.
  double most_votes(int p, double prior, double window) const {
    constexpr int steps = 8;
    double best = prior, most = -1;
    for (int i = -steps; i <= steps; ++i) {
      const double off = i / static_cast<double>(steps), at = prior + off * window;
      if (at >= paths_.paths[p].length()) break;
      const double votes = 0.5 * (1 - off * off) + bend_votes * bend(p, at) + neck_votes * neck(p, at);
      // Straight, even limbs have the joint where anatomy says.
      if (votes > most + 1e-9 || (votes > most - 1e-9 && std::abs(at - prior) < std::abs(best - prior))) {
        most = votes;
        best = at;
      }
    }
    return best;
  }

  // 0 straight, 1 a right angle, 2 back.
  double bend(int p, double at) const {
    const double reach = search_window * paths_.paths[p].free_length();
    const Vec3d here = paths_.at(curve_, p, at);
    const Vec3d before = here - paths_.at(curve_, p, at - reach), after = paths_.at(curve_, p, at + reach) - here;
    const double lengths = before.norm() * after.norm();
    return lengths > 0 ? 1 - before.dot(after) / lengths : 0.0;
  }

  // How much thinner it is here than on both sides, 0 … 1.
  double neck(int p, double at) const {
    const double reach = search_window * paths_.paths[p].free_length();
    const double around = std::min(paths_.radius_at(curve_, p, at - reach), paths_.radius_at(curve_, p, at + reach));
    return around > 0 ? std::max(0.0, 1 - paths_.radius_at(curve_, p, at) / around) : 0.0;
  }

  static void suppress(double least, std::vector<double>& joints) {
    std::sort(joints.begin(), joints.end());
    std::vector<double> kept;
    for (const double joint : joints) {
      if (kept.empty() || joint - kept.back() >= least) kept.push_back(joint);
    }
    joints = kept;
  }

  // The least prominent limb that nothing branches off, and its mirror image.
  bool drop_a_limb() {
    int least = -1;
    for (int p = 1; p < static_cast<int>(moves_.size()); ++p) {
      if (!moves_[p]) continue;
      bool carries = false;
      for (std::size_t other = 1; other < moves_.size(); ++other) {
        carries = carries || (moves_[other] && paths_.paths[other].parent == p);
      }
      if (!carries && (least < 0 || importance(paths_.paths[p]) < importance(paths_.paths[least]))) least = p;
    }
    if (least < 0) return false;
    moves_[least] = 0;
    if (paths_.paths[least].mirror >= 0) moves_[paths_.paths[least].mirror] = 0;
    return true;
  }

  // A spine alone that is still too many: its ends go.
  void thin_out() {
    std::vector<double>& spine = result_.along[0];
    while (choice_.most > 0 && result_.count() > choice_.most && spine.size() > 1) {
      const int ahead = static_cast<int>(spine.size()) - 1 - result_.root;
      if (ahead >= result_.root) {
        spine.pop_back();
        result_.trunk_joints = std::min(result_.trunk_joints, static_cast<int>(spine.size()) - result_.tail_joints);
      } else {
        spine.erase(spine.begin());
        --result_.root;
        if (result_.tail_joints > 0) {
          --result_.tail_joints;
        } else {
          --result_.trunk_joints;
        }
      }
    }
  }

  const CurveSkeleton& curve_;
  const CurvePaths& paths_;
  const JointChoice& choice_;
  std::vector<char> moves_;  // per path: whether it has joints
  CreatureJoints result_;
};

}  // namespace

int CreatureJoints::count() const {
  std::size_t sum = 0;
  for (const std::vector<double>& path : along) sum += path.size();
  return static_cast<int>(sum);
}

CreatureJoints place_creature_joints(const CurveSkeleton& curve, const CurvePaths& paths, const JointChoice& choice) {
  return JointVotes(curve, paths, choice).run();
}

}  // namespace sinew
