#include "sinew/flesh/block_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/base/cancellation.h"

namespace sinew {
namespace {

int slot_index(int a, int b) { return a * (a + 1) / 2 + b; }

}  // namespace

BlockSystem::BlockSystem(std::size_t node_count, const std::vector<std::array<std::uint32_t, 8>>& cells)
    : cells_(cells) {
  std::vector<std::vector<std::uint32_t>> rows(node_count);
  for (const auto& cell : cells) {
    for (std::uint32_t a : cell) {
      for (std::uint32_t b : cell) {
        if (b < a) rows[a].push_back(b);
      }
    }
  }
  row_begin_.push_back(0);
  for (std::vector<std::uint32_t>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns_.insert(columns_.end(), row.begin(), row.end());
    row_begin_.push_back(static_cast<std::uint32_t>(columns_.size()));
  }
  upper_begin_.assign(node_count + 1, 0);
  for (std::uint32_t column : columns_) ++upper_begin_[column + 1];
  for (std::size_t i = 0; i < node_count; ++i) upper_begin_[i + 1] += upper_begin_[i];
  upper_columns_.resize(columns_.size());
  mirror_.resize(columns_.size());
  std::vector<std::uint32_t> next(upper_begin_.begin(), upper_begin_.end() - 1);
  for (std::uint32_t row = 0; row < node_count; ++row) {
    for (std::uint32_t k = row_begin_[row]; k < row_begin_[row + 1]; ++k) {
      mirror_[k] = next[columns_[k]]++;
      upper_columns_[mirror_[k]] = row;
    }
  }
  slots_.resize(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b <= a; ++b) {
        const std::uint32_t row = std::max(cells[c][a], cells[c][b]), column = std::min(cells[c][a], cells[c][b]);
        std::uint32_t slot = static_cast<std::uint32_t>(columns_.size()) + row;
        if (row != column) {
          const auto first = columns_.begin() + row_begin_[row], last = columns_.begin() + row_begin_[row + 1];
          slot = static_cast<std::uint32_t>(std::lower_bound(first, last, column) - columns_.begin());
        }
        slots_[c][slot_index(a, b)] = slot;
      }
    }
  }
  lower_.resize(columns_.size());
  upper_.resize(columns_.size(), Block::Zero());
  diagonal_.resize(node_count);
  pivot_.resize(node_count);
  pivot_inverse_.resize(node_count);
  middle_.resize(node_count);
}

void BlockSystem::set_zero() {
  std::fill(lower_.begin(), lower_.end(), Block::Zero());
  std::fill(diagonal_.begin(), diagonal_.end(), Eigen::Matrix3f::Zero());
}

std::size_t BlockSystem::coupling(std::size_t cell, int a, int b) const {
  return slots_[cell][slot_index(std::max(a, b), std::min(a, b))];
}

void BlockSystem::add(std::size_t cell, int a, int b, const Eigen::Matrix3f& block) {
  const std::size_t slot = coupling(cell, a, b);
  if (slot >= lower_.size()) {
    diagonal_[slot - lower_.size()] += block;
  } else if (cells_[cell][a] > cells_[cell][b]) {
    lower_[slot].topRows<3>() += block;
  } else {
    lower_[slot].topRows<3>() += block.transpose();
  }
}

void BlockSystem::add_scalars(const std::vector<float>& scalars) {
  for (std::size_t k = 0; k < lower_.size(); ++k) lower_[k].topRows<3>().diagonal().array() += scalars[k];
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i].diagonal().array() += scalars[lower_.size() + i];
}

void BlockSystem::add_to_diagonal(float value) {
  for (Eigen::Matrix3f& block : diagonal_) block.diagonal().array() += value;
}

void BlockSystem::factorise(const std::vector<RankOneTerm>& extra) {
  extra_ = &extra;
  for (std::size_t k = 0; k < lower_.size(); ++k) {
    upper_[mirror_[k]].topRows<3>() = lower_[k].topRows<3>().transpose();
  }
  std::vector<Eigen::Matrix3f> full = diagonal_;
  for (const RankOneTerm& term : extra) {
    const Eigen::Matrix3f outer = (term.stiffness * term.direction * term.direction.transpose()).cast<float>();
    for (std::size_t k = 0; k < term.nodes.size(); ++k) {
      full[term.nodes[k]] += static_cast<float>(term.weights[k] * term.weights[k]) * outer;
    }
  }
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const Eigen::Matrix3f& pivot = full[i];
    pivot_[i].setZero();
    pivot_inverse_[i].setZero();
    middle_[i].setZero();
    pivot_[i].topRows<3>() = pivot;
    pivot_inverse_[i].topRows<3>() = pivot.inverse();
    middle_[i].topRows<3>() = diagonal_[i] - 2 * pivot;
  }
}

void BlockSystem::forward(std::vector<Lane>& x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    Lane sum = x[i];
    for (std::uint32_t k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
      const Block& block = lower_[k];
      const Lane& other = x[columns_[k]];
      sum -= block.col(0) * other[0] + block.col(1) * other[1] + block.col(2) * other[2];
    }
    const Block& inverse = pivot_inverse_[i];
    x[i] = inverse.col(0) * sum[0] + inverse.col(1) * sum[1] + inverse.col(2) * sum[2];
  }
}

void BlockSystem::backward(std::vector<Lane>& x) const {
  for (std::size_t i = x.size(); i-- > 0;) {
    Lane sum = x[i];
    for (std::uint32_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      const Block& block = upper_[k];
      const Lane& other = x[upper_columns_[k]];
      sum -= block.col(0) * other[0] + block.col(1) * other[1] + block.col(2) * other[2];
    }
    const Block& inverse = pivot_inverse_[i];
    x[i] = inverse.col(0) * sum[0] + inverse.col(1) * sum[1] + inverse.col(2) * sum[2];
  }
}

void BlockSystem::add_extra(const std::vector<Lane>& x, std::vector<Lane>& result) const {
  for (const RankOneTerm& term : *extra_) {
    const Eigen::Vector3f direction = term.direction.cast<float>();
    float along = 0;
    for (std::size_t k = 0; k < term.nodes.size(); ++k) {
      along += static_cast<float>(term.weights[k]) * direction.dot(x[term.nodes[k]].head<3>());
    }
    const Eigen::Vector3f force = static_cast<float>(term.stiffness) * along * direction;
    for (std::size_t k = 0; k < term.nodes.size(); ++k) {
      result[term.nodes[k]].head<3>() += static_cast<float>(term.weights[k]) * force;
    }
  }
}

int BlockSystem::solve(const std::vector<Vec3d>& right, double tolerance, int most_iterations,
                       std::vector<Vec3d>& x) const {
  const std::size_t count = right.size();
  // Everything happens in the variables y = (P + L)ᵀ x, in which M is P⁻¹.
  std::vector<Lane> residual(count), y(count, Lane::Zero()), direction(count), applied(count), back(count);
  for (std::size_t i = 0; i < count; ++i) residual[i] << right[i].cast<float>(), 0.0f;
  forward(residual);
  const auto weigh = [&](std::size_t i, const Lane& v) -> Lane {
    return pivot_[i].col(0) * v[0] + pivot_[i].col(1) * v[1] + pivot_[i].col(2) * v[2];
  };
  double energy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    direction[i] = weigh(i, residual[i]);
    energy += residual[i].dot(direction[i]);
  }
  const double goal = tolerance * tolerance * energy;
  int iteration = 0;
  while (iteration < most_iterations && energy > goal && energy > 0) {
    stop_if_cancelled();
    ++iteration;
    back = direction;
    backward(back);
    for (std::size_t i = 0; i < count; ++i) {
      const Block& middle = middle_[i];
      applied[i] = direction[i] + middle.col(0) * back[i][0] + middle.col(1) * back[i][1] + middle.col(2) * back[i][2];
    }
    add_extra(back, applied);
    forward(applied);
    double curvature = 0;
    for (std::size_t i = 0; i < count; ++i) {
      applied[i] += back[i];
      curvature += direction[i].dot(applied[i]);
    }
    if (!(curvature > 0)) break;
    const auto step = static_cast<float>(energy / curvature);
    double next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      y[i] += step * direction[i];
      residual[i] -= step * applied[i];
      applied[i] = weigh(i, residual[i]);
      next += residual[i].dot(applied[i]);
    }
    const auto keep = static_cast<float>(next / energy);
    for (std::size_t i = 0; i < count; ++i) direction[i] = applied[i] + keep * direction[i];
    energy = next;
  }
  backward(y);
  x.resize(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = y[i].head<3>().cast<double>();
  return iteration;
}

std::vector<Vec3d> BlockSystem::multiply(const std::vector<Vec3d>& x) const {
  std::vector<Vec3d> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = diagonal_[i].cast<double>() * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::uint32_t k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
      const Mat3d block = lower_[k].topRows<3>().cast<double>();
      result[i] += block * x[columns_[k]];
      result[columns_[k]] += block.transpose() * x[i];
    }
  }
  for (const RankOneTerm& term : *extra_) {
    double along = 0;
    for (std::size_t k = 0; k < term.nodes.size(); ++k) along += term.weights[k] * term.direction.dot(x[term.nodes[k]]);
    for (std::size_t k = 0; k < term.nodes.size(); ++k) {
      result[term.nodes[k]] += term.stiffness * along * term.weights[k] * term.direction;
    }
  }
  return result;
}

}  // namespace sinew
