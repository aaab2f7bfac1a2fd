// The surface f = 0 of a function of space, as a closed, manifold triangle mesh whose resolution follows a wish.
//
// An octree is refined only where the surface may be, down to the cell size that the caller wants there. Every leaf is
// cut into tetrahedra (its centre, the centre of a face, an edge of that face) that fit their neighbours across a
// change of level, and the surface is taken from those tetrahedra: no ambiguous cases, no cracks, no non-manifold
// edges. The triangles are many and badly shaped: they carry the shape and the topology,
// remesh.h makes a good mesh of them.
#pragma once

#include <functional>

#include "sinew/eigen_types.h"
#include "sinew/mesh.h"

namespace sinew {

// Negative inside. Away from the surface the value must be at least roughly a distance: see ImplicitOptions::reach.
// Called from several threads.
using ScalarField = std::function<double(const Vec3d&)>;

struct ImplicitOptions {
  AABBd box;  // must hold the surface, or cut it: the mesh is open where the surface leaves the box at its lower faces
  ScalarField cell_size;       // wished edge length of the octree's cells at a place, in units of the box; > 0
  double largest_cell = 0.05;  // cells are refined at least to this, whatever cell_size says
  // A cell is thought free of the surface when |f| at its centre exceeds `reach` times its half diagonal: the factor by
  // which |f| may exceed the true distance.
  double reach = 2.0;
};

// Throws Error(failed) when the surface has a hole that is not on the box's lower faces: `reach` is too small for this
// field, or the surface leaves the box. The box's lower faces are cut exactly: vertices there have exactly the
// coordinate of the face.
TriangleMesh implicit_surface(const ScalarField& field, const ImplicitOptions& options);

}  // namespace sinew
