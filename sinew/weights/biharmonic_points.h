// The points that carry the biharmonic weights, and who sees whom: internal to the biharmonic solver.
#pragma once

#include <vector>

#include "sinew/mesh/solid_domain.h"
#include "sinew/mesh/volume_samples.h"
#include "sinew/weights/biharmonic.h"
#include "sinew/weights/biharmonic_sparse.h"

namespace sinew {

struct BiharmonicPoints {
  std::vector<Vec3f> positions;  // along a space-filling curve, so that near points are near in memory
  std::vector<float> spacing;
  std::vector<float> volume;
  std::vector<int> handle;         // the handle a point lies on, or -1
  std::vector<double> insideness;  // weight of the point's energy, 0 … 1
  IndexRows neighbours;            // visible ones, nearest first, without the point itself

  std::size_t count() const { return positions.size(); }
};

// `warnings` receives what had to be done about handles outside the shape.
BiharmonicPoints make_biharmonic_points(const SolidDomain& domain, const SpacingField& spacing,
                                        const std::vector<BiharmonicHandle>& handles, const BiharmonicOptions& options,
                                        Warnings& warnings);

// Indices of the `wanted` nearest points that `from` sees, nearest first; `exclude` is left out.
class VisibleNeighbours {
 public:
  VisibleNeighbours(const SolidDomain& domain, const std::vector<Vec3f>& points);
  ~VisibleNeighbours();
  void find(const Vec3f& from, int wanted, std::int64_t exclude, std::vector<std::uint32_t>& result) const;

 private:
  const SolidDomain& domain_;
  const std::vector<Vec3f>& points_;
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace sinew
