// Self-contact of the skin: where it touches itself in a pose, and the springs that keep it from passing through.
//
// A coarser copy of the skin (simplified to triangles of about half a cell) is looked at: each of its vertices against
// its triangles. A vertex is in contact with a triangle that it faces (opposite normals) when it is closer to its front
// than `gap`, or behind it by at most `reach`. Left out are the vertex's own surroundings, on the skin and in the
// lattice (cells that share a node move as one: what a cell cannot resolve is no contact), and what the rest pose
// explains: a triangle straight behind which the vertex already lay there (the other side of a finger, an ear or a
// foot, surfaces that overlap at rest); where skins already touch at rest, the gap is the one they had.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sinew/flesh/block_system.h"
#include "sinew/flesh/lattice.h"

namespace sinew {

struct SkinContactOptions {
  double gap = 0.05;          // of a cell: the distance at which skins begin to push
  double reach = 0.75;        // of a cell: how deep a penetration is still recognised
  double most_overlap = 0.5;  // of a cell: beyond this the push grows no more, so that nothing is flung away
  double stiffness = 40.0;    // per area, in units of shear modulus / cell
};

// A vertex against a triangle, both through the nodes they are embedded in. `row` gives the signed distance along the
// triangle's normal as a linear function of the nodes; pushes when that is below `gap`.
struct Contact {
  RankOneTerm row;
  double gap = 0;       // in the mesh's unit
  double distance = 0;  // where it was found
  double most_overlap = 0;

  // Energy of the push over its stiffness, at an overlap = gap - distance; and its derivative.
  double energy(double overlap) const;
  double force(double overlap) const { return overlap <= 0 ? 0 : std::min(overlap, most_overlap); }
};

class SkinContacts {
 public:
  // `mesh`: the welded skin that the lattice was built for.
  SkinContacts(const TriangleMesh& mesh, const FleshLattice& lattice, const SkinContactOptions& options);

  // All contacts at most `margin` cells away from pushing, for these positions of the nodes. In order of the vertices.
  std::vector<Contact> find(const std::vector<Vec3d>& nodes, double margin) const;

  // Deepest penetration among `contacts`, in the mesh's unit; 0 when there is none.
  static double deepest(const std::vector<Contact>& contacts);

  std::size_t vertex_count() const { return points_.size(); }
  std::size_t triangle_count() const { return triangles_.size(); }

 private:
  struct Nearest {
    double distance = 0;  // euclidean, to the triangle
    double along = 0;     // signed, along the normal
    std::uint32_t triangle = 0;
    Vec3d barycentric = Vec3d::Zero();
    Vec3d normal = Vec3d::Zero();
    bool found = false;
  };
  std::vector<Nearest> nearest_opposite(const std::vector<Vec3d>& positions, double front, bool at_rest) const;
  bool explained_by_rest(std::uint32_t vertex, std::uint32_t triangle) const;

  SkinContactOptions options_;
  double cell_ = 0;
  const FleshLattice* lattice_ = nullptr;
  std::vector<EmbeddedPoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3d> rest_, rest_normals_, rest_triangle_normals_;
  std::vector<double> area_;                             // per vertex, in the rest pose
  std::vector<double> gap_;                              // per vertex
  std::vector<std::vector<std::uint32_t>> surrounding_;  // per vertex: vertices a few edges away, sorted
};

}  // namespace sinew
