#include "sinew/weights/atlas/atlas_distances.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/parallel.h"
#include "sinew/base/sparse_cholesky.h"
#include "sinew/mesh/geodesics.h"
#include "sinew/mesh/laplacian.h"

namespace sinew {
namespace {

double distance_to_segment(const Vec3d& p, const BoundarySegment& segment) {
  const Vec3d a = segment.from.cast<double>(), ab = segment.to.cast<double>() - a;
  const double length_squared = ab.squaredNorm();
  const double t = length_squared > 0 ? std::clamp((p - a).dot(ab) / length_squared, 0.0, 1.0) : 0.0;
  return (p - a - t * ab).norm();
}

// Everything that the measures of one boundary need.
struct Field {
  const AtlasBoundary* boundary;
  double reach;  // beyond it only the boundary's own two regions count
};

class Measurer {
 public:
  Measurer(const BindInput& input, const AtlasRegions& regions, AtlasDistance measure)
      : input_(input), regions_(regions), measure_(measure), surface_(input.mesh.positions, input.mesh.triangles) {
    if (measure == AtlasDistance::harmonic) {
      laplacian_ = robust_laplacian(input.mesh.positions, input.mesh.triangles);
    }
  }

  std::vector<GeodesicVertex> measure(const Field& field) const {
    const std::vector<GeodesicSeed> seeds = seeds_of(*field.boundary);
    std::vector<GeodesicVertex> found =
        measure_ == AtlasDistance::euclidean ? euclidean(field, seeds) : geodesic(field, seeds);
    if (measure_ == AtlasDistance::harmonic) make_harmonic(field, seeds, found);
    std::erase_if(found,
                  [&](const GeodesicVertex& v) { return v.distance > field.reach && !is_beside(field, v.vertex); });
    return found;
  }

 private:
  bool is_beside(const Field& field, std::uint32_t vertex) const {
    const std::uint32_t region = regions_.region_of[vertex];
    return region == field.boundary->regions[0] || region == field.boundary->regions[1];
  }

  // Which of the boundary's two regions a vertex belongs to; vertices of other regions count with the second.
  int side(const Field& field, std::uint32_t vertex) const {
    return regions_.region_of[vertex] == field.boundary->regions[0] ? 0 : 1;
  }

  std::vector<GeodesicSeed> seeds_of(const AtlasBoundary& boundary) const {
    std::vector<GeodesicSeed> seeds;
    for (const BoundarySegment& segment : boundary.segments) {
      for (std::uint32_t corner : input_.mesh.triangles[segment.triangle]) {
        const std::uint32_t region = regions_.region_of[corner];
        if (region != boundary.regions[0] && region != boundary.regions[1]) continue;
        seeds.push_back({corner, distance_to_segment(input_.mesh.positions[corner].cast<double>(), segment)});
      }
    }
    return seeds;
  }

  // Counts down the vertices of the two regions beside a boundary.
  class Remaining {
   public:
    Remaining(const Measurer& measurer, const Field& field)
        : measurer_(measurer),
          field_(field),
          left_(measurer.regions_.regions[field.boundary->regions[0]].vertices +
                measurer.regions_.regions[field.boundary->regions[1]].vertices) {}
    bool done_at(std::uint32_t vertex, double distance) {
      if (distance > field_.reach && left_ == 0) return true;
      if (measurer_.is_beside(field_, vertex)) --left_;
      return false;
    }

   private:
    const Measurer& measurer_;
    const Field& field_;
    std::size_t left_;
  };

  std::vector<GeodesicVertex> geodesic(const Field& field, const std::vector<GeodesicSeed>& seeds) const {
    Remaining remaining(*this, field);
    return surface_.distances(seeds, [&](const GeodesicVertex& v) { return remaining.done_at(v.vertex, v.distance); });
  }

  // Spreads over the skin from the seeds in order of `cost`; a vertex costs at least as much as the way to it.
  template <typename Cost>
  std::vector<GeodesicVertex> spread(const Field& field, const std::vector<GeodesicSeed>& seeds, Cost cost) const {
    struct Front {
      double distance;
      std::uint32_t vertex;
      bool operator>(const Front& o) const {
        return distance != o.distance ? distance > o.distance : vertex > o.vertex;
      }
    };
    std::priority_queue<Front, std::vector<Front>, std::greater<>> fronts;
    std::vector<char> done(input_.vertex_count(), 0);
    for (const GeodesicSeed& seed : seeds) fronts.push({seed.distance, seed.vertex});
    Remaining remaining(*this, field);
    std::vector<GeodesicVertex> found;
    while (!fronts.empty()) {
      const Front front = fronts.top();
      fronts.pop();
      if (done[front.vertex]) continue;
      done[front.vertex] = 1;
      stop_if_cancelled(found.size());
      if (remaining.done_at(front.vertex, front.distance)) break;
      found.push_back({front.vertex, front.distance});
      for (std::uint32_t neighbour : surface_.neighbours(front.vertex)) {
        if (!done[neighbour]) fronts.push({std::max(front.distance, cost(neighbour)), neighbour});
      }
    }
    return found;
  }

  std::vector<GeodesicVertex> euclidean(const Field& field, const std::vector<GeodesicSeed>& seeds) const {
    std::vector<float> known(input_.vertex_count(), -1.0f);
    return spread(field, seeds, [&](std::uint32_t vertex) {
      if (known[vertex] < 0) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const BoundarySegment& segment : field.boundary->segments) {
          nearest = std::min(nearest, distance_to_segment(input_.mesh.positions[vertex].cast<double>(), segment));
        }
        known[vertex] = static_cast<float>(nearest);
      }
      return static_cast<double>(known[vertex]);
    });
  }

  // Replaces geodesic distances by the harmonic function that agrees with them at the boundary and at the farthest
  // points: the tips of what was reached, and where the reach ended.
  void make_harmonic(const Field& field, const std::vector<GeodesicSeed>& seeds,
                     std::vector<GeodesicVertex>& found) const {
    constexpr double far_part = 0.9;
    std::vector<int> index(input_.vertex_count(), -1);
    for (std::size_t i = 0; i < found.size(); ++i) index[found[i].vertex] = static_cast<int>(i);
    std::array<double, 2> farthest{0, 0};
    for (const GeodesicVertex& v : found) {
      double& far = farthest[side(field, v.vertex)];
      far = std::max(far, v.distance);
    }
    std::vector<char> fixed(found.size(), 0);
    for (const GeodesicSeed& seed : seeds) fixed[index[seed.vertex]] = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto around = surface_.neighbours(found[i].vertex);
      const bool tip = std::all_of(around.begin(), around.end(), [&](std::uint32_t n) {
        return index[n] >= 0 && found[index[n]].distance <= found[i].distance;
      });
      const bool rim = std::any_of(around.begin(), around.end(), [&](std::uint32_t n) { return index[n] < 0; });
      if (rim || (tip && found[i].distance > 0.5 * farthest[side(field, found[i].vertex)]) ||
          found[i].distance >= far_part * farthest[side(field, found[i].vertex)]) {
        fixed[i] = 1;
      }
    }
    const Eigen::VectorXd solved = solve_laplace(found, index, fixed);
    // Pits cannot be: the spread counts a vertex as no nearer than the way to it.
    found = spread(field, seeds, [&](std::uint32_t vertex) {
      return index[vertex] >= 0 ? solved[index[vertex]] : std::numeric_limits<double>::infinity();
    });
    std::erase_if(found, [](const GeodesicVertex& v) { return !std::isfinite(v.distance); });
  }

  Eigen::VectorXd solve_laplace(const std::vector<GeodesicVertex>& found, const std::vector<int>& index,
                                const std::vector<char>& fixed) const {
    const auto count = static_cast<Eigen::Index>(found.size());
    Eigen::VectorXd right(count);
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < count; ++i) {
      right[i] = fixed[i] ? found[i].distance : 0.0;
      double diagonal = fixed[i] ? 1.0 : 1e-9;
      if (!fixed[i]) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(laplacian_.stiffness, found[i].vertex); it; ++it) {
          const int other = it.row() == it.col() ? -1 : index[it.row()];
          if (other < 0) continue;
          diagonal -= it.value();
          if (fixed[other]) {
            right[i] -= it.value() * found[other].distance;
          } else {
            entries.emplace_back(i, other, it.value());
          }
        }
        right[i] += 1e-9 * found[i].distance;
      }
      entries.emplace_back(i, i, diagonal);
    }
    Eigen::SparseMatrix<double> system(count, count);
    system.setFromTriplets(entries.begin(), entries.end());
    const SparseCholesky solver(system);
    if (!solver.succeeded()) {
      throw Error(ErrorCode::no_convergence, "a harmonic distance could not be solved");
    }
    return solver.solve(right);
  }

  const BindInput& input_;
  const AtlasRegions& regions_;
  AtlasDistance measure_;
  GeodesicSolver surface_;
  Laplacian laplacian_;
};

}  // namespace

AtlasDistances measure_distances(const BindInput& input, const AtlasRegions& regions, AtlasDistance measure,
                                 double reach, const Progress& progress) {
  const Measurer measurer(input, regions, measure);
  const char* const stage = "measuring distances to the boundaries";
  progress(0.0, stage);
  std::vector<std::vector<GeodesicVertex>> fields(regions.boundaries.size());
  parallel_for(fields.size(), 1, progress, stage, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const AtlasBoundary& boundary = regions.boundaries[b];
      fields[b] = measurer.measure({&boundary, reach * boundary.length / M_PI});
    }
  });
  AtlasDistances result;
  result.begin.assign(input.vertex_count() + 1, 0);
  for (const auto& field : fields) {
    for (const GeodesicVertex& v : field) ++result.begin[v.vertex + 1];
  }
  for (std::size_t v = 0; v < input.vertex_count(); ++v) result.begin[v + 1] += result.begin[v];
  result.entries.resize(result.begin.back());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::uint32_t b = 0; b < fields.size(); ++b) {
    for (const GeodesicVertex& v : fields[b]) {
      result.entries[next[v.vertex]++] = {b, static_cast<float>(v.distance)};
    }
  }
  progress(1.0, stage);
  return result;
}

}  // namespace sinew
