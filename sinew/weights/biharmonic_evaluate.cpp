#include "sinew/weights/biharmonic_evaluate.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr int nodes_wanted = 14;
constexpr double tube_radius = 0.5;  // of the tube around a handle, in spacings

// Moving least squares of first order at `place`.
void linear_fit(const std::vector<Vec3f>& points, const std::vector<std::uint32_t>& nodes, const Vec3f& place,
                std::vector<std::pair<std::uint32_t, double>>& row) {
  const auto count = static_cast<Eigen::Index>(nodes.size());
  double farthest = 0.0;
  for (std::uint32_t node : nodes) farthest = std::max(farthest, (points[node] - place).cast<double>().norm());
  const double radius = 1.1 * farthest + 1e-30;
  Eigen::Matrix<double, Eigen::Dynamic, 4> basis(count, 4);
  Eigen::VectorXd kernel(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Vec3d d = (points[nodes[j]] - place).cast<double>() / radius;
    basis.row(j) << 1.0, d.transpose();
    kernel[j] = std::pow(1.0 - d.squaredNorm(), 2) / (d.squaredNorm() + 0.02);
  }
  kernel /= kernel.sum();
  Eigen::Matrix4d normal = basis.transpose() * kernel.asDiagonal() * basis;
  normal.diagonal().tail<3>().array() += 1e-3;  // few or flat nodes: lean towards a plain average
  const Eigen::VectorXd weights = kernel.asDiagonal() * (basis * normal.ldlt().solve(Eigen::Vector4d::Unit(0)));
  const double sum = weights.sum();
  for (Eigen::Index j = 0; j < count; ++j) row.emplace_back(nodes[j], weights[j] / sum);
  std::sort(row.begin(), row.end());
}

BiharmonicEvaluation pack(std::size_t column_count,
                          const std::vector<std::vector<std::pair<std::uint32_t, double>>>& rows,
                          std::vector<Vec3f> eyes) {
  BiharmonicEvaluation evaluation;
  evaluation.eyes = std::move(eyes);
  evaluation.weights.column_count = column_count;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      evaluation.weights.columns.push_back(column);
      evaluation.weights.values.push_back(value);
    }
    evaluation.weights.offsets.push_back(evaluation.weights.columns.size());
    evaluation.sees_points.push_back(!row.empty());
  }
  return evaluation;
}

}  // namespace

BiharmonicEvaluation evaluate_inside(const SolidDomain& domain, const BiharmonicPoints& points,
                                     const VisibleNeighbours& visible, const std::vector<Vec3f>& places) {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(places.size());
  parallel_for(places.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = begin; i < end; ++i) {
      if (!places[i].allFinite() || !domain.contains(places[i])) continue;
      visible.find(places[i], nodes_wanted, -1, nodes);
      if (!nodes.empty()) linear_fit(points.positions, nodes, places[i], rows[i]);
    }
  });
  return pack(points.count(), rows, places);
}

BiharmonicEvaluation evaluate_vertices(const SolidDomain& domain, const BiharmonicPoints& points,
                                       const VisibleNeighbours& visible, const SpacingField& spacing,
                                       const std::vector<Vec3f>& positions, const std::vector<Vec3f>& normals) {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(positions.size());
  std::vector<Vec3f> eyes = positions;
  parallel_for(positions.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3f p = positions[i];
      if (!p.allFinite()) continue;
      const auto h = static_cast<float>(spacing.at(p));
      // Deep enough to be clear of rounding, shallow enough for thin places; a flipped triangle's inside is in front.
      for (const float depth : {0.05f, 0.005f, -0.05f, -0.005f}) {
        const Vec3f from = domain.dimension() == 2 ? p : Vec3f(p - depth * h * normals[i]);
        if (!domain.contains(from)) continue;
        visible.find(from, nodes_wanted, -1, nodes);
        if (nodes.size() < 4) continue;
        linear_fit(points.positions, nodes, p, rows[i]);
        eyes[i] = from;
        break;
      }
    }
  });
  return pack(points.count(), rows, std::move(eyes));
}

namespace {

// 1 at distance 0, 0 from `radius` on, all derivatives zero at both ends (eq. 16).
double bump(double distance, double radius) {
  const double t = distance * distance / (radius * radius);
  if (t <= 0.0) return 1.0;
  if (t >= 1.0) return 0.0;
  const double down = std::exp(-1.0 / t), up = std::exp(-1.0 / (1.0 - t));
  return 1.0 - down / (down + up);
}

Vec3f closest_on_segment(const Vec3f& a, const Vec3f& b, const Vec3f& p) {
  const Vec3f ab = b - a;
  const float squared = ab.squaredNorm();
  const float t = squared > 0.0f ? std::clamp((p - a).dot(ab) / squared, 0.0f, 1.0f) : 0.0f;
  return a + t * ab;
}

}  // namespace

void fade_to_handles(const SolidDomain& domain, const SpacingField& spacing,
                     const std::vector<BiharmonicHandle>& handles, const std::vector<Vec3f>& places,
                     const std::vector<Vec3f>& eyes, Columns& weights) {
  parallel_for(places.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<double> bumps(handles.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (!places[i].allFinite()) continue;
      const double radius = tube_radius * spacing.at(places[i]);
      double largest = 0.0, sum = 0.0;
      for (std::size_t h = 0; h < handles.size(); ++h) {
        bumps[h] = 0.0;
        for (const auto& [a, b] : handles[h].segments) {
          const Vec3f nearest = closest_on_segment(a, b, places[i]);
          const double value = bump((nearest - places[i]).cast<double>().norm(), radius);
          if (value > bumps[h] && domain.sees(eyes[i], nearest)) bumps[h] = value;
        }
        largest = std::max(largest, bumps[h]);
        sum += bumps[h];
      }
      if (largest == 0.0) continue;
      for (std::size_t h = 0; h < handles.size(); ++h) {
        double& weight = weights(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(h));
        weight = largest * bumps[h] / sum + (1.0 - largest) * weight;
      }
    }
  });
}

std::size_t fill_unseen(const TriangleMesh& mesh, const BiharmonicPoints& points, const Columns& point_weights,
                        const std::vector<char>& sees_points, Columns& vertex_weights) {
  std::vector<char> done = sees_points;
  const auto filled = static_cast<std::size_t>(std::count(done.begin(), done.end(), 0));
  if (filled == 0) return 0;
  for (bool progress = true; progress;) {
    progress = false;
    Columns sums = Columns::Zero(vertex_weights.rows(), vertex_weights.cols());
    std::vector<int> counts(done.size(), 0);
    for (const Triangle& t : mesh.triangles) {
      for (int i = 0; i < 3; ++i) {
        if (done[t[i]]) continue;
        for (int j = 0; j < 3; ++j) {
          if (!done[t[j]]) continue;
          sums.row(t[i]) += vertex_weights.row(t[j]);
          ++counts[t[i]];
        }
      }
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (counts[i] == 0) continue;
      vertex_weights.row(i) = sums.row(i) / counts[i];
      done[i] = 1;
      progress = true;
    }
  }
  const NearestPoints tree(points.positions);
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done[i]) continue;
    NearPoint near;
    const Vec3f p = mesh.positions[i].allFinite() ? mesh.positions[i] : points.positions[0];
    if (tree.nearest(p, near)) vertex_weights.row(i) = point_weights.row(near.index);
  }
  return filled;
}

}  // namespace sinew
