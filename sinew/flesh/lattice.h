// The volume of a body as a lattice of cubes that any surface can be given, with the skin embedded in it.
//
// The inside is found by the winding number (mesh/solid_domain.h), so holes, flipped triangles, overlapping shells and
// self-intersections need no repair. A cube that holds several pieces of flesh without a way from one to the other
// inside it (two fingers, two thighs, both lips) is there several times, once per piece, and neighbouring copies share
// their nodes only where flesh or skin goes on from one to the other: parts that lie close together are never glued,
// however coarse the lattice. (Virtual nodes: Molino, Bao and Fedkiw, "A Virtual Node Algorithm for Changing Mesh
// Topology during Simulation", 2004; as embedding for flesh: McAdams et al., "Efficient Elasticity for Character
// Skinning with Contact and Collisions", 2011, section 4.)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/error.h"
#include "sinew/mesh.h"
#include "sinew/progress.h"

namespace sinew {

// A place in a cell: coordinates along its x, y and z edges, each in [0, 1].
struct EmbeddedPoint {
  std::uint32_t cell = 0;
  Vec3f local{0, 0, 0};
};

struct FleshLattice {
  static constexpr int cuts = 4;  // a cell is looked at in 4 × 4 × 4 small cubes, one bit each

  double cell_size = 0;  // edge of a cube, in the unit of the mesh
  Vec3d origin = Vec3d::Zero();
  std::vector<std::array<int, 3>> place;              // per cell: which cube of space it is; several cells may share it
  std::vector<std::array<std::uint32_t, 8>> corners;  // per cell: nodes; bit 0, 1, 2 of the corner: far end in x, y, z
  std::vector<std::uint64_t> filled;                  // per cell: which of its small cubes are flesh, x fastest
  std::vector<Vec3d> rest;                            // per node
  std::vector<EmbeddedPoint> skin;                    // per vertex of the mesh
  Warnings warnings;

  std::size_t cell_count() const { return corners.size(); }
  std::size_t node_count() const { return rest.size(); }
  // Part of the cube that is flesh, 0 … 1; 0 where only skin passes.
  double fill(std::size_t cell) const;
  // Where the centre of a small cube is.
  Vec3d small_cube(std::size_t cell, int index) const;
};

// Weights of the eight corners at a place in a cell.
std::array<double, 8> corner_weights(const Vec3f& local);

struct LatticeOptions {
  double cell_size = 0;  // 0: chosen so that there are about `cells` of them
  int cells = 15'000;    // 100 … 1,000,000
};

// `mesh` should be welded (mesh/weld.h): two sides of a seam are otherwise joined only through the flesh beneath.
// Throws Error(bad_input) for point clouds, flat meshes, and when the lattice would exceed 100 million cubes of space.
FleshLattice build_lattice(const TriangleMesh& mesh, const LatticeOptions& options, const Progress& progress = {});

}  // namespace sinew
