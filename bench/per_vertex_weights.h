// Weights optimised vertex by vertex over poses: what the source compares its field with ("the same, then optimised").
//
// The loss is that of SkinCells; the parameters are the logarithms of every vertex's own weights, softmax gives the
// weights back. Joints that a vertex does not have at the start it never gets.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/random.h"
#include "sinew/weights/skincells/skincells.h"
#include "sinew/weights/skincells/skincells_loss.h"
#include "sinew/weights/skincells/skincells_problem.h"

namespace sinew::bench {

class PerVertexModel final : public skincells::WeightModel {
 public:
  // `weights`: per point, joints already renamed to cells.
  explicit PerVertexModel(const SkinWeights& weights) : slots_(weights.influences), cells_(weights.joints) {
    for (float weight : weights.weights) logit.push_back(weight > 0 ? std::log(std::max(weight, 1e-4f)) : absent);
  }

  void weigh(std::size_t index, skincells::Block& block) const override {
    std::fill(block.weight.begin(), block.weight.end(), 0.0f);
    block.active.clear();
    for (int lane = 0; lane < skincells::lanes; ++lane) {
      const std::size_t first = first_slot(index, lane);
      float sum = 0;
      for (int slot = 0; slot < slots_; ++slot) sum += std::exp(logit[first + slot]);
      for (int slot = 0; slot < slots_; ++slot) {
        if (logit[first + slot] <= absent) continue;
        const int cell = cells_[first + slot];
        block.weight[static_cast<std::size_t>(cell) * skincells::lanes + lane] = std::exp(logit[first + slot]) / sum;
        if (std::find(block.active.begin(), block.active.end(), cell) == block.active.end()) {
          block.active.push_back(cell);
        }
      }
    }
  }

  void backpropagate(std::size_t index, skincells::Block& block, std::span<const float> by_weight, int used,
                     std::span<float> gradient) const override {
    for (int lane = 0; lane < used; ++lane) {
      const std::size_t first = first_slot(index, lane);
      const auto at = [&](int slot) {
        return static_cast<std::size_t>(cells_[first + slot]) * skincells::lanes + lane;
      };
      float mean = 0;
      for (int slot = 0; slot < slots_; ++slot) {
        if (logit[first + slot] > absent) mean += block.weight[at(slot)] * by_weight[at(slot)];
      }
      for (int slot = 0; slot < slots_; ++slot) {
        if (logit[first + slot] <= absent) continue;
        gradient[first + slot] += block.weight[at(slot)] * (by_weight[at(slot)] - mean);
      }
    }
  }

  // Weights of all points, by cell.
  SkinWeights weights() const {
    SkinWeights result = make_skin_weights(logit.size() / slots_, slots_);
    for (std::size_t point = 0; point < logit.size() / slots_; ++point) {
      std::vector<Influence> influences;
      for (std::size_t at = point * slots_; at < (point + 1) * slots_; ++at) {
        if (logit[at] > absent) influences.push_back({cells_[at], std::exp(logit[at])});
      }
      set_influences(result, point, influences);
    }
    return result;
  }

  static constexpr float absent = -50.0f;
  std::vector<float> logit;  // [point][slot]

 private:
  std::size_t first_slot(std::size_t index, int lane) const {
    const std::size_t point = std::min(index * skincells::lanes + lane, logit.size() / slots_ - 1);
    return point * slots_;
  }
  int slots_;
  std::vector<std::uint16_t> cells_;
};

// `start`: per vertex of the input, by joint.
inline SkinWeights optimise_per_vertex(const BindInput& input, SkinWeights start, int steps) {
  Random random(input.seed);
  const SkinCellField field = skincells::initial_field(input, 1, random);  // only for its list of cells
  std::vector<std::uint32_t> all(input.vertex_count());
  std::iota(all.begin(), all.end(), 0u);
  skincells::Problem problem = skincells::make_problem(input, field, all);
  const JointLimits limits = default_joint_limits(input.skeleton);
  std::vector<Pose> poses;
  for (int i = 0; i < 512; ++i) poses.push_back(random_pose(input.skeleton, limits, random));
  skincells::add_poses(problem, input, field, poses);

  std::vector<std::uint16_t> cell_of(input.joint_count(), 0);
  for (int cell = 0; cell < field.cell_count(); ++cell) cell_of[field.joints[cell]] = static_cast<std::uint16_t>(cell);
  for (std::uint16_t& joint : start.joints) joint = cell_of[joint];
  PerVertexModel model(start);
  constexpr int batch = 16;
  skincells::LossWeights weights;
  weights.stretch = SkinCellsOptions{}.stretch;
  skincells::Loss loss(problem, field.cell_count(), batch);
  std::vector<double> gradient(model.logit.size()), mean(gradient.size(), 0.0), square(gradient.size(), 0.0);
  for (int step = 0; step < steps; ++step) {
    std::vector<int> drawn;
    for (int i = 0; i < batch; ++i) drawn.push_back(static_cast<int>(random.below(poses.size())));
    loss.evaluate(model, weights, drawn, gradient);
    const double rate = 0.05 * 0.5 * (1.0 + std::cos(3.14159265 * step / steps));
    for (std::size_t i = 0; i < gradient.size(); ++i) {  // Adam
      mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
      square[i] = 0.99 * square[i] + 0.01 * gradient[i] * gradient[i];
      const double unbiased = std::sqrt(square[i] / (1.0 - std::pow(0.99, step + 1))) + 1e-9;
      if (model.logit[i] <= PerVertexModel::absent) continue;
      model.logit[i] = static_cast<float>(
          std::max(-30.0, model.logit[i] - rate * mean[i] / (1.0 - std::pow(0.9, step + 1)) / unbiased));
    }
  }
  SkinWeights result = model.weights();
  for (std::size_t i = 0; i < result.joints.size(); ++i) {
    result.joints[i] = static_cast<std::uint16_t>(result.weights[i] > 0 ? field.joints[result.joints[i]] : 0);
  }
  return result;
}

}  // namespace sinew::bench
