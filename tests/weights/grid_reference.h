// Bounded biharmonic weights on a regular grid by finite differences and a direct solver: an independent reference.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "sinew/weights/biharmonic/biharmonic.h"

namespace sinew::test {

class GridReference {
 public:
  // A box from the origin to `size`, `cells` cells per unit; a size of 0 along z makes a flat rectangle. The ends of
  // the handles' bones must lie on nodes and run along an axis. Zero-Neumann boundary.
  GridReference(const Vec3d& size, int cells, const std::vector<BiharmonicHandle>& handles);

  // Places a little inside the box, one per node, and the weights there.
  const std::vector<Vec3f>& places() const { return places_; }
  const Eigen::MatrixXd& weights() const { return weights_; }

  // Anywhere in the box, linear between the nodes along every axis.
  Eigen::MatrixXd weights_at(const std::vector<Vec3f>& places) const;

 private:
  Eigen::Vector3i nodes_;
  double spacing_ = 0;
  std::vector<Vec3f> places_;
  Eigen::MatrixXd weights_;
};

// Biharmonic energy of any weights in the box from the origin to `size`, by one estimator that knows nothing of how
// they were computed: mean over random places and directions of the squared second difference over `step` to both sides
// (Dodik et al., section 5.1), times the volume; summed over handles. `weights_at` takes places and gives one row each.
double second_difference_energy(const Vec3d& size, double step, int samples,
                                const std::function<Eigen::MatrixXd(const std::vector<Vec3f>&)>& weights_at);

}  // namespace sinew::test
