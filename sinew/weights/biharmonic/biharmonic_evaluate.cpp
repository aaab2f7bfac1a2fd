#include "sinew/weights/biharmonic/biharmonic_evaluate.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr int nodes_wanted = 48;
constexpr double tube_radius = 0.5;  // of the tube around a handle, in spacings

// Moving least squares of second order at `place`, under a wide and smooth kernel: vertices often lie closer together
// than points, and a kernel that clings to the nearest point would show every one of them in the second derivatives.
void quadratic_fit(const std::vector<Vec3f>& points, const std::vector<std::uint32_t>& nodes, const Vec3f& place,
                   std::vector<std::pair<std::uint32_t, double>>& row) {
  constexpr int terms = 10;
  const auto count = static_cast<Eigen::Index>(nodes.size());
  double farthest = 0.0;
  for (std::uint32_t node : nodes) farthest = std::max(farthest, (points[node] - place).cast<double>().norm());
  // Of many nodes the farthest counts nothing: as the place moves, another takes its part without a jump.
  const double radius = (nodes.size() < nodes_wanted ? 1.1 : 1.0) * farthest + 1e-30;
  Eigen::Matrix<double, Eigen::Dynamic, terms> basis(count, terms);
  Eigen::VectorXd kernel(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Vec3d d = (points[nodes[j]] - place).cast<double>() / radius;
    basis.row(j) << 1.0, d.transpose(), d.cwiseAbs2().transpose(), d.x() * d.y(), d.y() * d.z(), d.z() * d.x();
    kernel[j] = std::pow(1.0 - d.squaredNorm(), 2) / (d.squaredNorm() + 0.3);
  }
  kernel /= kernel.sum();
  Eigen::Matrix<double, terms, terms> normal = basis.transpose() * kernel.asDiagonal() * basis;
  // Few or flat nodes: lean towards a plane, and that towards a plain average.
  normal.diagonal().segment<3>(1).array() += 1e-3;
  normal.diagonal().tail<6>().array() += 3e-2;
  const Eigen::Vector<double, terms> value = Eigen::Vector<double, terms>::Unit(0);
  const Eigen::VectorXd weights = kernel.asDiagonal() * (basis * normal.ldlt().solve(value));
  const double sum = weights.sum();
  for (Eigen::Index j = 0; j < count; ++j) row.emplace_back(nodes[j], weights[j] / sum);
  std::sort(row.begin(), row.end());
}

using Rows = std::vector<std::vector<std::pair<std::uint32_t, double>>>;

void pack(std::size_t column_count, const Rows& rows, BiharmonicEvaluation& evaluation) {
  evaluation.weights.column_count = column_count;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      evaluation.weights.columns.push_back(column);
      evaluation.weights.values.push_back(value);
    }
    evaluation.weights.offsets.push_back(evaluation.weights.columns.size());
  }
}

}  // namespace

BiharmonicEvaluation evaluate_inside(const BiharmonicShape& shape, const BiharmonicPoints& points,
                                     const std::vector<VisibleNeighbours>& visible, const std::vector<Vec3f>& places) {
  BiharmonicEvaluation evaluation;
  evaluation.eyes = places;
  evaluation.domain.assign(places.size(), -1);
  Rows rows(places.size());
  parallel_for(places.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = begin; i < end; ++i) {
      if (!places[i].allFinite()) continue;
      for (std::size_t d = 0; d < shape.domains.size() && rows[i].empty(); ++d) {
        if (!shape.domains[d].contains(places[i])) continue;
        visible[d].find(places[i], nodes_wanted, -1, nodes);
        if (nodes.empty()) continue;
        quadratic_fit(points.positions, nodes, places[i], rows[i]);
        evaluation.domain[i] = static_cast<int>(d);
      }
    }
  });
  pack(points.count(), rows, evaluation);
  return evaluation;
}

BiharmonicEvaluation evaluate_vertices(const BiharmonicShape& shape, const BiharmonicPoints& points,
                                       const std::vector<VisibleNeighbours>& visible, const TriangleMesh& mesh,
                                       const Progress& progress) {
  BiharmonicEvaluation evaluation;
  evaluation.eyes = mesh.positions;
  evaluation.domain.assign(mesh.vertex_count(), -1);
  std::vector<std::vector<Vec3f>> normals;  // of the pieces: they face outwards
  for (const TriangleMesh& piece : shape.pieces.meshes) {
    normals.push_back(!piece.normals.empty() ? piece.normals : vertex_normals(piece.positions, piece.triangles));
  }
  Rows rows(mesh.vertex_count());
  parallel_for(mesh.vertex_count(), 64, progress, "looking from the vertices", [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = begin; i < end; ++i) {
      const int d = shape.domain_of_vertex(i);
      const Vec3f p = mesh.positions[i];
      if (d < 0 || !p.allFinite()) continue;
      const SolidDomain& domain = shape.domains[d];
      const Vec3f normal = normals[shape.pieces.piece_of[i]][shape.pieces.local_of[i]];
      const auto h = static_cast<float>(shape.spacing[d].at(p));
      // Deep enough to be clear of rounding, shallow enough for thin places; a flipped triangle's inside is in front.
      for (const float depth : {0.05f, 0.005f, -0.05f, -0.005f}) {
        const Vec3f from = domain.dimension() == 2 ? p : Vec3f(p - depth * h * normal);
        if (!domain.contains(from)) continue;
        visible[d].find(from, nodes_wanted, -1, nodes);
        if (nodes.size() < 4) continue;
        quadratic_fit(points.positions, nodes, p, rows[i]);
        evaluation.eyes[i] = from;
        evaluation.domain[i] = d;
        break;
      }
    }
  });
  pack(points.count(), rows, evaluation);
  return evaluation;
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

}  // namespace

void fade_to_handles(const BiharmonicShape& shape, const std::vector<BiharmonicHandle>& handles,
                     const std::vector<Vec3f>& places, const BiharmonicEvaluation& evaluation, Columns& weights) {
  parallel_for(places.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<double> bumps(handles.size());
    for (std::size_t i = begin; i < end; ++i) {
      const int d = evaluation.domain[i];
      if (d < 0) continue;
      const double radius = tube_radius * shape.spacing[d].at(places[i]);
      double largest = 0.0, sum = 0.0;
      for (std::size_t h = 0; h < handles.size(); ++h) {
        bumps[h] = 0.0;
        for (const Bone& bone : handles[h].bones) {
          const PointOnBone closest = closest_point_on_bone(bone, places[i].cast<double>());
          const double value = bump(closest.distance, radius);
          const Vec3f nearest = closest.position.cast<float>();
          if (value > bumps[h] && shape.domains[d].contains(nearest) &&
              shape.domains[d].sees(evaluation.eyes[i], nearest))
            bumps[h] = value;
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

namespace {

constexpr int nearest_bound = 6;

// Weights of the nearest bound points, the nearer the more.
class BoundPoints {
 public:
  BoundPoints(const BiharmonicPoints& points, const std::vector<char>& bound, const Columns& point_weights)
      : chosen_(indices(bound)), tree_(places(points, chosen_)), weights_(point_weights) {}

  void blend(const Vec3f& place, Eigen::Ref<Eigen::RowVectorXd> row) const {
    std::vector<NearPoint> near;
    tree_.nearest(place, nearest_bound, near);
    if (near.empty()) return;
    row.setZero();
    double sum = 0.0;
    const double scale = near.back().distance + 1e-30;
    for (const NearPoint& n : near) {
      const double weight = 1.0 / (std::pow(n.distance / scale, 2) + 0.01);
      row += weight * weights_.row(chosen_[n.index]);
      sum += weight;
    }
    row /= sum;
  }

 private:
  static std::vector<std::uint32_t> indices(const std::vector<char>& bound) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < bound.size(); ++i) {
      if (bound[i]) result.push_back(i);
    }
    return result;
  }
  static std::vector<Vec3f> places(const BiharmonicPoints& points, const std::vector<std::uint32_t>& chosen) {
    std::vector<Vec3f> result;
    for (std::uint32_t i : chosen) result.push_back(points.positions[i]);
    return result;
  }

  std::vector<std::uint32_t> chosen_;
  NearestPoints tree_;
  const Columns& weights_;
};

// Averages over mesh neighbours that have weights, ring by ring, until nothing changes.
void flood(const TriangleMesh& mesh, std::vector<char>& done, Columns& weights) {
  for (bool changed = true; changed;) {
    changed = false;
    Columns sums = Columns::Zero(weights.rows(), weights.cols());
    std::vector<int> counts(done.size(), 0);
    for (const Triangle& t : mesh.triangles) {
      for (int i = 0; i < 3; ++i) {
        if (done[t[i]]) continue;
        for (int j = 0; j < 3; ++j) {
          if (!done[t[j]]) continue;
          sums.row(t[i]) += weights.row(t[j]);
          ++counts[t[i]];
        }
      }
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (counts[i] == 0) continue;
      weights.row(i) = sums.row(i) / counts[i];
      done[i] = 1;
      changed = true;
    }
  }
}

}  // namespace

Filling fill_missing(const TriangleMesh& mesh, const BiharmonicPoints& points, const std::vector<char>& bound,
                     const Columns& point_weights, const BiharmonicEvaluation& evaluation, Columns& weights) {
  Filling filling;
  const std::size_t count = mesh.vertex_count();
  std::vector<char> done(count, 0), island(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = evaluation.weights.offsets[i], last = evaluation.weights.offsets[i + 1];
    double bound_share = 0.0;
    bool all_bound = true;
    for (std::size_t k = first; k < last; ++k) {
      if (bound[evaluation.weights.columns[k]]) {
        bound_share += evaluation.weights.values[k];
      } else {
        all_bound = false;
      }
    }
    if (first == last) {
      ++filling.unseen;
    } else if (all_bound) {
      done[i] = 1;
    } else if (bound_share > 0.2) {
      // Sees bound and unbound points: the bound ones decide.
      weights.row(i).setZero();
      for (std::size_t k = first; k < last; ++k) {
        const std::uint32_t point = evaluation.weights.columns[k];
        if (bound[point]) weights.row(i) += evaluation.weights.values[k] / bound_share * point_weights.row(point);
      }
      done[i] = 1;
    } else {
      island[i] = 1;
      ++filling.islands;
    }
  }
  if (filling.unseen + filling.islands == 0) return filling;
  const BoundPoints follow(points, bound, point_weights);
  const auto follow_nearest = [&](std::size_t i) {
    Eigen::RowVectorXd row = weights.row(i);
    follow.blend(mesh.positions[i].allFinite() ? mesh.positions[i] : points.positions[0], row);
    weights.row(i) = row;
    done[i] = 1;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (island[i]) follow_nearest(i);
  }
  flood(mesh, done, weights);
  for (std::size_t i = 0; i < count; ++i) {
    if (!done[i]) follow_nearest(i);
  }
  return filling;
}

}  // namespace sinew
