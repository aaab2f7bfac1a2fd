// A good triangle mesh out of a bad one: well-shaped triangles of a wished size, and an exact number of vertices.
//
// Isotropic remeshing by splits, collapses, flips and tangential smoothing (Botsch and Kobbelt, "A Remeshing Approach
// to Multiresolution Modeling", SGP 2004, section 4), with a sizing field and with every vertex pulled back to the
// surface by the caller. Topology never changes; boundaries stay boundaries.
#pragma once

#include <cstddef>
#include <functional>

#include "sinew/mesh.h"
#include "sinew/progress.h"

namespace sinew {

struct RemeshOptions {
  std::size_t vertex_count = 0;  // of the result, hit to one or two unless topology forbids it
  double boundary_cost = 1.0;    // what a boundary vertex counts: 0.5 for the half of a mesh that will be mirrored
  // Wished edge length at a place, up to a common factor that is found from vertex_count. Called from several threads.
  std::function<double(const Vec3d&)> edge_length;
  // Moves a point back to the surface; `on_boundary` points must stay on the boundary curve.
  // Called from several threads.
  std::function<Vec3d(const Vec3d&, bool on_boundary)> project;
  int passes = 6;
};

// `mesh` must be manifold and consistently oriented; only positions and triangles are read and returned.
TriangleMesh remesh(const TriangleMesh& mesh, const RemeshOptions& options, const Progress& progress = {});

}  // namespace sinew
