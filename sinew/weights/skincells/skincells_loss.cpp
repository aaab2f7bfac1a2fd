#include "sinew/weights/skincells/skincells_loss.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/multiversion.h"
#include "sinew/base/parallel.h"
#include "sinew/weights/skincells/skincells_kernel.h"

namespace sinew::skincells {
namespace {

constexpr std::size_t blocks_per_chunk = 8;  // fixed, so that sums do not depend on the thread count
constexpr float spring_stabiliser = 1e-2f;
constexpr float edge_stabiliser = 0.3f;  // very short edges may change by a larger part of their length

using Lanes = float[lanes];

// blended[12] += weight * T for one cell at all lanes.
SINEW_MULTIVERSION void add_transform(const float* transform, const float* weight, Lanes* blended) {
  for (int entry = 0; entry < 12; ++entry) {
    const float t = transform[entry];
    for (int lane = 0; lane < lanes; ++lane) blended[entry][lane] += t * weight[lane];
  }
}

// by_weight += sum over the 12 entries of by_transform * T for one cell at all lanes.
SINEW_MULTIVERSION void add_dot(const float* transform, const Lanes* by_transform, float* by_weight) {
  for (int entry = 0; entry < 12; ++entry) {
    const float t = transform[entry];
    for (int lane = 0; lane < lanes; ++lane) by_weight[lane] += t * by_transform[entry][lane];
  }
}

// Nearest rotation of the linear part of each lane's blended transform, by four steps of the scaled Newton iteration
// (Higham 1986), applied to `vector`.
SINEW_MULTIVERSION void rotate_by_polar(const Lanes* blended, const Lanes* vector, Lanes* result) {
  Lanes m[9];
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      for (int lane = 0; lane < lanes; ++lane) m[row * 3 + column][lane] = blended[row * 4 + column][lane];
    }
  }
  for (int step = 0; step < 5; ++step) {
    for (int lane = 0; lane < lanes; ++lane) {
      const float a = m[0][lane], b = m[1][lane], c = m[2][lane], d = m[3][lane], e = m[4][lane], f = m[5][lane],
                  g = m[6][lane], h = m[7][lane], i = m[8][lane];
      const float c00 = e * i - f * h, c01 = f * g - d * i, c02 = d * h - e * g;
      const float c10 = c * h - b * i, c11 = a * i - c * g, c12 = b * g - a * h;
      const float c20 = b * f - c * e, c21 = c * d - a * f, c22 = a * e - b * d;
      const float determinant = a * c00 + b * c01 + c * c02;
      // A blend of opposite rotations may collapse; the floor keeps it finite,
      // and the iteration then leaves it as it is.
      const float inverse = 1.0f / (determinant > 1e-4f ? determinant : 1e-4f);
      m[0][lane] = 0.5f * (a + c00 * inverse);
      m[1][lane] = 0.5f * (b + c01 * inverse);
      m[2][lane] = 0.5f * (c + c02 * inverse);
      m[3][lane] = 0.5f * (d + c10 * inverse);
      m[4][lane] = 0.5f * (e + c11 * inverse);
      m[5][lane] = 0.5f * (f + c12 * inverse);
      m[6][lane] = 0.5f * (g + c20 * inverse);
      m[7][lane] = 0.5f * (h + c21 * inverse);
      m[8][lane] = 0.5f * (i + c22 * inverse);
    }
  }
  for (int row = 0; row < 3; ++row) {
    for (int lane = 0; lane < lanes; ++lane) {
      result[row][lane] = m[row * 3][lane] * vector[0][lane] + m[row * 3 + 1][lane] * vector[1][lane] +
                          m[row * 3 + 2][lane] * vector[2][lane];
    }
  }
}

// The l strongest of the active cells keep their weight at each lane, renormalised; kept[cell][lane] is the new weight.
void strongest_only(const Block& block, int influences, std::vector<float>& kept, float (&sum)[lanes]) {
  std::fill(kept.begin(), kept.end(), 0.0f);
  std::vector<int> order;
  const auto weight = [&](int cell, int lane) { return block.weight[static_cast<std::size_t>(cell) * lanes + lane]; };
  for (int lane = 0; lane < lanes; ++lane) {
    order = block.active;
    const auto keep = std::min<std::ptrdiff_t>(influences, static_cast<std::ptrdiff_t>(order.size()));
    std::partial_sort(order.begin(), order.begin() + keep, order.end(), [&](int a, int b) {
      const float wa = weight(a, lane), wb = weight(b, lane);
      return wa != wb ? wa > wb : a < b;
    });
    sum[lane] = 0;
    for (std::ptrdiff_t k = 0; k < keep; ++k) sum[lane] += weight(order[k], lane);
    for (std::ptrdiff_t k = 0; k < keep; ++k) {
      kept[static_cast<std::size_t>(order[k]) * lanes + lane] = weight(order[k], lane) / sum[lane];
    }
  }
}

// Carries the derivative by the kept, renormalised weights k_j = w_j / Σ kept w over to the weights themselves.
void add_renormalised(const Block& block, int used, const std::vector<float>& kept, const float (&sum)[lanes],
                      const std::vector<float>& by_kept, std::vector<float>& by_weight) {
  float mean[lanes] = {};
  for (int cell : block.active) {
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      mean[lane] += kept[at] * by_kept[at];
    }
  }
  for (int cell : block.active) {
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t at = static_cast<std::size_t>(cell) * lanes + lane;
      if (kept[at] > 0) by_weight[at] += (by_kept[at] - mean[lane]) / sum[lane];
    }
  }
}

// The derivative by a posed position p = A [x; 1] as one by the twelve entries of A.
void set_outer_product(const Vec3f& by_position, const Vec3f& rest, int lane, Lanes* by_transform) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int column = 0; column < 3; ++column) by_transform[axis * 4 + column][lane] = by_position[axis] * rest[column];
    by_transform[axis * 4 + 3][lane] = by_position[axis];
  }
}

Vec3f apply(const Lanes* transform, const Vec3f& x, int lane) {
  Vec3f result;
  for (int axis = 0; axis < 3; ++axis) {
    result[axis] = transform[axis * 4][lane] * x[0] + transform[axis * 4 + 1][lane] * x[1] +
                   transform[axis * 4 + 2][lane] * x[2] + transform[axis * 4 + 3][lane];
  }
  return result;
}

class FieldModel final : public WeightModel {
 public:
  explicit FieldModel(const SkinCellField& field) : cells_(field) {}

  void weigh(std::size_t, Block& block) const override { skincells::evaluate(cells_, block); }
  void backpropagate(std::size_t, Block& block, std::span<const float> by_weight, int used,
                     std::span<float> gradient) const override {
    skincells::backpropagate(cells_, block, by_weight, used, gradient);
  }
  // Without relaxation no point has more than l influences, and nothing is cut off.
  int kept_influences() const override { return cells_.relaxed && cells_.clipped ? cells_.influences : 0; }

 private:
  Cells cells_;
};

}  // namespace

struct Loss::Scratch {
  std::vector<float> kept, by_weight, by_kept;
  float kept_sum[lanes];
};

Loss::Loss(const Problem& problem, int cells, int largest_batch)
    : problem_(problem), cells_(cells), blocks_((problem.rest.size() + lanes - 1) / lanes, Block(cells)) {
  const std::size_t padded = blocks_.size() * lanes;
  posed_.resize(padded * 3 * largest_batch);
  residual_.resize(padded * 3 * largest_batch);
  rest_laplacian_.assign(problem.rest.size(), Vec3f::Zero());
  for (std::size_t i = 0; i < problem.rest.size(); ++i) {
    const std::uint32_t begin = problem.first[i], end = problem.first[i + 1];
    if (begin == end) continue;
    Vec3f mean = Vec3f::Zero();
    for (std::uint32_t n = begin; n < end; ++n) mean += problem.rest[problem.neighbour[n]];
    rest_laplacian_[i] = mean / static_cast<float>(end - begin) - problem.rest[i];
  }
  for (std::size_t i = 0; i < problem.rest.size(); ++i) {
    for (std::uint32_t n = problem.first[i]; n < problem.first[i + 1]; ++n) {
      rest_length_.push_back((problem.rest[problem.neighbour[n]] - problem.rest[i]).norm());
    }
  }
  spring_of_.assign(problem.rest.size(), -1);
  for (std::size_t s = 0; s < problem.springs.size(); ++s) spring_of_[problem.springs[s].point] = static_cast<int>(s);
}

// The weights of one block of points, their posed positions, and the rotated rest Laplacians.
void Loss::skin(const WeightModel& model, std::size_t index, std::span<const int> poses) {
  const std::size_t row = poses.size() * 3;
  Block& block = blocks_[index];
  Lanes rest[3], laplacian[3];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t point = std::min(index * lanes + lane, problem_.rest.size() - 1);
    for (int axis = 0; axis < 3; ++axis) {
      block.x[axis][lane] = problem_.unit_box[point][axis];
      rest[axis][lane] = problem_.rest[point][axis];
      laplacian[axis][lane] = rest_laplacian_[point][axis];
    }
  }
  model.weigh(index, block);
  for (std::size_t p = 0; p < poses.size(); ++p) {
    Lanes blended[12] = {}, rotated[3];
    for (int cell : block.active) {
      add_transform(problem_.transforms[static_cast<std::size_t>(poses[p]) * cells_ + cell].data(),
                    block.weight.data() + static_cast<std::size_t>(cell) * lanes, blended);
    }
    rotate_by_polar(blended, laplacian, rotated);
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t first = index * lanes * row + p * 3 + axis;
      for (int lane = 0; lane < lanes; ++lane) {
        posed_[first + lane * row] = blended[axis * 4][lane] * rest[0][lane] +
                                     blended[axis * 4 + 1][lane] * rest[1][lane] +
                                     blended[axis * 4 + 2][lane] * rest[2][lane] + blended[axis * 4 + 3][lane];
        residual_[first + lane * row] = rotated[axis][lane];
      }
    }
  }
}

// The residuals of points begin … end in place of the rotated rest Laplacians.
void Loss::laplacian_residuals(std::size_t begin, std::size_t end, std::size_t poses) {
  const std::size_t row = poses * 3;
  std::vector<float> sum(row);
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t first = problem_.first[i], last = problem_.first[i + 1];
    float* residual = residual_.data() + i * row;
    if (first == last) {
      std::fill_n(residual, row, 0.0f);
      continue;
    }
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (std::uint32_t n = first; n < last; ++n) {
      const float* other = posed_.data() + problem_.neighbour[n] * row;
      for (std::size_t k = 0; k < row; ++k) sum[k] += other[k];
    }
    const float* own = posed_.data() + i * row;
    const float inverse = 1.0f / static_cast<float>(last - first);
    for (std::size_t k = 0; k < row; ++k) residual[k] = sum[k] * inverse - own[k] - residual[k];
  }
}

// Transposed Laplacian of the residuals at one point, all poses: half the derivative of the smoothness by its
// position. Returns the squared residual.
double Loss::transposed_residuals(std::size_t point, std::span<float> result) const {
  const std::size_t row = result.size();
  const float* own = residual_.data() + point * row;
  double square = 0;
  for (std::size_t k = 0; k < row; ++k) {
    square += static_cast<double>(own[k]) * own[k];
    result[k] = -own[k];
  }
  for (std::uint32_t n = problem_.first[point]; n < problem_.first[point + 1]; ++n) {
    const std::uint32_t other = problem_.neighbour[n];
    const float inverse = 1.0f / static_cast<float>(problem_.first[other + 1] - problem_.first[other]);
    const float* residual = residual_.data() + other * row;
    for (std::size_t k = 0; k < row; ++k) result[k] += inverse * residual[k];
  }
  return square;
}

// Squared relative change in length of the point's edges, all poses, half of it (the other end counts the other half);
// `by_position` receives half the derivative of the whole.
double Loss::edge_term(std::size_t point, std::span<float> by_position) const {
  const std::size_t row = by_position.size();
  const float* own = posed_.data() + point * row;
  double square = 0;
  std::fill(by_position.begin(), by_position.end(), 0.0f);
  for (std::uint32_t n = problem_.first[point]; n < problem_.first[point + 1]; ++n) {
    const float* other = posed_.data() + problem_.neighbour[n] * row;
    const float rest_length = rest_length_[n], inverse = 1.0f / (rest_length + edge_stabiliser);
    for (std::size_t k = 0; k < row; k += 3) {
      const float x = own[k] - other[k], y = own[k + 1] - other[k + 1], z = own[k + 2] - other[k + 2];
      const float length = std::sqrt(x * x + y * y + z * z), change = (length - rest_length) * inverse;
      const float factor = length > 1e-6f ? change * inverse / length : 0.0f;
      by_position[k] += factor * x;
      by_position[k + 1] += factor * y;
      by_position[k + 2] += factor * z;
      square += 0.5 * static_cast<double>(change * change);
    }
  }
  return square;
}

// Squared relative length change of the point's spring; `by_position` receives half its derivative.
double Loss::spring_term(const Matrix34f* transforms, std::size_t point, const Vec3f& x, Vec3f& by_position) const {
  by_position.setZero();
  if (spring_of_[point] < 0) return 0.0;
  const Spring& spring = problem_.springs[spring_of_[point]];
  const Vec3f anchor = transforms[spring.cell] * spring.anchor.homogeneous();
  const Vec3f stretched = x - anchor;
  const float rest_length = (problem_.rest[point] - spring.anchor).norm(), length = stretched.norm();
  const float change = (length - rest_length) / (rest_length + spring_stabiliser);
  if (length > 1e-6f) by_position = change / ((rest_length + spring_stabiliser) * length) * stretched;
  return static_cast<double>(change) * change;
}

// The terms that depend on poses, and their derivative by the block's weights.
void Loss::pose_terms(int kept_influences, std::size_t index, const LossWeights& weights, std::span<const int> poses,
                      Scratch& scratch, LossTerms& terms) const {
  const std::size_t row = poses.size() * 3, count = problem_.rest.size();
  const Block& block = blocks_[index];
  const int used = static_cast<int>(std::min<std::size_t>(lanes, count - index * lanes));
  const double share = 2.0 / (static_cast<double>(poses.size()) * static_cast<double>(count));
  const auto smoothness = static_cast<float>(share * weights.smoothness);
  const auto location = static_cast<float>(share * weights.location);
  const auto sparsity = static_cast<float>(share * weights.sparsity);
  const auto stretch = static_cast<float>(share * weights.stretch);
  const auto collision = static_cast<float>(share * weights.collision);
  const bool truncated = sparsity > 0 && kept_influences > 0;
  if (truncated) strongest_only(block, kept_influences, scratch.kept, scratch.kept_sum);

  std::vector<float> by_laplacian(row * lanes, 0.0f), by_edges(row * lanes, 0.0f);
  for (int lane = 0; lane < used; ++lane) {
    terms.smoothness += transposed_residuals(index * lanes + lane, std::span(by_laplacian).subspan(lane * row, row));
    if (stretch > 0) {
      terms.stretch += edge_term(index * lanes + lane, std::span(by_edges).subspan(lane * row, row));
    }
  }
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const Matrix34f* transforms = problem_.transforms.data() + static_cast<std::size_t>(poses[p]) * cells_;
    Lanes kept_transform[12] = {}, by_transform[12] = {}, by_kept_transform[12] = {};
    for (int cell : block.active) {
      if (!truncated) break;
      add_transform(transforms[cell].data(), scratch.kept.data() + static_cast<std::size_t>(cell) * lanes,
                    kept_transform);
    }
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t point = index * lanes + lane;
      const Vec3f x = Eigen::Map<const Vec3f>(posed_.data() + point * row + p * 3);
      Vec3f by_spring;
      terms.location += spring_term(transforms, point, x, by_spring);
      Vec3f by_position = smoothness * Eigen::Map<const Vec3f>(by_laplacian.data() + lane * row + p * 3);
      by_position += stretch * Eigen::Map<const Vec3f>(by_edges.data() + lane * row + p * 3);
      by_position += location * by_spring;
      if (problem_.body != nullptr) {
        Vec3f by_body;
        terms.collision += problem_.body->penalty(poses[p], point, x, by_body);
        by_position += collision * by_body;
      }
      if (truncated) {
        const Vec3f truncation = x - apply(kept_transform, problem_.rest[point], lane);
        terms.sparsity += truncation.squaredNorm();
        by_position += sparsity * truncation;
        set_outer_product(-sparsity * truncation, problem_.rest[point], lane, by_kept_transform);
      }
      set_outer_product(by_position, problem_.rest[point], lane, by_transform);
    }
    for (int cell : block.active) {
      const std::size_t first = static_cast<std::size_t>(cell) * lanes;
      add_dot(transforms[cell].data(), by_transform, scratch.by_weight.data() + first);
      if (truncated) add_dot(transforms[cell].data(), by_kept_transform, scratch.by_kept.data() + first);
    }
  }
  if (truncated) {
    add_renormalised(block, used, scratch.kept, scratch.kept_sum, scratch.by_kept, scratch.by_weight);
  }
}

LossTerms Loss::differentiate(const WeightModel& model, std::size_t index, const LossWeights& weights,
                              std::span<const int> poses, Scratch& scratch, std::span<float> gradient) {
  const std::size_t count = problem_.rest.size();
  const int used = static_cast<int>(std::min<std::size_t>(lanes, count - index * lanes));
  std::fill(scratch.by_weight.begin(), scratch.by_weight.end(), 0.0f);
  std::fill(scratch.by_kept.begin(), scratch.by_kept.end(), 0.0f);
  LossTerms terms;
  pose_terms(model.kept_influences(), index, weights, poses, scratch, terms);
  if (!gradient.empty()) model.backpropagate(index, blocks_[index], scratch.by_weight, used, gradient);
  return terms;
}

LossTerms Loss::evaluate(const SkinCellField& field, const LossWeights& weights, std::span<const int> poses,
                         std::span<double> gradient) {
  return evaluate(FieldModel(field), weights, poses, gradient);
}

LossTerms Loss::evaluate(const WeightModel& model, const LossWeights& weights, std::span<const int> poses,
                         std::span<double> gradient) {
  const std::size_t count = problem_.rest.size();
  parallel_for(blocks_.size(), blocks_per_chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) skin(model, block, poses);
  });
  parallel_for(count, blocks_per_chunk * lanes,
               [&](std::size_t begin, std::size_t end) { laplacian_residuals(begin, end, poses.size()); });
  const std::size_t chunks = (blocks_.size() + blocks_per_chunk - 1) / blocks_per_chunk;
  std::vector<LossTerms> terms(chunks);
  gradients_.resize(chunks);
  parallel_for(blocks_.size(), blocks_per_chunk, [&](std::size_t begin, std::size_t end) {
    const std::size_t chunk = begin / blocks_per_chunk, size = static_cast<std::size_t>(cells_) * lanes;
    Scratch scratch{std::vector<float>(size), std::vector<float>(size), std::vector<float>(size), {}};
    gradients_[chunk].assign(gradient.size(), 0.0f);
    for (std::size_t block = begin; block < end; ++block) {
      terms[chunk] += differentiate(model, block, weights, poses, scratch, gradients_[chunk]);
    }
  });
  LossTerms sum;
  for (const LossTerms& part : terms) sum += part;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const std::vector<float>& part : gradients_) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part[i];
  }
  const double share = 1.0 / (static_cast<double>(poses.size()) * static_cast<double>(count));
  for (double* term : {&sum.smoothness, &sum.location, &sum.sparsity, &sum.stretch, &sum.collision}) *term *= share;
  sum.total = weights.smoothness * sum.smoothness + weights.location * sum.location + weights.sparsity * sum.sparsity +
              weights.stretch * sum.stretch + weights.collision * sum.collision;
  return sum;
}

LossTerms& LossTerms::operator+=(const LossTerms& other) {
  smoothness += other.smoothness;
  location += other.location;
  sparsity += other.sparsity;
  stretch += other.stretch;
  collision += other.collision;
  total += other.total;
  return *this;
}

}  // namespace sinew::skincells
