// The solver's own unit and origin: internal to the biharmonic solver.
//
// Points are placed by rounded lengths and random numbers, so a shape in another unit, or elsewhere, would get other
// points. Everything inside the solver therefore happens in one box: centred, longest side one. What is left of the
// unit is the last bit of single positions.
#pragma once

#include "sinew/mesh.h"

namespace sinew {

struct BiharmonicFrame {
  Vec3d centre = Vec3d::Zero();
  double extent = 1.0;  // longest side of the box, in the caller's unit

  Vec3d enter(const Vec3d& p) const { return (p - centre) / extent; }
  Vec3f enter(const Vec3f& p) const { return enter(Vec3d(p.cast<double>())).cast<float>(); }
  Vec3f leave(const Vec3f& p) const { return (p.cast<double>() * extent + centre).cast<float>(); }
};

// Bones lie on axes of symmetry, where several walls or points are equally near and rounding would choose among them.
// Whoever asks for the nearest asks from this little aside: far more than rounding, far less than a spacing.
inline const Vec3f off_symmetry(0.61e-5f, 0.47e-5f, 0.64e-5f);

// Of the finite positions; of unit extent when there is none.
inline BiharmonicFrame frame_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : mesh.positions) {
    if (p.allFinite()) box.extend(p.cast<double>());
  }
  if (box.isEmpty() || !(box.sizes().maxCoeff() > 0.0)) return {};
  return {box.center(), box.sizes().maxCoeff()};
}

}  // namespace sinew
