#include "sinew/flesh/contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/simplify.h"

namespace sinew {
namespace {

constexpr int rings = 2;                 // of edges around a vertex that never touch it
constexpr double opposite = -0.2;        // cosine between normals below which skins face each other
constexpr double sideways = 0.35;        // of a cell: how far beside a triangle a vertex may be to count as before it
constexpr double straight_behind = 0.5;  // cosine: what lay within this cone behind a triangle is the body's other side
constexpr double edge_of_copy = 1.0;     // of a cell: wished edge length of the simplified skin
constexpr double simplify_error = 0.002;  // of the mesh's size

// Triangles of about this edge length, fewer only where the shape would suffer.
SimplifiedMesh simplify_skin(const TriangleMesh& mesh, double edge) {
  TriangleMesh skin;
  skin.positions = mesh.positions;
  skin.triangles = mesh.triangles;
  double area = 0;
  for (const Triangle& t : skin.triangles) {
    const Vec3f a = skin.positions[t[0]];
    area += 0.5 * (skin.positions[t[1]] - a).cross(skin.positions[t[2]] - a).norm();
  }
  const double wanted_points = 0.5 * area / (0.433 * edge * edge);  // a closed surface has half as many as triangles
  const double most_error = simplify_error * bounding_box(skin).sizes().maxCoeff();
  Simplifier simplifier(skin, SimplifyAttributes(skin.positions.size(), 0));
  SimplifiedMesh result = simplifier.input();
  while (static_cast<double>(result.point_count) > wanted_points) {
    const double fewer = std::max(wanted_points, 0.8 * static_cast<double>(result.point_count));
    SimplifiedMesh next = simplifier.reduce(static_cast<std::size_t>(fewer), SimplifyCount::points);
    if (next.largest_error > most_error || next.point_count == result.point_count) break;
    result = std::move(next);
  }
  return result;
}

std::vector<std::vector<std::uint32_t>> rings_around(std::size_t count, const std::vector<Triangle>& triangles) {
  std::vector<std::vector<std::uint32_t>> next(count), result(count);
  for (const Triangle& t : triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      next[t[corner]].push_back(t[(corner + 1) % 3]);
      next[t[corner]].push_back(t[(corner + 2) % 3]);
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    stop_if_cancelled(v);
    std::vector<std::uint32_t>& around = result[v];
    around.push_back(static_cast<std::uint32_t>(v));
    for (int ring = 0; ring < rings; ++ring) {
      const std::vector<std::uint32_t> known = around;
      for (std::uint32_t other : known) around.insert(around.end(), next[other].begin(), next[other].end());
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
    }
  }
  return result;
}

// Barycentric coordinates of the point of a triangle closest to p (Ericson, "Real-Time Collision Detection", 5.1.5).
Vec3d closest_barycentric(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - t, t};
  }
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

// Points sorted into cubes of space: all points in a box, by looping over the cubes it meets.
class PointGrid {
 public:
  PointGrid(const std::vector<Vec3d>& points, double size) : size_(size) {
    AABBd box;
    for (const Vec3d& p : points) box.extend(p);
    low_ = box.min();
    for (int axis = 0; axis < 3; ++axis) {
      counts_[axis] = std::clamp(static_cast<int>(box.sizes()[axis] / size) + 1, 1, 400);
    }
    begin_.assign(static_cast<std::size_t>(counts_[0]) * counts_[1] * counts_[2] + 1, 0);
    std::vector<std::size_t> cell(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      cell[i] = index(place(points[i]));
      ++begin_[cell[i] + 1];
    }
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    items_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) items_[next[cell[i]]++] = static_cast<std::uint32_t>(i);
  }

  template <class Visit>
  void visit(const AABBd& box, const Visit& visit) const {
    const std::array<int, 3> from = place(box.min()), to = place(box.max());
    for (int z = from[2]; z <= to[2]; ++z) {
      for (int y = from[1]; y <= to[1]; ++y) {
        for (std::uint32_t k = begin_[index({from[0], y, z})]; k < begin_[index({to[0], y, z}) + 1]; ++k) {
          visit(items_[k]);
        }
      }
    }
  }

 private:
  std::array<int, 3> place(const Vec3d& p) const {
    std::array<int, 3> result;
    for (int axis = 0; axis < 3; ++axis) {
      result[axis] = static_cast<int>(std::clamp((p[axis] - low_[axis]) / size_, 0.0, counts_[axis] - 1.0));
    }
    return result;
  }
  std::size_t index(const std::array<int, 3>& p) const {
    return (static_cast<std::size_t>(p[2]) * counts_[1] + p[1]) * counts_[0] + p[0];
  }
  double size_;
  Vec3d low_;
  std::array<int, 3> counts_;
  std::vector<std::uint32_t> begin_, items_;
};

// Per vertex (area-weighted, unit length) and per triangle (unit length).
void surface_normals(const std::vector<Vec3d>& positions, const std::vector<Triangle>& triangles,
                     std::vector<Vec3d>& of_vertices, std::vector<Vec3d>& of_triangles) {
  of_vertices.assign(positions.size(), Vec3d::Zero());
  of_triangles.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    const Vec3d normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
    of_triangles[t] = normal.normalized();
    for (std::uint32_t v : triangles[t]) of_vertices[v] += normal;
  }
  for (Vec3d& normal : of_vertices) normal.normalize();
}

// Means over the neighbours, twice: which way the skin faces, whatever single triangles do in a crease.
void smooth_normals(const std::vector<Triangle>& triangles, std::vector<Vec3d>& normals) {
  for (int round = 0; round < 2; ++round) {
    std::vector<Vec3d> sums = normals;
    for (const auto& [a, b, c] : triangles) {
      const Vec3d sum = normals[a] + normals[b] + normals[c];
      sums[a] += sum;
      sums[b] += sum;
      sums[c] += sum;
    }
    for (std::size_t v = 0; v < normals.size(); ++v) normals[v] = sums[v].normalized();
  }
}

Vec3d embedded_position(const FleshLattice& lattice, const EmbeddedPoint& point, const std::vector<Vec3d>& nodes) {
  const std::array<double, 8> weights = corner_weights(point.local);
  Vec3d position = Vec3d::Zero();
  for (int corner = 0; corner < 8; ++corner) position += weights[corner] * nodes[lattice.corners[point.cell][corner]];
  return position;
}

bool share_a_node(const FleshLattice& lattice, std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  for (const std::uint32_t node : lattice.corners[a]) {
    if (std::find(lattice.corners[b].begin(), lattice.corners[b].end(), node) != lattice.corners[b].end()) return true;
  }
  return false;
}

void add_to_row(const FleshLattice& lattice, const EmbeddedPoint& point, double factor, RankOneTerm& row) {
  const std::array<double, 8> weights = corner_weights(point.local);
  for (int corner = 0; corner < 8; ++corner) {
    if (weights[corner] == 0) continue;
    const std::uint32_t node = lattice.corners[point.cell][corner];
    const auto known = std::find(row.nodes.begin(), row.nodes.end(), node);
    if (known == row.nodes.end()) {
      row.nodes.push_back(node);
      row.weights.push_back(factor * weights[corner]);
    } else {
      row.weights[known - row.nodes.begin()] += factor * weights[corner];
    }
  }
}

}  // namespace

double Contact::energy(double overlap) const {
  if (overlap <= 0) return 0;
  if (overlap <= most_overlap) return 0.5 * overlap * overlap;
  return most_overlap * (overlap - 0.5 * most_overlap);
}

SkinContacts::SkinContacts(const TriangleMesh& mesh, const FleshLattice& lattice, const SkinContactOptions& options)
    : options_(options), cell_(lattice.cell_size), lattice_(&lattice) {
  const SimplifiedMesh copy = simplify_skin(mesh, edge_of_copy * cell_);
  triangles_ = copy.triangles;
  for (std::uint32_t v : copy.vertices) {
    points_.push_back(lattice.skin[v]);
    rest_.push_back(embedded_position(lattice, lattice.skin[v], lattice.rest));
  }
  surface_normals(rest_, triangles_, rest_normals_, rest_triangle_normals_);
  smooth_normals(triangles_, rest_normals_);
  surrounding_ = rings_around(points_.size(), triangles_);
  area_.assign(points_.size(), 0.0);
  for (const Triangle& t : triangles_) {
    const double area = 0.5 * (rest_[t[1]] - rest_[t[0]]).cross(rest_[t[2]] - rest_[t[0]]).norm();
    for (std::uint32_t v : t) area_[v] += area / 3;
  }
  gap_.assign(points_.size(), options.gap * cell_);
  const std::vector<Nearest> touching = nearest_opposite(rest_, options.gap * cell_, true);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    if (touching[v].found) gap_[v] = std::min(gap_[v], touching[v].along);
  }
}

bool SkinContacts::explained_by_rest(std::uint32_t vertex, std::uint32_t triangle) const {
  const Triangle& t = triangles_[triangle];
  for (std::uint32_t corner : t) {
    const auto& around = surrounding_[vertex];
    if (std::binary_search(around.begin(), around.end(), corner)) return true;
    if (share_a_node(*lattice_, points_[vertex].cell, points_[corner].cell)) return true;
  }
  const Vec3d& normal = rest_triangle_normals_[triangle];
  const Vec3d at = closest_barycentric(rest_[vertex], rest_[t[0]], rest_[t[1]], rest_[t[2]]);
  const Vec3d from = rest_[vertex] - (at[0] * rest_[t[0]] + at[1] * rest_[t[1]] + at[2] * rest_[t[2]]);
  return from.dot(normal) < -straight_behind * from.norm() && from.norm() < 2 * options_.reach * cell_;
}

std::vector<SkinContacts::Nearest> SkinContacts::nearest_opposite(const std::vector<Vec3d>& positions, double front,
                                                                  bool at_rest) const {
  std::vector<Vec3d> normals, triangle_normals;
  surface_normals(positions, triangles_, normals, triangle_normals);
  smooth_normals(triangles_, normals);
  const double reach = options_.reach * cell_, beside = sideways * cell_;
  const PointGrid grid(positions, cell_);
  std::vector<Nearest> nearest(positions.size());
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const Vec3d &a = positions[triangles_[t][0]], &b = positions[triangles_[t][1]], &c = positions[triangles_[t][2]];
    const Vec3d& normal = triangle_normals[t];
    // Turned over inside a sharp crease: its own normal says nothing.
    const Vec3d mean = normals[triangles_[t][0]] + normals[triangles_[t][1]] + normals[triangles_[t][2]];
    if (normal.dot(mean) < 1.0) continue;
    AABBd box(a);
    box.extend(b);
    box.extend(c);
    AABBd behind = box;  // swept backwards by the reach and forwards by the margin
    behind.extend(box.min() - reach * normal);
    behind.extend(box.max() - reach * normal);
    behind.extend(box.min() + front * normal);
    behind.extend(box.max() + front * normal);
    grid.visit(behind, [&](std::uint32_t v) {
      if (normals[v].dot(normal) > opposite) return;
      const double along = normal.dot(positions[v] - a);
      if (along > front || along < -reach) return;
      const Vec3d at = closest_barycentric(positions[v], a, b, c);
      const Vec3d apart = positions[v] - (at[0] * a + at[1] * b + at[2] * c);
      const double distance = apart.norm();
      if (nearest[v].found && nearest[v].distance <= distance) return;
      if ((apart - along * normal).norm() > beside) return;
      if (explained_by_rest(v, t)) return;
      nearest[v] = {distance, along, t, at, normal, true};
    });
  }
  // At rest only what lies before the skin counts: what lies behind it is left out by explained_by_rest anyway.
  if (at_rest) {
    for (Nearest& one : nearest) one.found = one.found && one.along >= 0;
  }
  return nearest;
}

std::vector<Contact> SkinContacts::find(const std::vector<Vec3d>& nodes, double margin) const {
  std::vector<Vec3d> positions(points_.size());
  for (std::size_t v = 0; v < points_.size(); ++v) positions[v] = embedded_position(*lattice_, points_[v], nodes);
  const std::vector<Nearest> nearest = nearest_opposite(positions, (options_.gap + margin) * cell_, false);
  std::vector<Contact> contacts;
  for (std::size_t v = 0; v < points_.size(); ++v) {
    if (!nearest[v].found || nearest[v].along > gap_[v] + margin * cell_) continue;
    Contact contact;
    contact.gap = gap_[v];
    contact.distance = nearest[v].along;
    contact.most_overlap = options_.most_overlap * cell_;
    contact.row.stiffness = options_.stiffness / cell_ * area_[v];
    contact.row.direction = nearest[v].normal;
    add_to_row(*lattice_, points_[v], 1.0, contact.row);
    for (int corner = 0; corner < 3; ++corner) {
      const double share = nearest[v].barycentric[corner];
      if (share > 0) add_to_row(*lattice_, points_[triangles_[nearest[v].triangle][corner]], -share, contact.row);
    }
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

double SkinContacts::deepest(const std::vector<Contact>& contacts) {
  double depth = 0;
  for (const Contact& contact : contacts) depth = std::max(depth, -contact.distance);
  return depth;
}

}  // namespace sinew
