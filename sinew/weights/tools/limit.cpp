#include <algorithm>
#include <limits>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/weights/tools/simplex_fit.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {
namespace {

using Transforms = std::vector<Affine3d>;  // one per joint

// Half of the poses from the motions, evenly in time, where there are any; the rest at random within joint limits.
std::vector<Transforms> sample_poses(const Character& character, int count, std::uint64_t seed) {
  std::vector<Transforms> poses;
  std::size_t frames = 0;
  for (const Motion& motion : character.motions) frames += static_cast<std::size_t>(motion.frame_count());
  const int from_motions = frames > 0 ? count / 2 : 0;
  for (int i = 0; i < from_motions; ++i) {
    auto frame = static_cast<std::size_t>((i + 0.5) * static_cast<double>(frames) / from_motions);
    for (const Motion& motion : character.motions) {
      const auto own = static_cast<std::size_t>(motion.frame_count());
      if (frame < own) {
        poses.push_back(skinning_transforms(character.skeleton, frame_pose(motion, static_cast<int>(frame))));
        break;
      }
      frame -= own;
    }
  }
  const JointLimits limits = default_joint_limits(character.skeleton);
  for (std::uint64_t i = 0; static_cast<int>(poses.size()) < count; ++i) {
    Random random = Random::stream(seed, i);
    poses.push_back(skinning_transforms(character.skeleton, random_pose(character.skeleton, limits, random)));
  }
  return poses;
}

// Where each influence alone would take a point in each pose: columns of influences, three rows per pose, relative to
// the first influence, since weights sum to 1 before and after.
Eigen::MatrixXd places_of(const WeightRow& row, const Vec3d& point, const std::vector<Transforms>& poses) {
  Eigen::MatrixXd places(3 * poses.size(), row.size());
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const Vec3d origin = poses[p][row.front().joint] * point;
    for (std::size_t i = 0; i < row.size(); ++i) {
      places.block<3, 1>(static_cast<Eigen::Index>(3 * p), static_cast<Eigen::Index>(i)) =
          poses[p][row[i].joint] * point - origin;
    }
  }
  return places;
}

Eigen::VectorXd weights_of(const WeightRow& row) {
  Eigen::VectorXd weights(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) weights[static_cast<Eigen::Index>(i)] = row[i].weight;
  return weights;
}

WeightRow with_weights(const WeightRow& row, const Eigen::VectorXd& weights) {
  WeightRow result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double weight = weights[static_cast<Eigen::Index>(i)];
    if (weight > 0) result.push_back({row[i].joint, weight});
  }
  return result;
}

// Truncated row: the strongest, normalised, as set_influences does.
WeightRow truncated(const WeightRow& row, std::size_t slots) {
  SkinWeights one = make_skin_weights(1, static_cast<int>(slots));
  set_influences(one, 0, row);
  return row_of(one, 0);
}

// Leaves out influences one by one, each time the one without which the rest fits best. Least squares may spoil one pose
// to serve many; so a fit counts only when no pose is worse than the worst one with the strongest influences scaled up.
class RowLimiter {
 public:
  RowLimiter(const WeightRow& row, const Vec3d& point, const std::vector<Transforms>& poses,
             const std::vector<char>& locked)
      : row_(row), target_(weights_of(row)) {
    places_ = places_of(row, point, poses);
    gram_ = places_.transpose() * places_;
    // Joints that move alike in all poses are told apart by their weights.
    const double scale = std::max(gram_.diagonal().maxCoeff(), 1e-30);
    gram_.diagonal().array() += 1e-6 * scale;
    for (int i = 0; i < static_cast<int>(row.size()); ++i) {
      (locked[row[i].joint] ? kept_ : free_).push_back(i);
    }
  }

  WeightRow run(std::size_t slots) {
    const Choice strongest = strongest_of(slots);
    Eigen::VectorXd best = scaled(strongest);
    const double worst_allowed = worst_pose(best);
    double least = fit_error(gram_, target_, best);
    for (const Eigen::VectorXd& fitted : {leave_out(slots), fit(strongest.free, strongest.kept)}) {
      const double error = fit_error(gram_, target_, fitted);
      if (error < least && worst_pose(fitted) <= worst_allowed) least = error, best = fitted;
    }
    return with_weights(row_, best);
  }

 private:
  struct Choice {
    std::vector<int> free, kept;
  };

  Choice strongest_of(std::size_t slots) const {
    Choice choice{free_, kept_};
    const auto cut = [&](std::vector<int>& list, std::size_t count) {
      std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return target_[a] > target_[b]; });
      if (list.size() > count) list.resize(count);
      std::sort(list.begin(), list.end());
    };
    cut(choice.kept, slots);
    cut(choice.free, slots - choice.kept.size());
    return choice;
  }

  // The weights that a choice had, the free ones scaled to what the locked ones leave.
  Eigen::VectorXd scaled(const Choice& choice) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(target_.size());
    double fixed = 0, free = 0;
    for (const int i : choice.kept) fixed += target_[i];
    for (const int i : choice.free) free += target_[i];
    if (!(free > 0)) return fit(choice.free, choice.kept);
    for (const int i : choice.kept) result[i] = target_[i];
    for (const int i : choice.free) result[i] = target_[i] * std::max(0.0, 1.0 - fixed) / free;
    return result;
  }

  // The largest distance, squared, in any pose.
  double worst_pose(const Eigen::VectorXd& weights) const {
    const Eigen::VectorXd apart = places_ * (weights - target_);
    double worst = 0;
    for (Eigen::Index row = 0; row < apart.size(); row += 3)
      worst = std::max(worst, apart.segment<3>(row).squaredNorm());
    return worst;
  }

  Eigen::VectorXd leave_out(std::size_t slots) const {
    Eigen::VectorXd fitted = target_;
    std::vector<int> free = free_, kept = kept_;
    while (kept.size() + free.size() > slots) {
      const bool leaves_free = !free.empty();  // else more joints are locked than there are slots
      std::vector<int>& from = leaves_free ? free : kept;
      double best = std::numeric_limits<double>::infinity();
      std::size_t leaves = 0;
      for (std::size_t i = 0; i < from.size(); ++i) {
        std::vector<int> rest = from;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const Eigen::VectorXd candidate = leaves_free ? fit(rest, kept) : fit(free, rest);
        const double error = fit_error(gram_, target_, candidate);
        if (error < best) {
          best = error;
          leaves = i;
          fitted = candidate;
        }
      }
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(leaves));
    }
    return fitted;
  }

  // Locked influences keep their weights; the others are fitted. Without others, the locked ones are scaled.
  Eigen::VectorXd fit(const std::vector<int>& free, const std::vector<int>& kept) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(target_.size());
    double fixed = 0;
    for (const int i : kept) fixed += result[i] = target_[i];
    if (free.empty()) return fixed > 0 ? Eigen::VectorXd(result / fixed) : result;
    // (w - target) has zeros at the locked entries, so they only take their share of the sum.
    result += fit_on_simplex(gram_, target_ - result, free, std::max(0.0, 1.0 - fixed));
    return result;
  }

  const WeightRow& row_;
  Eigen::VectorXd target_;
  Eigen::MatrixXd places_, gram_;
  std::vector<int> kept_, free_;
};

struct Errors {
  double sum = 0, largest = 0;
  std::size_t count = 0;

  void add(const WeightRow& before, const WeightRow& after, const Vec3d& point, const std::vector<Transforms>& poses) {
    for (const Transforms& pose : poses) {
      Vec3d difference = Vec3d::Zero();
      for (const Influence& influence : before) difference += influence.weight * (pose[influence.joint] * point);
      for (const Influence& influence : after) difference -= influence.weight * (pose[influence.joint] * point);
      const double distance = difference.norm();
      sum += distance;
      largest = std::max(largest, distance);
      ++count;
    }
  }
  double mean() const { return sum / static_cast<double>(std::max<std::size_t>(count, 1)); }
};

void measure(const WeldedSkin& skin, const std::vector<WeightRow>& rows, const std::vector<std::uint32_t>& reduced,
             const std::vector<Transforms>& poses, std::size_t slots, LimitReport& report) {
  const double diagonal = bounding_diagonal(skin.mesh);
  Errors fitted, cut;
  for (const std::uint32_t v : reduced) {
    stop_if_cancelled(v);
    const Vec3d point = skin.mesh.positions[v].cast<double>();
    fitted.add(skin.rows[v], rows[v], point, poses);
    cut.add(skin.rows[v], truncated(skin.rows[v], slots), point, poses);
  }
  if (!(diagonal > 0)) return;
  report.mean_error = fitted.mean() / diagonal;
  report.max_error = fitted.largest / diagonal;
  report.truncated_mean_error = cut.mean() / diagonal;
  report.truncated_max_error = cut.largest / diagonal;
}

}  // namespace

LimitReport limit_influences(Character& character, const LimitOptions& options, const Progress& progress) {
  require_range(options.max_influences, 1, 16, "max_influences");
  require_range(options.poses, 1, 1000, "poses");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "sampling poses");
    const WeldedSkin skin = weld_skin(character, options.selection);
    const auto slots = static_cast<std::size_t>(options.max_influences);
    std::vector<std::uint32_t> reduced;
    for (std::uint32_t v = 0; v < skin.vertex_count(); ++v) {
      if (skin.selected[v] && skin.rows[v].size() > slots) reduced.push_back(v);
    }
    const std::vector<Transforms> poses = sample_poses(character, options.poses, options.seed);
    std::vector<WeightRow> rows = skin.rows;
    parallel_for(
        reduced.size(), 64, progress.part(0.1, 0.8), "fitting weights", [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t v = reduced[i];
            rows[v] = RowLimiter(skin.rows[v], skin.mesh.positions[v].cast<double>(), poses, skin.locked).run(slots);
          }
        });
    LimitReport report;
    Character unmoved;
    unmoved.skeleton = character.skeleton;
    measure(skin, rows, reduced, sample_poses(unmoved, 16, options.seed + 1), slots, report);
    auto most = static_cast<std::size_t>(std::min(options.max_influences, character.weights.influences));
    for (const WeightRow& row : rows) most = std::max(most, row.size());
    report.change = store_rows(character, skin, rows, static_cast<int>(most));
    for (const std::uint32_t welded : skin.welded_of) {
      if (welded != WeldedSkin::not_skinned)
        report.reduced += skin.selected[welded] && skin.rows[welded].size() > slots;
    }
    progress(1.0, "fitting weights");
    return report;
  });
}

}  // namespace sinew
