// Bounded biharmonic weights on a regular grid by finite differences and a direct solver: an independent reference.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sinew/weights/biharmonic.h"

namespace sinew::test {

class GridReference {
 public:
  // A box from the origin to `size`, `cells` cells per unit; a size of 0 along z makes a flat rectangle. The ends of
  // the handles' segments must lie on nodes and segments run along an axis. Zero-Neumann boundary.
  GridReference(const Vec3d& size, int cells, const std::vector<BiharmonicHandle>& handles);

  // Places a little inside the box, one per node, and the weights there.
  const std::vector<Vec3f>& places() const { return places_; }
  const Eigen::MatrixXd& weights() const { return weights_; }

 private:
  std::vector<Vec3f> places_;
  Eigen::MatrixXd weights_;
};

}  // namespace sinew::test
