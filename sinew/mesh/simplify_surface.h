// The surface that a Simplifier works on: corners, points, and the fine points that hang on its triangles. Internal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh/quadric.h"
#include "sinew/simplify.h"

namespace sinew {

// How the corners of `from` are replaced when it moves into `into`.
struct Collapse {
  double cost = 0;
  std::uint32_t from = 0, into = 0;
  std::vector<std::array<std::uint32_t, 2>> vertex_map;  // vertex of `from` → vertex of `into`
};

struct SimplifySurface {
  SimplifyOptions options;
  const SimplifyAttributes attributes;
  std::vector<Vec3d> position;                           // per point
  std::vector<std::uint32_t> point_of;                   // per vertex
  std::vector<Triangle> corners;                         // vertices; a dead triangle keeps its last ones
  std::vector<std::uint32_t> part_of;                    // per triangle
  std::vector<std::uint8_t> alive;                       // per triangle
  std::vector<std::vector<std::uint32_t>> triangles_of;  // per point
  std::vector<std::uint32_t> uses;                       // per vertex: corners that name it
  std::vector<Quadric> quadric;                          // per point
  std::vector<double> area;                              // per point: of the input's triangles it stands for
  std::size_t live_vertices = 0, live_points = 0;
  double largest_error = 0;

  // Connected pieces, when they matter: the piece of every point, half the bounding diagonal of every piece, and the
  // pieces that may go, the smallest last.
  std::vector<std::uint32_t> piece_of;
  std::vector<double> piece_size;
  std::vector<std::uint32_t> droppable;
  std::size_t dropped = 0;

  // Points of the last level and where they hang.
  struct Hung {
    Vec3d position = Vec3d::Zero(), normal = Vec3d::Zero();
    std::uint32_t triangle = 0xffffffffu;
    Vec3d weights{1, 0, 0};
  };
  std::vector<Hung> hung;                           // per point of the input; only those of the last level are used
  std::vector<std::vector<std::uint32_t>> hung_on;  // per triangle

  SimplifySurface(const TriangleMesh& mesh, const SimplifyAttributes& attributes_in,
                  const std::vector<std::uint32_t>& parts, const SimplifyOptions& options_in);

  std::uint32_t point(std::uint32_t triangle, int k) const { return point_of[corners[triangle][k]]; }
  bool has(std::uint32_t triangle, std::uint32_t p) const;
  Vec3d scaled_normal(std::uint32_t triangle) const;  // twice the area long
  Vec3d weights_at(std::uint32_t triangle, const Vec3d& p) const;
  Vec3d place(std::uint32_t triangle, const Vec3d& weights) const;

  // Neighbours of a point and how many triangles each shares with it, ascending.
  void neighbours(std::uint32_t p, std::vector<std::array<std::uint32_t, 2>>& result) const;

  // The cheapest legal collapse of a point; false when there is none.
  bool best_collapse(std::uint32_t from, Collapse& best) const;
  void apply(const Collapse& collapse);

  // Whether the smallest piece that is left may go: the error is as large as the piece, or `stuck`, when nothing else can
  // become coarser and the error may still grow that far.
  bool next_piece_may_go(bool stuck) const;
  void drop_next_piece();

  // Every point hangs on itself from now on; called at the beginning of a level.
  void hang_all();
  // Moves hung points to neighbouring triangles that lie nearer.
  void settle();

 private:
  bool may_collapse(const Collapse& collapse, const std::vector<std::array<std::uint32_t, 2>>& ring) const;
  bool map_vertices(Collapse& collapse, bool& moves_seam) const;
  bool keeps_shape(const Collapse& collapse) const;
  double attribute_error(const Collapse& collapse) const;
  void add_border_planes();
  void find_pieces();
  bool within_limits(const Collapse& collapse) const;
  void rehang(const std::vector<std::uint32_t>& points, const std::vector<std::uint32_t>& candidates);
  std::uint32_t mapped(const Collapse& collapse, std::uint32_t vertex) const;
};

}  // namespace sinew
