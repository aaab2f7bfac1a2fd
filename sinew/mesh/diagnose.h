// What is wrong with a triangle mesh, in numbers. Looks at the surface after joining vertices at exactly the same
// place, so that UV and normal seams are not defects.
#pragma once

#include <cstddef>

#include "sinew/mesh.h"

namespace sinew {

struct MeshDefects {
  std::size_t welded_vertices = 0;
  std::size_t components = 0;              // pieces that hang together by shared edges
  std::size_t boundary_edges = 0;          // of one triangle
  std::size_t non_manifold_edges = 0;      // of more than two triangles
  std::size_t inconsistent_edges = 0;      // of two triangles that face opposite ways
  std::size_t degenerate_triangles = 0;    // without area; the ones that name a place twice are left out of all above
  std::size_t duplicate_triangles = 0;     // with the same three places as an earlier one, in any order
  std::size_t isolated_vertices = 0;       // welded vertices of no triangle; 0 for a point cloud
  std::size_t intersecting_triangles = 0;  // in at least one crossing (self_intersections.h)
  double volume = 0;                       // enclosed, holes closed by fans (volume.h); negative when inside out

  bool is_closed() const { return components > 0 && boundary_edges == 0; }
  bool is_watertight() const { return is_closed() && non_manifold_edges == 0 && inconsistent_edges == 0; }
  bool is_inside_out() const { return is_watertight() && volume < 0; }
};

struct DiagnoseOptions {
  bool self_intersections = true;  // the slow part: a few seconds per million triangles
};

// The mesh must be valid (check_mesh).
MeshDefects diagnose(const TriangleMesh& mesh, const DiagnoseOptions& options = {});

}  // namespace sinew
