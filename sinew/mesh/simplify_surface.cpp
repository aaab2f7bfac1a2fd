#include "sinew/mesh/simplify_surface.h"

#include <cmath>
#include <limits>
#include <map>

#include "sinew/base/cancellation.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::uint32_t none = 0xffffffffu;

}  // namespace

SimplifySurface::SimplifySurface(const TriangleMesh& mesh, const SimplifyAttributes& attributes_in,
                                 const std::vector<std::uint32_t>& parts, const SimplifyOptions& options_in)
    : options(options_in), attributes(attributes_in) {
  check_mesh(mesh);
  if (attributes.cols() > 0 && attributes.rows() != static_cast<Eigen::Index>(mesh.vertex_count())) {
    throw Error(ErrorCode::argument_invalid, "simplification needs one row of attributes per vertex");
  }
  if (!parts.empty() && parts.size() != mesh.triangles.size()) {
    throw Error(ErrorCode::argument_invalid, "simplification needs one part per triangle");
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (!mesh.positions[v].allFinite()) {
      throw Error(ErrorCode::mesh_invalid, "vertex " + std::to_string(v) + " has a position that is not finite");
    }
  }
  std::size_t points = 0;
  point_of = surface_points(mesh, &points);
  position.resize(points);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) position[point_of[v]] = mesh.positions[v].cast<double>();
  corners = mesh.triangles;
  part_of = parts.empty() ? std::vector<std::uint32_t>(corners.size(), 0) : parts;
  alive.assign(corners.size(), 1);
  triangles_of.resize(points);
  uses.assign(mesh.vertex_count(), 0);
  quadric.resize(points);
  area.assign(points, 0.0);
  for (std::uint32_t t = 0; t < corners.size(); ++t) {
    stop_if_cancelled(t);
    // A triangle that names a point twice has no surface and would upset everything below.
    if (point(t, 0) == point(t, 1) || point(t, 1) == point(t, 2) || point(t, 2) == point(t, 0)) {
      alive[t] = 0;
      continue;
    }
    const Vec3d normal = scaled_normal(t);
    const double size = normal.norm() / 2;
    for (int k = 0; k < 3; ++k) {
      triangles_of[point(t, k)].push_back(t);
      live_vertices += uses[corners[t][k]]++ == 0;
      area[point(t, k)] += size / 3;
      if (size > 0) quadric[point(t, k)].add_plane(normal / (2 * size), position[point(t, 0)], size / 3);
    }
  }
  for (const auto& around : triangles_of) live_points += !around.empty();
  add_border_planes();
  if (options.piece_error > 0) find_pieces();
  hang_all();
}

bool SimplifySurface::has(std::uint32_t triangle, std::uint32_t p) const {
  return point(triangle, 0) == p || point(triangle, 1) == p || point(triangle, 2) == p;
}

Vec3d SimplifySurface::scaled_normal(std::uint32_t t) const {
  const Vec3d& a = position[point(t, 0)];
  return (position[point(t, 1)] - a).cross(position[point(t, 2)] - a);
}

Vec3d SimplifySurface::weights_at(std::uint32_t t, const Vec3d& p) const {
  return closest_weights(p, position[point(t, 0)], position[point(t, 1)], position[point(t, 2)]);
}

Vec3d SimplifySurface::place(std::uint32_t t, const Vec3d& w) const {
  return w[0] * position[point(t, 0)] + w[1] * position[point(t, 1)] + w[2] * position[point(t, 2)];
}

void SimplifySurface::neighbours(std::uint32_t p, std::vector<std::array<std::uint32_t, 2>>& result) const {
  result.clear();
  for (const std::uint32_t t : triangles_of[p]) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t q = point(t, k);
      if (q == p) continue;
      const auto found = std::find_if(result.begin(), result.end(), [q](const auto& entry) { return entry[0] == q; });
      if (found == result.end()) {
        result.push_back({q, 1});
      } else {
        ++(*found)[1];
      }
    }
  }
  std::sort(result.begin(), result.end());
}

// Planes that stand on open borders and seams keep their outlines where the surface around them is flat.
void SimplifySurface::add_border_planes() {
  struct Side {
    std::uint32_t triangle, count, vertex[2];
    bool seam;
  };
  std::map<std::array<std::uint32_t, 2>, Side> sides;
  for (std::uint32_t t = 0; t < corners.size(); ++t) {
    stop_if_cancelled(t);
    for (int k = 0; alive[t] && k < 3; ++k) {
      std::array edge{point(t, k), point(t, (k + 1) % 3)};
      std::array vertex{corners[t][k], corners[t][(k + 1) % 3]};
      if (edge[0] > edge[1]) {
        std::swap(edge[0], edge[1]);
        std::swap(vertex[0], vertex[1]);
      }
      const auto [entry, is_new] = sides.try_emplace(edge, Side{t, 1, {vertex[0], vertex[1]}, false});
      if (is_new) continue;
      ++entry->second.count;
      entry->second.seam |= entry->second.vertex[0] != vertex[0] || entry->second.vertex[1] != vertex[1];
    }
  }
  std::size_t looked_at = 0;
  for (const auto& [edge, side] : sides) {
    stop_if_cancelled(looked_at++);
    const bool border = side.count != 2;
    if (!border && (!side.seam || options.ignore_seams)) continue;
    const Vec3d along = position[edge[1]] - position[edge[0]];
    const Vec3d plane = along.cross(scaled_normal(side.triangle));
    if (!(plane.norm() > 0)) continue;
    const double weight = (border ? 3.0 : 1.0) * along.squaredNorm();
    for (const std::uint32_t p : edge) quadric[p].add_plane(plane.normalized(), position[edge[0]], weight);
  }
}

std::uint32_t SimplifySurface::mapped(const Collapse& collapse, std::uint32_t vertex) const {
  for (const auto& [from, into] : collapse.vertex_map) {
    if (from == vertex) return into;
  }
  return vertex;
}

// Two surfaces stay two surfaces and edges keep two triangles: the link condition, borders included.
bool SimplifySurface::may_collapse(const Collapse& collapse,
                                   const std::vector<std::array<std::uint32_t, 2>>& ring) const {
  std::vector<std::array<std::uint32_t, 2>> other;
  neighbours(collapse.into, other);
  bool from_border = false, into_border = false;
  std::uint32_t shared_triangles = 0, common = 0;
  for (const auto& [p, count] : ring) {
    if (count > 2) return false;
    from_border |= count == 1;
    if (p == collapse.into) shared_triangles = count;
  }
  for (const auto& [p, count] : other) into_border |= count != 2;
  for (std::size_t i = 0, k = 0; i < ring.size() && k < other.size();) {
    if (ring[i][0] == other[k][0]) {
      ++common;
      // The third corner of a triangle that goes must not be left hanging on one edge.
      if (triangles_of[ring[i][0]].size() <= (ring[i][1] == 1 ? 1u : 3u) && !from_border) return false;
      if (from_border && triangles_of[ring[i][0]].size() <= 1) return false;
      ++i, ++k;
    } else {
      ring[i][0] < other[k][0] ? ++i : ++k;
    }
  }
  if (shared_triangles == 0 || common != shared_triangles) return false;
  if (from_border && shared_triangles != 1) return false;  // borders shorten along themselves only
  return from_border || shared_triangles == 2 || !into_border;
}

bool SimplifySurface::map_vertices(Collapse& collapse, bool& moves_seam) const {
  auto& map = collapse.vertex_map;
  map.clear();
  moves_seam = false;
  std::vector<std::array<std::uint32_t, 2>> own;    // vertices of `from` and their parts
  std::vector<std::array<std::uint32_t, 2>> there;  // vertices of `into` and their parts
  const auto add = [](auto& list, std::uint32_t vertex, std::uint32_t part) {
    const std::array entry{vertex, part};
    if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
  };
  for (const std::uint32_t t : triangles_of[collapse.into]) {
    for (int k = 0; k < 3; ++k) {
      if (point(t, k) == collapse.into) add(there, corners[t][k], part_of[t]);
    }
  }
  for (const std::uint32_t t : triangles_of[collapse.from]) {
    std::uint32_t from = none, into = none;
    for (int k = 0; k < 3; ++k) {
      if (point(t, k) == collapse.from) from = corners[t][k];
      if (point(t, k) == collapse.into) into = corners[t][k];
    }
    add(own, from, part_of[t]);
    if (into == none) continue;
    const auto known = std::find_if(map.begin(), map.end(), [&](const auto& e) { return e[0] == from; });
    if (known == map.end()) {
      map.push_back({from, into});
    } else if ((*known)[1] != into) {
      moves_seam = true;  // the seam ends here or runs across the edge
    }
  }
  for (const auto& [vertex, part] : own) {
    if (std::any_of(map.begin(), map.end(), [mapped = vertex](const auto& e) { return e[0] == mapped; })) continue;
    moves_seam = true;
    std::uint32_t best = none;
    float nearest = std::numeric_limits<float>::infinity();
    for (const auto& [candidate, candidate_part] : there) {
      if (candidate_part != part && !options.ignore_seams) continue;
      const float distance =
          attributes.cols() > 0 ? (attributes.row(vertex) - attributes.row(candidate)).squaredNorm() : 0.0f;
      if (distance < nearest) nearest = distance, best = candidate;
    }
    if (best == none) return false;
    map.push_back({vertex, best});
  }
  return !moves_seam || options.may_move_seams || options.ignore_seams;
}

// No triangle turns over or collapses.
bool SimplifySurface::keeps_shape(const Collapse& collapse) const {
  const Vec3d& target = position[collapse.into];
  for (const std::uint32_t t : triangles_of[collapse.from]) {
    if (has(t, collapse.into)) continue;
    std::array<Vec3d, 3> p;
    for (int k = 0; k < 3; ++k) p[k] = point(t, k) == collapse.from ? target : position[point(t, k)];
    const Vec3d before = scaled_normal(t), after = (p[1] - p[0]).cross(p[2] - p[0]);
    const double longest =
        std::max({(p[1] - p[0]).squaredNorm(), (p[2] - p[1]).squaredNorm(), (p[0] - p[2]).squaredNorm()});
    if (options.ignore_seams) continue;  // a surface that is never drawn may fold
    if (after.norm() <= 0.02 * longest && after.norm() <= 0.5 * before.norm()) return false;
    if (before.dot(after) <= 0.2 * before.norm() * after.norm()) return false;
  }
  return true;
}

// How wrong UVs, weights and the like become at the place of the vertex that goes: on each side of a seam the nearest
// triangle is asked, and the worse side counts.
double SimplifySurface::attribute_error(const Collapse& collapse) const {
  if (attributes.cols() == 0 || options.ignore_seams) return 0;
  const Vec3d& gone = position[collapse.from];
  double worst = 0;
  for (const auto& [own, into] : collapse.vertex_map) {
    double nearest = std::numeric_limits<double>::infinity(), error = 0;
    for (const std::uint32_t t : triangles_of[collapse.from]) {
      std::array<std::uint32_t, 3> vertex = corners[t];
      const auto corner = std::find(vertex.begin(), vertex.end(), own);
      if (corner == vertex.end() || has(t, collapse.into)) continue;
      *corner = into;
      std::array<Vec3d, 3> p;
      for (int k = 0; k < 3; ++k) p[k] = position[point_of[vertex[k]]];
      const Vec3d w = closest_weights(gone, p[0], p[1], p[2]);
      const double distance = (w[0] * p[0] + w[1] * p[1] + w[2] * p[2] - gone).squaredNorm();
      if (distance >= nearest) continue;
      nearest = distance;
      const Eigen::Vector3f f = w.cast<float>();
      error = (f[0] * attributes.row(vertex[0]) + f[1] * attributes.row(vertex[1]) + f[2] * attributes.row(vertex[2]) -
               attributes.row(own))
                  .squaredNorm();
    }
    worst = std::max(worst, error);
  }
  return worst;
}

bool SimplifySurface::best_collapse(std::uint32_t from, Collapse& best) const {
  std::vector<std::array<std::uint32_t, 2>> ring;
  neighbours(from, ring);
  struct Candidate {
    double cost;
    std::uint32_t into;
  };
  std::vector<Candidate> candidates;
  for (const auto& [into, count] : ring) {
    Quadric sum = quadric[from];
    sum += quadric[into];
    const double length = (position[into] - position[from]).squaredNorm();
    candidates.push_back({sum.at(position[into]) + options.uniformity * area[from] * length, into});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.into < b.into;
  });
  bool found = false;
  Collapse collapse;
  for (const Candidate& candidate : candidates) {
    if (found && candidate.cost >= best.cost) break;
    collapse.from = from;
    collapse.into = candidate.into;
    bool moves_seam = false;
    if (!may_collapse(collapse, ring) || !map_vertices(collapse, moves_seam) || !keeps_shape(collapse)) {
      continue;
    }
    collapse.cost = candidate.cost + area[from] * attribute_error(collapse);
    if (moves_seam && !options.ignore_seams) collapse.cost *= 2;
    if (!within_limits(collapse)) continue;
    if (found && collapse.cost >= best.cost) continue;
    best = collapse;
    found = true;
  }
  return found;
}

void SimplifySurface::apply(const Collapse& collapse) {
  const std::vector<std::uint32_t> star = std::move(triangles_of[collapse.from]);
  triangles_of[collapse.from].clear();
  std::vector<std::uint32_t> moved, points;
  for (const std::uint32_t t : star) {
    points.insert(points.end(), hung_on[t].begin(), hung_on[t].end());
    hung_on[t].clear();
    if (has(t, collapse.into)) {
      alive[t] = 0;
      for (int k = 0; k < 3; ++k) {
        live_vertices -= --uses[corners[t][k]] == 0;
        if (point(t, k) != collapse.from) std::erase(triangles_of[point(t, k)], t);
      }
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      if (point(t, k) != collapse.from) continue;
      const std::uint32_t into = mapped(collapse, corners[t][k]);
      live_vertices -= --uses[corners[t][k]] == 0;
      live_vertices += uses[into]++ == 0;
      corners[t][k] = into;
      break;
    }
    moved.push_back(t);
    triangles_of[collapse.into].push_back(t);
  }
  --live_points;
  quadric[collapse.into] += quadric[collapse.from];
  area[collapse.into] += area[collapse.from];
  const double size = area[collapse.into];
  if (size > 0) largest_error = std::max(largest_error, std::sqrt(collapse.cost / size));
  std::sort(points.begin(), points.end());
  if (moved.empty()) moved = triangles_of[collapse.into];
  rehang(points, moved);
}

void SimplifySurface::rehang(const std::vector<std::uint32_t>& points, const std::vector<std::uint32_t>& candidates) {
  for (const std::uint32_t p : points) {
    Hung& h = hung[p];
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t t : candidates) {
      const Vec3d w = weights_at(t, h.position);
      double distance = (place(t, w) - h.position).squaredNorm();
      if (h.normal.dot(scaled_normal(t)) < 0) distance *= 4;  // the back of a thin part is the worse place
      if (distance >= nearest) continue;
      nearest = distance;
      h.triangle = t;
      h.weights = w;
    }
    hung_on[h.triangle].push_back(p);
  }
}

}  // namespace sinew
