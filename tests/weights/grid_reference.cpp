#include "tests/weights/grid_reference.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "sinew/base/random.h"

namespace sinew::test {
namespace {

// Nearest point of the simplex by bisection of the shift: slow and obvious.
void onto_simplex(Eigen::Ref<Eigen::RowVectorXd> row) {
  double low = row.minCoeff() - 1.0, high = row.maxCoeff();
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    ((row.array() - middle).max(0.0).sum() > 1.0 ? low : high) = middle;
  }
  row = (row.array() - low).max(0.0);
}

}  // namespace

GridReference::GridReference(const Vec3d& size, int cells, const std::vector<BiharmonicHandle>& handles) {
  const double h = 1.0 / cells;
  const Eigen::Vector3i n = (size * cells).array().round().cast<int>() + 1;
  nodes_ = n;
  spacing_ = h;
  const auto index = [&](int x, int y, int z) { return (x * n.y() + y) * n.z() + z; };
  const int count = n.prod(), width = static_cast<int>(handles.size());
  const auto half = [&](int i, int axis) { return n[axis] > 1 && (i == 0 || i == n[axis] - 1) ? 0.5 : 1.0; };

  // Second differences with mirrored neighbours at the boundary, and the volume around each node.
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd volume(count);
  for (int x = 0; x < n.x(); ++x) {
    for (int y = 0; y < n.y(); ++y) {
      for (int z = 0; z < n.z(); ++z) {
        const int i = index(x, y, z);
        volume[i] = half(x, 0) * half(y, 1) * half(z, 2);
        for (int axis = 0; axis < 3; ++axis) {
          if (n[axis] == 1) continue;
          for (const int step : {-1, 1}) {
            Eigen::Vector3i c(x, y, z);
            c[axis] += step;
            if (c[axis] < 0 || c[axis] >= n[axis]) c[axis] -= 2 * step;
            entries.emplace_back(i, index(c.x(), c.y(), c.z()), 1.0 / (h * h));
          }
          entries.emplace_back(i, i, -2.0 / (h * h));
        }
        const Vec3d p = h * Vec3d(x, y, z), middle = 0.5 * size;
        places_.push_back((middle + 0.995 * (p - middle)).cast<float>());
      }
    }
  }
  Eigen::SparseMatrix<double> laplacian(count, count);
  laplacian.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> energy = laplacian.transpose() * (volume.asDiagonal() * laplacian);

  Eigen::MatrixXd z = Eigen::MatrixXd::Constant(count, width, 1.0 / width);
  std::vector<bool> given(count, false);
  for (int k = 0; k < width; ++k) {
    for (const Bone& bone : handles[k].bones) {
      const int steps = std::max(1, static_cast<int>(std::lround(bone.length() / h)));
      for (int s = 0; s <= steps; ++s) {
        const Vec3d p = (bone.head + (bone.tail - bone.head) * (static_cast<double>(s) / steps)) / h;
        const int i = index(static_cast<int>(std::lround(p.x())), static_cast<int>(std::lround(p.y())),
                            static_cast<int>(std::lround(p.z())));
        given[i] = true;
        z.row(i).setZero();
        z(i, k) = 1.0;
      }
    }
  }
  // Alternating directions with a direct solver and a soft hold on given nodes.
  const double pull = 2000.0;
  Eigen::VectorXd weight = pull * volume;
  for (int i = 0; i < count; ++i) {
    if (given[i]) weight[i] = 1e9;
  }
  Eigen::SparseMatrix<double> system = energy;
  for (int i = 0; i < count; ++i) system.coeffRef(i, i) += weight[i];
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(system);
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(count, width);
  for (int iteration = 0; iteration < 150; ++iteration) {
    const Eigen::MatrixXd x = solver.solve(weight.asDiagonal() * (z - u));
    for (int i = 0; i < count; ++i) {
      if (given[i]) continue;
      Eigen::RowVectorXd row = x.row(i) + u.row(i);
      onto_simplex(row);
      u.row(i) += x.row(i) - row;
      z.row(i) = row;
    }
  }
  weights_ = z;
}

Eigen::MatrixXd GridReference::weights_at(const std::vector<Vec3f>& places) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(places.size()), weights_.cols());
  for (std::size_t p = 0; p < places.size(); ++p) {
    Eigen::Vector3i low;
    Vec3d share;
    for (int axis = 0; axis < 3; ++axis) {
      const double place = std::clamp(places[p][axis] / spacing_, 0.0, static_cast<double>(nodes_[axis] - 1));
      low[axis] = std::min(static_cast<int>(place), std::max(nodes_[axis] - 2, 0));
      share[axis] = place - low[axis];
    }
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3i step(corner & 1, corner >> 1 & 1, corner >> 2);
      double part = 1.0;
      for (int axis = 0; axis < 3; ++axis) part *= step[axis] ? share[axis] : 1.0 - share[axis];
      if (part == 0.0) continue;
      const Eigen::Vector3i at = low + step;
      result.row(p) += part * weights_.row((at.x() * nodes_.y() + at.y()) * nodes_.z() + at.z());
    }
  }
  return result;
}

double second_difference_energy(const Vec3d& size, double step, int samples,
                                const std::function<Eigen::MatrixXd(const std::vector<Vec3f>&)>& weights_at) {
  Random random(5);
  std::vector<Vec3f> places, before, after;
  const Vec3d margin = Vec3d::Constant(step).cwiseMin(0.5 * size);  // both sides stay in the box
  for (int i = 0; i < samples; ++i) {
    const Vec3d unit(random.uniform(), random.uniform(), random.uniform());
    Vec3d direction(random.normal(), random.normal(), size.z() > 0.0 ? random.normal() : 0.0);
    direction *= step / direction.norm();
    const Vec3d place = margin + unit.cwiseProduct(size - 2.0 * margin);
    places.push_back(place.cast<float>());
    before.push_back((place - direction).cast<float>());
    after.push_back((place + direction).cast<float>());
  }
  const Eigen::MatrixXd second = (weights_at(before) - 2.0 * weights_at(places) + weights_at(after)) / (step * step);
  const Vec3d inner = size - 2.0 * margin;
  return inner.x() * inner.y() * (size.z() > 0.0 ? inner.z() : 1.0) * second.squaredNorm() / samples;
}

}  // namespace sinew::test
