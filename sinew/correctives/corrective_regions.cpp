#include "sinew/correctives/corrective_regions.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/dense_algebra.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

using PointWeights = std::vector<std::vector<RegionWeight>>;

void tidy(std::vector<RegionWeight>& weights) {
  constexpr float least = 1e-3f;
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.region < b.region; });
  std::size_t kept = 0;
  for (const RegionWeight& w : weights) {
    if (kept > 0 && weights[kept - 1].region == w.region) {
      weights[kept - 1].weight += w.weight;
    } else {
      weights[kept++] = w;
    }
  }
  weights.resize(kept);
  std::erase_if(weights, [](const RegionWeight& w) { return w.weight < least; });
  float sum = 0;
  for (const RegionWeight& w : weights) sum += w.weight;
  for (RegionWeight& w : weights) w.weight /= sum;
}

PointWeights prolong_regions(const Prolongation& up, const PointWeights& coarse) {
  PointWeights fine(up.points.size());
  for (std::size_t i = 0; i < fine.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (up.weights[i][k] <= 0) continue;
      for (const RegionWeight& w : coarse[up.points[i][k]]) {
        fine[i].push_back({w.region, w.weight * up.weights[i][k]});
      }
    }
    tidy(fine[i]);
  }
  return fine;
}

// Number of bones between every joint and the nearest joint that is marked.
std::vector<int> distances(const Skeleton& skeleton, const std::vector<bool>& marked) {
  const auto children = children_of(skeleton);
  std::vector<int> distance(marked.size(), 1000);
  std::queue<int> queue;
  for (std::size_t j = 0; j < marked.size(); ++j) {
    if (!marked[j]) continue;
    distance[j] = 0;
    queue.push(static_cast<int>(j));
  }
  while (!queue.empty()) {
    const int j = queue.front();
    queue.pop();
    const auto visit = [&](int other) {
      if (other < 0 || distance[other] <= distance[j] + 1) return;
      distance[other] = distance[j] + 1;
      queue.push(other);
    };
    visit(skeleton.parents[j]);
    for (const int child : children[j]) visit(child);
  }
  return distance;
}

}  // namespace

RegionPartition make_regions(const LodChain& chain, std::size_t regions) {
  const LodLevel& coarsest = chain.levels.back();
  TriangleMesh surface;  // one vertex per point
  surface.positions.resize(coarsest.point_count);
  for (std::size_t v = 0; v < coarsest.point_of.size(); ++v) {
    if (coarsest.point_of[v] != no_point) surface.positions[coarsest.point_of[v]] = coarsest.mesh.positions[v];
  }
  for (const Triangle& t : coarsest.mesh.triangles) {
    surface.triangles.push_back({coarsest.point_of[t[0]], coarsest.point_of[t[1]], coarsest.point_of[t[2]]});
  }
  SimplifyOptions options;
  options.ignore_seams = true;
  options.uniformity = 1.0;
  Simplifier simplifier(surface, {}, {}, options);
  const SimplifiedMesh base = simplifier.reduce(std::max<std::size_t>(regions, 1), SimplifyCount::points);
  RegionPartition result;
  result.region_count = base.point_count;
  result.weights.resize(chain.levels.size());
  PointWeights& first = result.weights.back();
  first.resize(coarsest.point_count);
  for (std::size_t i = 0; i < simplifier.input().vertices.size(); ++i) {
    const std::uint32_t point = simplifier.input().vertices[i], fine = simplifier.input().point_of[i];
    for (int k = 0; k < 3; ++k) {
      const float w = base.from_finer.weights[fine][k];
      if (w > 0) first[point].push_back({base.from_finer.points[fine][k], w});
    }
    tidy(first[point]);
  }
  for (auto& weights : first) {
    if (weights.empty()) weights.push_back({0, 1.0f});  // a point whose triangles have no area
  }
  for (std::size_t level = chain.levels.size() - 1; level-- > 0;) {
    result.weights[level] = prolong_regions(chain.levels[level + 1].to_finer, result.weights[level + 1]);
  }
  return result;
}

Principal principal_directions(const Eigen::MatrixXf& shapes, double tail, int most, std::uint64_t seed) {
  Principal result;
  const double total = shapes.cast<double>().squaredNorm();
  result.left = total;
  if (total <= tail) {
    result.basis.resize(shapes.rows(), 0);
    result.values.resize(0, shapes.cols());
    return result;
  }
  // Randomised range finder with one power iteration (Halko, Martinsson, Tropp 2011), a few directions to spare.
  const Eigen::Index width = std::min<Eigen::Index>({most + 8, shapes.rows(), shapes.cols()});
  Random random(seed);
  Eigen::MatrixXf sketch(shapes.cols(), width);
  for (Eigen::Index i = 0; i < sketch.size(); ++i) sketch.data()[i] = static_cast<float>(random.normal());
  Eigen::MatrixXf range = orthonormal_columns(shapes * sketch);
  range = orthonormal_columns(shapes * orthonormal_columns(shapes.transpose() * range));
  const Eigen::MatrixXf inside = range.transpose() * shapes;
  const SymmetricEigen eigen = symmetric_eigen((inside * inside.transpose()).cast<double>());
  Eigen::Index count = 0;
  while (count < std::min<Eigen::Index>(width, most) && result.left > tail) {
    result.left -= std::max(0.0, eigen.values[width - 1 - count]);
    ++count;
  }
  const Eigen::MatrixXf turn = eigen.vectors.rightCols(count).rowwise().reverse().cast<float>();
  result.basis = range * turn;
  result.values = turn.transpose() * inside;
  return result;
}

JointInfluence::JointInfluence(const Skeleton& skeleton, const Eigen::MatrixXf& features) : skeleton_(skeleton) {
  const auto samples = static_cast<float>(features.cols());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const auto block = features.middleRows<3>(3 * j);
    const Eigen::Vector3f mean = block.rowwise().mean();
    const float spread = (block.colwise() - mean).squaredNorm() / samples;
    if (skeleton.parents[j] >= 0 && spread > 1e-6f) joints_.push_back(j);
  }
  quadratic_.resize(9 * static_cast<Eigen::Index>(joints_.size()), features.cols());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto f = features.middleRows<3>(3 * joints_[i]).array();
    auto q = quadratic_.middleRows<9>(9 * static_cast<Eigen::Index>(i));
    q.topRows<3>() = f;
    q.middleRows<3>(3) = f * f;
    for (int k = 0; k < 3; ++k) q.row(6 + k) = f.row(k) * f.row((k + 1) % 3);
  }
  for (Eigen::Index r = 0; r < quadratic_.rows(); ++r) {
    auto row = quadratic_.row(r);
    row.array() -= row.mean();
    const float spread = std::sqrt(row.squaredNorm() / samples);
    row *= spread > 1e-5f ? 1 / spread : 0.0f;
  }
  gram_ = quadratic_ * quadratic_.transpose();
}

std::vector<int> JointInfluence::select(const Eigen::MatrixXf& values, const Eigen::VectorXf& own, double least,
                                        int most) const {
  if (joints_.empty()) return {0};
  const float strongest = own.maxCoeff();
  std::vector<bool> marked(static_cast<std::size_t>(own.size()));
  for (Eigen::Index j = 0; j < own.size(); ++j) {
    marked[static_cast<std::size_t>(j)] = own[j] > 0 && own[j] >= 0.05f * strongest;
  }
  const std::vector<int> distance = distances(skeleton_, marked);
  Eigen::MatrixXf system = gram_;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto hops = static_cast<float>(std::min(distance[static_cast<std::size_t>(joints_[i])], 50));
    const float penalty = 0.01f * static_cast<float>(values.cols()) * (1 + 4 * hops * hops);
    system.diagonal().segment<9>(9 * static_cast<Eigen::Index>(i)).array() += penalty;
  }
  const Eigen::VectorXf mean = values.rowwise().mean();
  const Eigen::MatrixXf right = quadratic_ * (values.colwise() - mean).transpose();
  const Eigen::MatrixXf model = solve_symmetric(system, right);
  std::vector<std::pair<double, int>> importance;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto at = 9 * static_cast<Eigen::Index>(i);
    const auto part = model.middleRows<9>(at);
    // ‖modelᵀ · quadratic‖² through the Gram matrix.
    const double squares = (part.transpose() * gram_.block<9, 9>(at, at) * part).trace();
    importance.emplace_back(-squares / static_cast<double>(values.cols()), joints_[i]);
  }
  std::sort(importance.begin(), importance.end());
  std::vector<int> chosen;
  for (const auto& [negative, joint] : importance) {
    if (static_cast<int>(chosen.size()) >= most || (!chosen.empty() && -negative < least)) break;
    chosen.push_back(joint);
  }
  return chosen;
}

}  // namespace sinew
