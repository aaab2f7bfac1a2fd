#include "sinew/weights/biharmonic/biharmonic_energy.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/weights/biharmonic/biharmonic_frame.h"

namespace sinew {
namespace {

constexpr int basis_size = 9;      // 3 of the gradient, 6 of the Hessian
constexpr double stiffness = 100;  // large enough that the polynomial, not the misfit, carries the curvature
// Share of |H|² in the Laplacian energy: keeps neighbourhoods with few points in check.
constexpr double hessian_share = 0.05;
// Weight of |gradient|² times the squared diagonal: decides between solutions that differ by a linear function that
// vanishes on all handles (a straight chain of bones has such functions) and is too weak to be seen otherwise.
constexpr double gradient_share = 0.1;
constexpr double mirror_reach = 2.0;  // points nearer to the surface than this many spacings see themselves mirrored

using Basis = Eigen::Matrix<double, Eigen::Dynamic, basis_size>;
using Normal = Eigen::Matrix<double, basis_size, basis_size>;

Eigen::Matrix<double, 1, basis_size> basis_row(const Vec3d& d) {
  Eigen::Matrix<double, 1, basis_size> row;
  row << d.x(), d.y(), d.z(), 0.5 * d.x() * d.x(), 0.5 * d.y() * d.y(), 0.5 * d.z() * d.z(), d.x() * d.y(),
      d.x() * d.z(), d.y() * d.z();
  return row;
}

Normal curvature_form(BiharmonicBoundary boundary, double gradient_weight) {
  Normal form = Normal::Zero();
  form.diagonal() << 0, 0, 0, 1, 1, 1, 2, 2, 2;
  if (boundary == BiharmonicBoundary::neumann) {
    form *= hessian_share;
    form.block<3, 3>(3, 3).array() += 1.0 - hessian_share;
  }
  form.diagonal().head<3>().array() += gradient_weight;
  return form;
}

// Where the mirrored twin of a neighbour stands, for a point near the surface.
struct Mirror {
  bool present = false;
  Vec3d normal = Vec3d::Zero();  // away from the surface
  double distance = 0;           // of the point from the surface, in spacings
};

Mirror find_mirror(const SolidDomain& domain, const Vec3f& p, double spacing) {
  Mirror mirror;
  ClosestPoint closest;
  if (!domain.closest_wall(p + off_symmetry, closest, static_cast<float>(mirror_reach * spacing))) return mirror;
  const Vec3d away = (p - closest.position).cast<double>();
  if (away.norm() < 1e-6 * spacing) return mirror;
  mirror.present = true;
  mirror.normal = away.normalized();
  mirror.distance = away.norm() / spacing;
  return mirror;
}

// The form of one point over (the point itself, its neighbours).
Eigen::MatrixXd local_form(const BiharmonicShape& shape, const BiharmonicPoints& points, std::size_t i,
                           BiharmonicBoundary boundary) {
  const SolidDomain& domain = shape.domains[points.domain[i]];
  const auto neighbours = points.neighbours.row(i);
  const auto count = static_cast<Eigen::Index>(neighbours.size());
  const double h = points.spacing[i];
  const Vec3d centre = points.positions[i].cast<double>();
  const Mirror mirror =
      boundary == BiharmonicBoundary::neumann ? find_mirror(domain, points.positions[i], h) : Mirror{};

  double farthest = 0.0;
  std::vector<Vec3d> offsets;       // of real and mirrored neighbours, in spacings
  std::vector<Eigen::Index> owner;  // whose value they carry: 0 is the point itself
  for (Eigen::Index j = 0; j < count; ++j) {
    offsets.push_back((points.positions[neighbours[j]].cast<double>() - centre) / h);
    owner.push_back(j + 1);
    farthest = std::max(farthest, offsets.back().norm());
  }
  const double radius = 1.15 * farthest;
  if (mirror.present) {
    for (Eigen::Index j = -1; j < count; ++j) {
      const Vec3d d = j < 0 ? Vec3d::Zero() : offsets[j];
      const Vec3d twin = d - 2.0 * (d.dot(mirror.normal) + mirror.distance) * mirror.normal;
      if (twin.norm() >= radius || d.dot(mirror.normal) + mirror.distance <= 0.0) continue;
      offsets.push_back(twin);
      owner.push_back(j + 1);
    }
  }
  const auto rows = static_cast<Eigen::Index>(offsets.size());
  Basis basis(rows, basis_size);
  Eigen::VectorXd weights(rows);
  Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(rows, count + 1);  // u_j - u_i
  for (Eigen::Index j = 0; j < rows; ++j) {
    basis.row(j) = basis_row(offsets[j]);
    weights[j] = std::pow(1.0 - std::min(1.0, offsets[j].squaredNorm() / (radius * radius)), 2);
    difference(j, owner[j]) += 1.0;
    difference(j, 0) -= 1.0;
  }
  weights *= stiffness / std::max(weights.sum(), 1e-12);

  const double gradient_weight = gradient_share * std::pow(h / shape.diagonal, 2);
  Normal normal = curvature_form(boundary, gradient_weight);
  const Basis weighted = weights.asDiagonal() * basis;
  normal += basis.transpose() * weighted;
  normal.diagonal().array() += 1e-10 * stiffness;  // directions without any point: a flat neighbourhood
  const Eigen::MatrixXd projected = weighted.transpose() * difference;
  Eigen::MatrixXd form = difference.transpose() * weights.asDiagonal() * difference;
  form -= projected.transpose() * normal.ldlt().solve(projected);
  form *= points.volume[i] * points.insideness[i] / std::pow(h, 4);
  return 0.5 * (form + form.transpose());
}

}  // namespace

SparseRows biharmonic_energy(const BiharmonicShape& shape, const BiharmonicPoints& points,
                             BiharmonicBoundary boundary) {
  const std::size_t count = points.count();
  std::vector<Eigen::MatrixXd> forms(count);
  parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!points.neighbours.row(i).empty()) forms[i] = local_form(shape, points, i, boundary);
    }
  });

  // Every row gathers from the forms it is part of, in the order of their points.
  struct Share {
    std::uint32_t form, slot;
  };
  std::vector<std::vector<Share>> shares(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (forms[i].size() == 0) continue;
    shares[i].push_back({i, 0});
    const auto neighbours = points.neighbours.row(i);
    for (std::uint32_t j = 0; j < neighbours.size(); ++j) shares[neighbours[j]].push_back({i, j + 1});
  }
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(count);
  parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(count, 0.0);
    std::vector<bool> used(count, false);
    std::vector<std::uint32_t> columns;
    for (std::size_t row = begin; row < end; ++row) {
      columns.clear();
      const auto add = [&](std::uint32_t column, double value) {
        if (!used[column]) {
          used[column] = true;
          columns.push_back(column);
        }
        sums[column] += value;
      };
      add(static_cast<std::uint32_t>(row), 0.0);
      for (const Share& share : shares[row]) {
        const Eigen::MatrixXd& form = forms[share.form];
        const auto neighbours = points.neighbours.row(share.form);
        add(share.form, form(0, share.slot));
        for (std::size_t j = 0; j < neighbours.size(); ++j) {
          add(neighbours[j], form(static_cast<Eigen::Index>(j) + 1, share.slot));
        }
      }
      std::sort(columns.begin(), columns.end());
      for (std::uint32_t column : columns) {
        rows[row].emplace_back(column, sums[column]);
        sums[column] = 0.0;
        used[column] = false;
      }
    }
  });
  SparseRows energy;
  energy.column_count = count;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      energy.columns.push_back(column);
      energy.values.push_back(value);
    }
    energy.offsets.push_back(energy.columns.size());
  }
  return energy;
}

}  // namespace sinew
