#include "sinew/correctives/train_correctives.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/correctives/additive_model.h"
#include "sinew/correctives/corrective_measure.h"
#include "sinew/correctives/corrective_regions.h"
#include "sinew/correctives/training_data.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Eigen::Index recombined_per_sample = 2;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Rows of the points that a coarser level keeps.
Eigen::MatrixXf restricted(const Eigen::MatrixXf& fine, const std::vector<std::uint32_t>& kept) {
  Eigen::MatrixXf coarse(3 * static_cast<Eigen::Index>(kept.size()), fine.cols());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    coarse.middleRows<3>(3 * static_cast<Eigen::Index>(i)) = fine.middleRows<3>(3 * static_cast<Eigen::Index>(kept[i]));
  }
  return coarse;
}

void subtract_prolonged(Eigen::MatrixXf& fine, const Prolongation& up, const Eigen::MatrixXf& coarse) {
  parallel_for(static_cast<std::size_t>(fine.cols()), 16, [&](std::size_t begin, std::size_t end) {
    for (auto c = static_cast<Eigen::Index>(begin); c < static_cast<Eigen::Index>(end); ++c) {
      float* to = fine.col(c).data();
      const float* from = coarse.col(c).data();
      for (std::size_t i = 0; i < up.points.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
          const float w = up.weights[i][k];
          const float* source = from + 3 * std::size_t{up.points[i][k]};
          for (int axis = 0; axis < 3; ++axis) to[3 * i + axis] -= w * source[axis];
        }
      }
    }
  });
}

// Points of each region on a level, and their weights.
struct RegionPoints {
  std::vector<std::uint32_t> points;
  std::vector<float> weights;
  double size = 0;  // sum of the weights: how many points the region stands for
};

std::vector<RegionPoints> points_of_regions(const std::vector<std::vector<RegionWeight>>& weights, std::size_t count) {
  std::vector<RegionPoints> regions(count);
  for (std::uint32_t p = 0; p < weights.size(); ++p) {
    for (const RegionWeight& w : weights[p]) {
      regions[w.region].points.push_back(p);
      regions[w.region].weights.push_back(w.weight);
      regions[w.region].size += w.weight;
    }
  }
  return regions;
}

}  // namespace

struct CorrectiveTrainer::Impl {
  const TrainingShapes& shapes;
  TrainOptions options;
  LodChain chain;
  RegionPartition partition;
  TrainingData data;
  std::unique_ptr<JointInfluence> influence;
  double diagonal = 0;

  // How much every joint moves a region: what decides which joints count as near.
  Eigen::VectorXf joint_mass(const LodLevel& level, const RegionPoints& region,
                             const std::vector<std::uint32_t>& vertex_of) const {
    Eigen::VectorXf mass = Eigen::VectorXf::Zero(shapes.character().skeleton.joint_count());
    for (std::size_t i = 0; i < region.points.size(); ++i) {
      const std::size_t v = vertex_of[region.points[i]];
      for (int slot = 0; slot < level.weights.influences; ++slot) {
        const std::size_t s = v * level.weights.influences + slot;
        mass[level.weights.joints[s]] += region.weights[i] * level.weights.weights[s];
      }
    }
    return mass;
  }

  // One region of one level: basis, inputs, network. False when it is culled.
  bool train_region(const LodLevel& level, const RegionPoints& points, const std::vector<std::uint32_t>& vertex_of,
                    const Eigen::MatrixXf& residual, double tolerance, std::uint64_t seed,
                    CorrectiveRegion& region) const {
    if (points.points.empty()) return false;
    const auto frames = static_cast<double>(residual.cols());
    const double tail = tolerance * tolerance * points.size * frames;
    Eigen::MatrixXf shapes_here(3 * static_cast<Eigen::Index>(points.points.size()), residual.cols());
    for (std::size_t i = 0; i < points.points.size(); ++i) {
      shapes_here.middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
          points.weights[i] * residual.middleRows<3>(3 * static_cast<Eigen::Index>(points.points[i]));
    }
    Principal principal = principal_directions(shapes_here, tail, options.most_dimensions, seed);
    if (principal.basis.cols() == 0) return false;
    const double energy = principal.values.cast<double>().squaredNorm() / frames;
    const double least = std::max(0.25 * tail / frames, 0.003 * energy);
    region.points = points.points;
    region.basis = std::move(principal.basis);
    region.value_rms = (principal.values.rowwise().squaredNorm() / static_cast<float>(frames)).cwiseSqrt();
    region.network.joints =
        influence->select(principal.values, joint_mass(level, points, vertex_of), least, options.most_joints);
    std::sort(region.network.joints.begin(), region.network.joints.end());
    Eigen::MatrixXf inputs(3 * static_cast<Eigen::Index>(region.network.joints.size()), residual.cols());
    for (std::size_t i = 0; i < region.network.joints.size(); ++i) {
      inputs.middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
          data.features.middleRows<3>(3 * region.network.joints[i]);
    }
    NetworkTraining training = options.network;
    const auto wanted = static_cast<int>(2 * std::max(inputs.rows(), region.basis.cols()));
    training.hidden = std::clamp((wanted + 7) / 8 * 8, 16, std::max(16, options.network.hidden));
    training.seed = seed;
    append_recombined(inputs, principal.values, recombined_per_sample * inputs.cols(), seed);
    train_network(inputs, principal.values, training, region.network);
    return true;
  }

  // All regions of a level; `residual` becomes what they leave.
  std::vector<CorrectiveRegion> train_level(std::size_t number, Eigen::MatrixXf& residual, double tolerance,
                                            const Progress& progress) const {
    const LodLevel& level = chain.levels[number];
    const std::vector<RegionPoints> points = points_of_regions(partition.weights[number], partition.region_count);
    std::vector<std::uint32_t> vertex_of(level.point_count, 0);
    for (std::uint32_t v = 0; v < level.point_of.size(); ++v) {
      if (level.point_of[v] != no_point) vertex_of[level.point_of[v]] = v;
    }
    std::vector<CorrectiveRegion> all(points.size());
    std::vector<std::uint8_t> kept(points.size(), 0);
    const std::size_t batch = 8;
    const std::string stage = "training level " + std::to_string(number);
    for (std::size_t first = 0; first < points.size(); first += batch) {
      progress(static_cast<double>(first) / static_cast<double>(points.size()), stage);
      parallel_for(std::min(batch, points.size() - first), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = first + begin; r < first + end; ++r) {
          all[r].region = static_cast<std::uint32_t>(r);
          const std::uint64_t seed = options.seed * 7919 + number * 100'003 + r;
          kept[r] = train_region(level, points[r], vertex_of, residual, tolerance, seed, all[r]);
        }
      });
    }
    std::vector<CorrectiveRegion> regions;
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (!kept[r]) continue;
      const Eigen::MatrixXf values = all[r].network.values(data.features);
      parallel_for(static_cast<std::size_t>(values.cols()), 64, [&](std::size_t begin, std::size_t end) {
        const auto b = static_cast<Eigen::Index>(begin), count = static_cast<Eigen::Index>(end - begin);
        const Eigen::MatrixXf detail = all[r].basis * values.middleCols(b, count);
        for (std::size_t i = 0; i < all[r].points.size(); ++i) {
          residual.block(3 * static_cast<Eigen::Index>(all[r].points[i]), b, 3, count) -=
              detail.middleRows<3>(3 * static_cast<Eigen::Index>(i));
        }
      });
      regions.push_back(std::move(all[r]));
    }
    return regions;
  }
};

CorrectiveTrainer::CorrectiveTrainer(const TrainingShapes& shapes, const TrainOptions& options,
                                     const Progress& progress)
    : impl_(std::make_unique<Impl>(Impl{shapes, options, {}, {}, {}, {}, 0})) {
  impl_->diagonal = bounding_diagonal(shapes.character().mesh);
  split_frames(shapes, options, impl_->data);
  // Its levels are never drawn: they may be as coarse as they can.
  LodOptions lod = options.lod;
  lod.whole_pieces = false;
  impl_->chain = make_lod_chain(shapes.character(), lod, progress.part(0.0, 0.2));
  impl_->data.warnings.insert(impl_->data.warnings.end(), impl_->chain.warnings.begin(), impl_->chain.warnings.end());
  impl_->partition = make_regions(impl_->chain, options.regions);
  undo_skinning(shapes, impl_->chain.levels[0], impl_->data, progress.part(0.2, 1.0));
  impl_->influence = std::make_unique<JointInfluence>(shapes.character().skeleton, impl_->data.features);
}

CorrectiveTrainer::~CorrectiveTrainer() = default;
std::size_t CorrectiveTrainer::train_frames() const { return impl_->data.train.size(); }
std::size_t CorrectiveTrainer::test_frames() const { return impl_->data.test.size(); }
const std::vector<std::string>& CorrectiveTrainer::test_motions() const { return impl_->data.test_motions; }
const Warnings& CorrectiveTrainer::warnings() const { return impl_->data.warnings; }
const LodChain& CorrectiveTrainer::chain() const { return impl_->chain; }

TrainedCorrectives CorrectiveTrainer::train(double tolerance, bool hierarchical, const Progress& progress) const {
  if (!(tolerance > 0)) {
    throw Error(ErrorCode::option_out_of_range, "tolerance must be above 0, got " + number_text(tolerance))
        .about("tolerance");
  }
  const auto start = Clock::now();
  const LodChain& chain = impl_->chain;
  const std::size_t count = chain.levels.size();
  TrainedCorrectives result;
  result.tolerance = tolerance;
  result.model.skeleton = impl_->shapes.character().skeleton;
  result.model.chain = chain;
  result.model.tolerance = tolerance * impl_->diagonal;
  result.model.hierarchical = hierarchical;
  result.model.regions.resize(count);
  result.levels.resize(count);

  // Levels that a coarser one keeps points of: the displacements of each, finest first.
  std::vector<Eigen::MatrixXf> truth(count);
  for (std::size_t i = 1; i < count; ++i) {
    truth[i] = restricted(i == 1 ? impl_->data.displacements : truth[i - 1], chain.levels[i].to_finer.kept);
  }
  Eigen::MatrixXf coarser;  // what the coarser level predicts
  for (std::size_t i = count; i-- > 0;) {
    const auto level_start = Clock::now();
    Eigen::MatrixXf residual = i == 0 ? impl_->data.displacements : truth[i];
    if (hierarchical && i + 1 < count) subtract_prolonged(residual, chain.levels[i + 1].to_finer, coarser);
    const double done = static_cast<double>(count - 1 - i) / static_cast<double>(count);
    result.model.regions[i] = impl_->train_level(i, residual, result.model.tolerance,
                                                 progress.part(done, done + 1.0 / static_cast<double>(count)));
    result.levels[i].train_corrected =
        std::sqrt(residual.cast<double>().squaredNorm() / static_cast<double>(residual.size() / 3)) / impl_->diagonal;
    if (i > 0) coarser = truth[i] - residual;
    result.levels[i].seconds = seconds_since(level_start);
  }
  measure_correctives(impl_->shapes, impl_->data.test, impl_->partition.region_count, result);
  result.seconds = seconds_since(start);
  return result;
}

WorstFrame CorrectiveTrainer::worst_frame(const TrainedCorrectives& trained) const {
  return worst_test_frame(impl_->shapes, impl_->data.test, trained);
}

}  // namespace sinew
