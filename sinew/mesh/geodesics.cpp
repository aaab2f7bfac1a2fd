#include "sinew/mesh/geodesics.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace sinew {
namespace {

// Distance of corner c from a source that is `da` from a and `db` from b, both in the plane of the triangle and the
// source beyond ab; infinity when the straight way does not pass between a and b.
double unfolded_distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, double da, double db) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const Vec3d ab = b - a;
  const double length = ab.norm();
  if (!(length > 0)) return none;
  const double sx = (da * da - db * db + length * length) / (2 * length);
  const double height = da * da - sx * sx;
  if (height < 0) return none;  // no such source: the two distances differ by more than the edge
  const double sy = -std::sqrt(height);
  const double cx = (c - a).dot(ab) / length;
  const double cy = std::sqrt(std::max(0.0, (c - a).squaredNorm() - cx * cx));
  const double along = cy > 0 ? sx + (cx - sx) * (-sy) / (cy - sy) : sx;  // where source → c crosses the edge
  if (along < 0 || along > length) return none;
  return std::hypot(cx - sx, cy - sy);
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
  std::vector<std::uint32_t> tag(positions_.size(), 0);
  std::vector<char> done(positions_.size(), 0);
  std::priority_queue<Front, std::vector<Front>, std::greater<>> fronts;
  const auto offer = [&](std::uint32_t vertex, double candidate, std::uint32_t from_tag) {
    if (!(candidate < distance[vertex])) return;
    distance[vertex] = candidate;
    tag[vertex] = from_tag;
    fronts.push({candidate, vertex});
  };
  for (const GeodesicSeed& seed : seeds) offer(seed.vertex, seed.distance, seed.tag);

  std::vector<GeodesicVertex> reached;
  while (!fronts.empty()) {
    const Front front = fronts.top();
    fronts.pop();
    const std::uint32_t v = front.vertex;
    if (done[v]) continue;
    done[v] = 1;
    const GeodesicVertex found{v, distance[v], tag[v]};
    if (stop && stop(found)) break;
    reached.push_back(found);
    const Vec3d p = positions_[v].cast<double>();
    for (std::uint32_t t : triangles_of(v)) {
      const Triangle& corners = triangles_[t];
      const int own = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
      const std::uint32_t x = corners[(own + 1) % 3], y = corners[(own + 2) % 3];
      const Vec3d px = positions_[x].cast<double>(), py = positions_[y].cast<double>();
      if (!done[x]) {
        offer(x, distance[v] + (px - p).norm(), tag[v]);
        if (done[y]) offer(x, std::max(distance[v], unfolded_distance(p, py, px, distance[v], distance[y])), tag[v]);
      }
      if (!done[y]) {
        offer(y, distance[v] + (py - p).norm(), tag[v]);
        if (done[x]) offer(y, std::max(distance[v], unfolded_distance(p, px, py, distance[v], distance[x])), tag[v]);
      }
    }
  }
  return reached;
}

}  // namespace sinew
