#include "sinew/mesh/geodesics.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sinew/base/cancellation.h"

namespace sinew {
namespace {

// Distance of corner c when a straight front that is `da` from a and `db` from b moves on across the triangle; infinity
// when the front does not come to c from between a and b. With d = distances of a and b and E = [a−c, b−c], the front's
// gradient g satisfies Eᵀg = d − p·1 and |g| = 1: a quadratic for p.
double crossing_distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, double da, double db) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const Vec3d ca = a - c, cb = b - c;
  const double aa = ca.squaredNorm(), bb = cb.squaredNorm(), ab = ca.dot(cb);
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-12 * aa * bb)) return none;
  // Q = (EᵀE)⁻¹
  const double qaa = bb / determinant, qbb = aa / determinant, qab = -ab / determinant;
  const double ones = qaa + 2 * qab + qbb;
  const double mixed = (qaa + qab) * da + (qab + qbb) * db;
  const double squares = qaa * da * da + 2 * qab * da * db + qbb * db * db - 1;
  const double discriminant = mixed * mixed - ones * squares;
  if (discriminant < 0) return none;
  const double p = (mixed + std::sqrt(discriminant)) / ones;
  const double from_a = qaa * (da - p) + qab * (db - p), from_b = qab * (da - p) + qbb * (db - p);
  return from_a < 0 && from_b < 0 ? p : none;
}

struct Front {
  double distance;
  std::uint32_t vertex;
  bool operator>(const Front& other) const {
    return distance != other.distance ? distance > other.distance : vertex > other.vertex;
  }
};

}  // namespace

GeodesicSolver::GeodesicSolver(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles)
    : positions_(positions), triangles_(triangles), corner_begin_(positions.size() + 1, 0) {
  for (const Triangle& t : triangles) {
    for (std::uint32_t corner : t) ++corner_begin_[corner + 1];
  }
  for (std::size_t v = 0; v < positions.size(); ++v) corner_begin_[v + 1] += corner_begin_[v];
  corners_.resize(3 * triangles.size());
  std::vector<std::uint32_t> next(corner_begin_.begin(), corner_begin_.end() - 1);
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (std::uint32_t corner : triangles[t]) corners_[next[corner]++] = t;
  }
  neighbour_begin_.push_back(0);
  std::vector<std::uint32_t> around;
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    stop_if_cancelled(v);
    around.clear();
    for (std::uint32_t t : triangles_of(v)) {
      for (std::uint32_t corner : triangles[t]) {
        if (corner != v) around.push_back(corner);
      }
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    neighbours_.insert(neighbours_.end(), around.begin(), around.end());
    neighbour_begin_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }
}

std::vector<GeodesicVertex> GeodesicSolver::distances(std::span<const GeodesicSeed> seeds,
                                                      const std::function<bool(const GeodesicVertex&)>& stop) const {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  std::vector<double> distance(positions_.size(), unknown);
  std::vector<char> done(positions_.size(), 0);
  std::priority_queue<Front, std::vector<Front>, std::greater<>> fronts;
  const auto offer = [&](std::uint32_t vertex, double candidate) {
    if (!(candidate < distance[vertex])) return;
    distance[vertex] = candidate;
    fronts.push({candidate, vertex});
  };
  for (const GeodesicSeed& seed : seeds) offer(seed.vertex, seed.distance);

  std::vector<GeodesicVertex> reached;
  while (!fronts.empty()) {
    const Front front = fronts.top();
    fronts.pop();
    const std::uint32_t v = front.vertex;
    if (done[v]) continue;
    done[v] = 1;
    const GeodesicVertex found{v, distance[v]};
    stop_if_cancelled(reached.size());
    if (stop && stop(found)) break;
    reached.push_back(found);
    const Vec3d p = positions_[v].cast<double>();
    for (std::uint32_t t : triangles_of(v)) {
      const Triangle& corners = triangles_[t];
      const int own = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
      const std::uint32_t x = corners[(own + 1) % 3], y = corners[(own + 2) % 3];
      const Vec3d px = positions_[x].cast<double>(), py = positions_[y].cast<double>();
      if (!done[x]) {
        offer(x, distance[v] + (px - p).norm());
        if (done[y]) offer(x, std::max(distance[v], crossing_distance(p, py, px, distance[v], distance[y])));
      }
      if (!done[y]) {
        offer(y, distance[v] + (py - p).norm());
        if (done[x]) offer(y, std::max(distance[v], crossing_distance(p, px, py, distance[v], distance[x])));
      }
    }
  }
  return reached;
}

}  // namespace sinew
