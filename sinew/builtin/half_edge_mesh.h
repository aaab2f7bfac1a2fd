// A triangle mesh whose edges can be split, collapsed and flipped: what remeshing works on.
//
// Half-edge h = 3 * triangle + k runs from corner k to corner k+1 of its triangle. Removed triangles and vertices stay
// as gaps until `compact`. The mesh must be manifold with consistent orientation; it may have boundaries.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

class HalfEdgeMesh {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  // Throws Error(bad_input) for an edge with more than two triangles, or two triangles that run along it the same way.
  explicit HalfEdgeMesh(const TriangleMesh& mesh);

  // In double, because thousands of small moves add up.
  std::vector<Vec3d> positions;

  std::uint32_t half_edge_count() const { return static_cast<std::uint32_t>(origin_.size()); }
  std::uint32_t vertex_count() const { return live_vertices_; }  // without the removed ones
  bool alive(std::uint32_t half_edge) const { return origin_[half_edge] != none; }
  bool vertex_alive(std::uint32_t vertex) const { return edge_of_[vertex] != none; }

  static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static std::uint32_t previous(std::uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
  std::uint32_t twin(std::uint32_t h) const { return twin_[h]; }
  std::uint32_t from(std::uint32_t h) const { return origin_[h]; }
  std::uint32_t to(std::uint32_t h) const { return origin_[next(h)]; }
  std::uint32_t opposite(std::uint32_t h) const { return origin_[previous(h)]; }
  double length(std::uint32_t h) const { return (positions[to(h)] - positions[from(h)]).norm(); }

  // Half-edges leaving a vertex, in order around it, beginning at the boundary when it has one.
  void outgoing(std::uint32_t vertex, std::vector<std::uint32_t>& result) const;
  // Neighbours of a vertex; on a boundary one more than `outgoing` has.
  void neighbours(std::uint32_t vertex, std::vector<std::uint32_t>& result) const;
  bool on_boundary(std::uint32_t vertex) const;

  // Puts a new vertex at `position` on an edge and returns it.
  std::uint32_t split(std::uint32_t half_edge, const Vec3d& position);
  // Moves from(h) into to(h). Call only when can_collapse: otherwise the mesh would stop being manifold.
  bool can_collapse(std::uint32_t half_edge) const;
  void collapse(std::uint32_t half_edge);
  // Replaces an inner edge by the other diagonal of its two triangles. Call only when can_flip.
  bool can_flip(std::uint32_t half_edge) const;
  void flip(std::uint32_t half_edge);

  // Positions and triangles without gaps. `old_vertex`, when given, receives the index each vertex had here.
  TriangleMesh compact(std::vector<std::uint32_t>* old_vertex = nullptr) const;

 private:
  void link(std::uint32_t a, std::uint32_t b);

  std::vector<std::uint32_t> origin_, twin_, edge_of_;
  std::uint32_t live_vertices_ = 0;
};

}  // namespace sinew
