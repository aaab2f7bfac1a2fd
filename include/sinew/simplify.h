// Fewer triangles, the same shape: quadric simplification that keeps a subset of the vertices, and knows for every
// vertex that went where it now lies on the coarser surface.
//
//   Simplifier simplifier(mesh, attributes, options);
//   const SimplifiedMesh half = simplifier.reduce(20'000);      // then, from there on, further
//   const SimplifiedMesh quarter = simplifier.reduce(10'000);
//
// Garland and Heckbert, "Surface simplification using quadric error metrics" (SIGGRAPH 97), as half-edge collapses: a
// vertex moves into a neighbour, so what is left keeps its position, UVs, normal and weights bit for bit. Vertices that
// a file splits at seams are one *point* of the surface here and move together: the surface stays closed, and a seam
// collapses only along itself. Points are found by gluing boundary edges that lie on each other, not by position alone:
// two parts that merely touch stay apart.
//
// Prolongation follows each point through the collapses (after Liu, Zhang, Ben-Chen, Jacobson, "Surface multigrid via
// intrinsic prolongation", SIGGRAPH 2021, with closest points in place of flattenings): when a vertex goes, the points
// on its triangles move to the closest place on the triangles that fill the hole, and nowhere else. So nothing ever
// jumps to another part of the surface that merely lies near, however thin the gap.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/export.h"
#include "sinew/mesh.h"
#include "sinew/progress.h"

namespace sinew {

struct SimplifyOptions {
  // Cost of a collapse besides the quadric: `uniformity` · area · (edge length)². 0 lets flat places run empty; large
  // values spread the vertices evenly.
  double uniformity = 1e-3;
  // Seams and hard edges may change shape where that costs little: twice what it does to the surface, UVs and normals.
  // False: they keep their shape, and the target may not be reached.
  bool may_move_seams = true;
  // Ignore seams altogether: for surfaces that are never drawn.
  bool ignore_seams = false;
  // No collapse with a larger error, a length; 0: no limit. The target may then not be reached.
  double max_error = 0;
  // Pieces of the surface that are connected keep their shape or go as a whole, never as shards: no collapse with an error
  // above this share of half the piece's bounding diagonal, and a piece goes once the error elsewhere has reached half its
  // diagonal. The largest piece stays. 0: pieces do not matter.
  double piece_error = 0;
};

// Where the points of the finer surface lie on the coarser one: each on one triangle; those of a piece that went as a
// whole on the nearest point that is left.
struct Prolongation {
  std::vector<std::array<std::uint32_t, 3>> points;  // coarse points, per fine point
  std::vector<std::array<float, 3>> weights;         // non-negative, sum to 1; exactly 1, 0, 0 for points that stayed
  std::vector<std::uint32_t> kept;  // restriction: the fine point that each coarse point is; restrict ∘ prolong = 1
};

struct SimplifiedMesh {
  std::vector<std::uint32_t> vertices;  // indices into the input mesh, ascending; the triangles' corners count in here
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> input_triangles;  // the triangle of the input that each one has grown from
  std::vector<std::uint32_t> point_of;         // per vertex: the point of the surface it is
  std::size_t point_count = 0;
  Prolongation from_finer;         // from the mesh of the previous reduce (at first: from the input) to this one
  double largest_error = 0;        // root of the largest quadric error per area so far: a length
  std::size_t dropped_pieces = 0;  // that went as a whole, so far
  bool target_reached = false;     // false: no legal collapse was left
};

// One value per vertex and column, already in units of length: an error of 1 in a column costs as much as a distance of
// 1 on the surface. UVs, weights and normals belong here. May have no columns.
using SimplifyAttributes = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class SimplifyCount : std::uint8_t { vertices, points };

class SINEW_API Simplifier {
 public:
  // `part_of_triangle`: triangles of different parts never exchange corners; empty means one part. Throws
  // Error(bad_input) for an invalid mesh, positions that are not finite or arrays of the wrong length.
  Simplifier(const TriangleMesh& mesh, const SimplifyAttributes& attributes,
             const std::vector<std::uint32_t>& part_of_triangle = {}, const SimplifyOptions& options = {});
  ~Simplifier();
  Simplifier(Simplifier&&) noexcept;
  Simplifier& operator=(Simplifier&&) noexcept;

  // The input itself: its points, and each point prolonged to itself.
  const SimplifiedMesh& input() const;

  // Collapses until at most `count` vertices, or points, are left, going on from the last reduce. Once cancelled, the
  // simplifier is of no further use.
  SimplifiedMesh reduce(std::size_t count, SimplifyCount what = SimplifyCount::vertices, const Progress& progress = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The surface's points: vertices joined along boundary edges that lie on each other and run in opposite directions.
// Returns the point of every vertex, numbered in order of first appearance.
SINEW_API std::vector<std::uint32_t> surface_points(const TriangleMesh& mesh, std::size_t* point_count = nullptr);

}  // namespace sinew
