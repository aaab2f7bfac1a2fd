// The points that carry the biharmonic weights, and who sees whom: internal to the biharmonic solver.
//
// Every piece of the mesh that encloses something is a solid of its own (mesh/solid_pieces.h): its points lie inside
// it, see each other past everything but itself, and see the bones that pass through it.
#pragma once

#include <memory>
#include <vector>

#include "sinew/mesh/solid_domain.h"
#include "sinew/mesh/solid_pieces.h"
#include "sinew/mesh/volume_samples.h"
#include "sinew/weights/biharmonic/biharmonic.h"
#include "sinew/weights/biharmonic/biharmonic_sparse.h"

namespace sinew {

// The shape as the solver sees it. Pieces without extent have no domain and no points.
struct BiharmonicShape {
  SolidPieces pieces;
  std::vector<SolidDomain> domains;
  std::vector<SpacingField> spacing;  // per domain; empty until points are placed
  std::vector<int> domain_of_piece;   // -1: no extent
  double diagonal = 0;                // of the whole mesh

  // Domain of a vertex of the whole mesh, or -1.
  int domain_of_vertex(std::size_t vertex) const { return domain_of_piece[pieces.piece_of[vertex]]; }
};

BiharmonicShape make_biharmonic_shape(const TriangleMesh& mesh, Warnings& warnings);

struct BiharmonicPoints {
  std::vector<Vec3f> positions;  // by domain, and along a space-filling curve: near points are near in memory
  std::vector<float> spacing;
  std::vector<float> volume;
  std::vector<int> domain;
  std::vector<int> handle;         // the handle a point lies on, or -1
  std::vector<float> insideness;   // weight of the point's energy, 0 … 1
  IndexRows neighbours;            // visible ones, nearest first, without the point itself
  std::vector<std::size_t> first;  // of each domain; one more at the end

  std::size_t count() const { return positions.size(); }
};

// Finds near points of one domain that are seen from a place inside it.
class VisibleNeighbours {
 public:
  VisibleNeighbours(const SolidDomain& domain, const BiharmonicPoints& points, int index);
  ~VisibleNeighbours();
  VisibleNeighbours(VisibleNeighbours&&) noexcept;

  // Indices of the `wanted` nearest points that `from` sees, nearest first; `exclude` (or -1) is left out.
  void find(const Vec3f& from, int wanted, std::int64_t exclude, std::vector<std::uint32_t>& result) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Chooses the spacing, places points in all domains, on the handles first, and traces who sees whom. A handle that lies
// in no domain gets the nearest places under the surface; `warnings` names it. With `count_matters` a number of points
// far from options.target is corrected once, which takes as long again.
BiharmonicPoints make_biharmonic_points(BiharmonicShape& shape, const std::vector<BiharmonicHandle>& handles,
                                        const VolumeSampleOptions& options, bool count_matters, Warnings& warnings);
std::vector<VisibleNeighbours> make_visible_neighbours(const BiharmonicShape& shape, const BiharmonicPoints& points);

}  // namespace sinew
