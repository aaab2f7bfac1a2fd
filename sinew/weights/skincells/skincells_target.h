// The distance between a SkinCells field and wanted weights at points, and its gradient.
//
//   mean over points of |w(x) - wanted|²
//
// Serves two ends: fitting the field to the weights of another method before it is optimised over poses (and keeping it
// near them), and painted weights. Points are taken in blocks, so that a step may look at a part of them only.
// Internal to the skincells method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/weights/skincells/skincells_kernel.h"

namespace sinew::skincells {

class TargetLoss {
 public:
  // `unit_box`: where the field is evaluated. `wanted`: per point, in the same order, by joint.
  TargetLoss(const SkinCellField& field, const std::vector<Vec3f>& unit_box, const SkinWeights& wanted);

  std::size_t block_count() const { return points_.size(); }
  bool empty() const { return points_.empty(); }

  // The loss over these blocks (each index at most once). `factor` times its derivative by every parameter is added to
  // `gradient` unless that is empty. Same bits at any thread count.
  double evaluate(const SkinCellField& field, std::span<const std::uint32_t> blocks, double factor,
                  std::span<double> gradient) const;
  // Over all blocks.
  double evaluate(const SkinCellField& field, double factor, std::span<double> gradient) const;

 private:
  struct Points {
    float x[3][lanes];
    int used;
  };
  int cells_;
  std::vector<Points> points_;
  std::vector<float> wanted_;  // [block][cell][lane]
};

}  // namespace sinew::skincells
