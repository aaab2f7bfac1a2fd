#include "sinew/builtin/half_edge_mesh.h"

#include <algorithm>

#include "sinew/base/numbering.h"
#include "sinew/error.h"

namespace sinew {

HalfEdgeMesh::HalfEdgeMesh(const TriangleMesh& mesh) {
  check_mesh(mesh);
  positions.reserve(mesh.positions.size());
  for (const Vec3f& p : mesh.positions) positions.push_back(p.cast<double>());
  edge_of_.assign(positions.size(), none);
  origin_.reserve(mesh.triangles.size() * 3);
  twin_.assign(mesh.triangles.size() * 3, none);
  Numbering<std::uint64_t, KeyHash> edge_from_to;  // numbers half-edges as they come
  edge_from_to.reserve(mesh.triangles.size() * 3);
  for (const Triangle& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const auto h = static_cast<std::uint32_t>(origin_.size());
      const std::uint64_t a = triangle[k], b = triangle[(k + 1) % 3];
      origin_.push_back(triangle[k]);
      edge_of_[triangle[k]] = h;
      if (a == b || edge_from_to.number((a << 32) | b) != h) {
        throw Error(ErrorCode::mesh_degenerate,
                    "the mesh is not manifold or not consistently oriented at vertex " + std::to_string(a));
      }
      const std::uint32_t reverse = edge_from_to.find((b << 32) | a);
      if (reverse != none) link(h, reverse);
    }
  }
  live_vertices_ = static_cast<std::uint32_t>(
      std::count_if(edge_of_.begin(), edge_of_.end(), [](std::uint32_t h) { return h != none; }));
}

void HalfEdgeMesh::link(std::uint32_t a, std::uint32_t b) {
  if (a != none) twin_[a] = b;
  if (b != none) twin_[b] = a;
}

void HalfEdgeMesh::outgoing(std::uint32_t vertex, std::vector<std::uint32_t>& result) const {
  result.clear();
  std::uint32_t start = edge_of_[vertex];
  // Clockwise to the boundary, or once around.
  for (std::uint32_t h = start; twin_[h] != none;) {
    h = next(twin_[h]);
    if (h == edge_of_[vertex]) break;
    start = h;
  }
  if (twin_[start] != none) start = edge_of_[vertex];
  std::uint32_t h = start;
  do {
    result.push_back(h);
    h = twin_[previous(h)];
  } while (h != none && h != start);
}

void HalfEdgeMesh::neighbours(std::uint32_t vertex, std::vector<std::uint32_t>& result) const {
  outgoing(vertex, result);
  const std::uint32_t last = previous(result.back());
  const bool open = twin_[last] == none;
  for (std::uint32_t& h : result) h = to(h);
  if (open) result.push_back(origin_[last]);
}

bool HalfEdgeMesh::on_boundary(std::uint32_t vertex) const {
  const std::uint32_t start = edge_of_[vertex];
  std::uint32_t h = start;
  do {
    if (twin_[h] == none) return true;
    h = next(twin_[h]);
  } while (h != start);
  return false;
}

std::uint32_t HalfEdgeMesh::split(std::uint32_t half_edge, const Vec3d& position) {
  const auto middle = static_cast<std::uint32_t>(positions.size());
  positions.push_back(position);
  edge_of_.push_back(none);
  ++live_vertices_;
  // (a, b, c) with half-edge a→b becomes (a, m, c), and (m, b, c) is new.
  const auto halve = [&](std::uint32_t h) {
    const std::uint32_t b = to(h), c = opposite(h), outer = twin_[next(h)];
    const auto fresh = static_cast<std::uint32_t>(origin_.size());
    origin_.insert(origin_.end(), {middle, b, c});
    twin_.insert(twin_.end(), {none, none, none});
    origin_[next(h)] = middle;
    link(fresh + 1, outer);
    link(next(h), fresh + 2);
    edge_of_[b] = fresh + 1;
    edge_of_[c] = fresh + 2;
    return fresh;
  };
  const std::uint32_t other = twin_[half_edge];
  const std::uint32_t fresh = halve(half_edge);
  edge_of_[middle] = fresh;
  if (other != none) {
    const std::uint32_t other_fresh = halve(other);
    link(half_edge, other_fresh);
    link(other, fresh);
  }
  return middle;
}

bool HalfEdgeMesh::can_collapse(std::uint32_t half_edge) const {
  const std::uint32_t a = from(half_edge), b = to(half_edge), other = twin_[half_edge];
  const bool boundary_edge = other == none;
  if (!boundary_edge && on_boundary(a) && on_boundary(b)) return false;
  static thread_local std::vector<std::uint32_t> around_a, around_b;
  neighbours(a, around_a);
  neighbours(b, around_b);
  int common = 0;
  for (const std::uint32_t v : around_a) common += std::count(around_b.begin(), around_b.end(), v) > 0;
  if (common != (boundary_edge ? 1 : 2)) return false;
  // The vertices opposite the edge lose one triangle, and what is left must still be a surface.
  const auto keeps_enough = [&](std::uint32_t h) {
    static thread_local std::vector<std::uint32_t> ring;
    outgoing(opposite(h), ring);
    return ring.size() > (on_boundary(opposite(h)) ? 1u : 3u) && (twin_[next(h)] != none || twin_[previous(h)] != none);
  };
  return keeps_enough(half_edge) && (boundary_edge || keeps_enough(other));
}

void HalfEdgeMesh::collapse(std::uint32_t half_edge) {
  const std::uint32_t a = from(half_edge), b = to(half_edge), other = twin_[half_edge];
  static thread_local std::vector<std::uint32_t> around;
  outgoing(a, around);
  for (const std::uint32_t h : around) origin_[h] = b;
  const auto remove = [&](std::uint32_t h) {
    const std::uint32_t left = twin_[next(h)], right = twin_[previous(h)], c = opposite(h);
    if (left != none) twin_[left] = right;
    if (right != none) twin_[right] = left;
    // A half-edge that still leaves b, and one that still leaves c.
    edge_of_[b] = left != none ? next(left) : right;
    edge_of_[c] = left != none ? left : next(right);
    for (const std::uint32_t dead : {h, next(h), previous(h)}) {
      origin_[dead] = none;
      twin_[dead] = none;
    }
  };
  remove(half_edge);
  if (other != none) remove(other);
  edge_of_[a] = none;
  --live_vertices_;
}

bool HalfEdgeMesh::can_flip(std::uint32_t half_edge) const {
  const std::uint32_t other = twin_[half_edge];
  if (other == none) return false;
  const std::uint32_t c = opposite(half_edge), d = opposite(other);
  static thread_local std::vector<std::uint32_t> ring;
  neighbours(c, ring);
  return c != d && std::find(ring.begin(), ring.end(), d) == ring.end();
}

void HalfEdgeMesh::flip(std::uint32_t half_edge) {
  // (a, b, c) and (b, a, d) become (d, c, a) and (c, d, b).
  const std::uint32_t h = half_edge, g = twin_[h];
  const std::uint32_t a = from(h), b = to(h), c = opposite(h), d = opposite(g);
  const std::uint32_t bc = twin_[next(h)], ca = twin_[previous(h)], ad = twin_[next(g)], db = twin_[previous(g)];
  origin_[h] = d;
  origin_[next(h)] = c;
  origin_[previous(h)] = a;
  origin_[g] = c;
  origin_[next(g)] = d;
  origin_[previous(g)] = b;
  link(next(h), ca);
  link(previous(h), ad);
  link(next(g), db);
  link(previous(g), bc);
  edge_of_[a] = previous(h);
  edge_of_[b] = previous(g);
  edge_of_[c] = g;
  edge_of_[d] = h;
}

TriangleMesh HalfEdgeMesh::compact(std::vector<std::uint32_t>* old_vertex) const {
  TriangleMesh mesh;
  std::vector<std::uint32_t> fresh(positions.size(), none);
  if (old_vertex) old_vertex->clear();
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!vertex_alive(v)) continue;
    fresh[v] = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(positions[v].cast<float>());
    if (old_vertex) old_vertex->push_back(v);
  }
  for (std::uint32_t h = 0; h < half_edge_count(); h += 3) {
    if (alive(h)) mesh.triangles.push_back({fresh[origin_[h]], fresh[origin_[h + 1]], fresh[origin_[h + 2]]});
  }
  return mesh;
}

}  // namespace sinew
