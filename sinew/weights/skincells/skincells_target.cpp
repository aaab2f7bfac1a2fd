#include "sinew/weights/skincells/skincells_target.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"

namespace sinew::skincells {
namespace {

constexpr std::size_t target_blocks_per_chunk = 8;  // fixed, so that sums do not depend on the thread count

}  // namespace

TargetLoss::TargetLoss(const SkinCellField& field, const std::vector<Vec3f>& unit_box, const SkinWeights& wanted)
    : cells_(field.cell_count()) {
  const std::size_t blocks = (unit_box.size() + lanes - 1) / lanes;
  points_.resize(blocks);
  wanted_.assign(blocks * static_cast<std::size_t>(cells_) * lanes, 0.0f);
  for (std::size_t block = 0; block < blocks; ++block) {
    Points& points = points_[block];
    points.used = static_cast<int>(std::min<std::size_t>(lanes, unit_box.size() - block * lanes));
    for (int lane = 0; lane < lanes; ++lane) {
      const std::size_t point = block * lanes + static_cast<std::size_t>(std::min(lane, points.used - 1));
      for (int axis = 0; axis < 3; ++axis) points.x[axis][lane] = unit_box[point][axis];
      for (int cell = 0; cell < cells_; ++cell) {
        wanted_[(block * cells_ + cell) * lanes + lane] = wanted.weight_of(point, field.joints[cell]);
      }
    }
  }
}

double TargetLoss::evaluate(const SkinCellField& field, std::span<const std::uint32_t> blocks, double factor,
                            std::span<double> gradient) const {
  if (blocks.empty()) return 0.0;
  const Cells cells(field);
  std::size_t count = 0;
  for (std::uint32_t block : blocks) count += static_cast<std::size_t>(points_[block].used);
  const auto share = static_cast<float>(2.0 * factor / static_cast<double>(count));
  const std::size_t chunks = (blocks.size() + target_blocks_per_chunk - 1) / target_blocks_per_chunk;
  std::vector<double> squares(chunks, 0.0);
  std::vector<std::vector<float>> gradients(chunks);
  parallel_for(blocks.size(), target_blocks_per_chunk, [&](std::size_t begin, std::size_t end) {
    const std::size_t chunk = begin / target_blocks_per_chunk, size = static_cast<std::size_t>(cells_) * lanes;
    gradients[chunk].assign(gradient.size(), 0.0f);
    Block block(cells_);
    std::vector<float> by_weight(size);
    for (std::size_t b = begin; b < end; ++b) {
      const Points& points = points_[blocks[b]];
      std::copy_n(&points.x[0][0], 3 * lanes, &block.x[0][0]);
      skincells::evaluate(cells, block);
      const float* wanted = wanted_.data() + blocks[b] * size;
      float square[lanes] = {};
      for (std::size_t at = 0; at < size; at += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const float difference = block.weight[at + lane] - wanted[at + lane];
          square[lane] += difference * difference;
          by_weight[at + lane] = share * difference;
        }
      }
      squares[chunk] += std::accumulate(square, square + points.used, 0.0);
      if (!gradient.empty()) backpropagate(cells, block, by_weight, points.used, gradients[chunk]);
    }
  });
  for (const std::vector<float>& part : gradients) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part[i];
  }
  return std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(count);
}

double TargetLoss::evaluate(const SkinCellField& field, double factor, std::span<double> gradient) const {
  std::vector<std::uint32_t> all(points_.size());
  std::iota(all.begin(), all.end(), 0u);
  return evaluate(field, all, factor, gradient);
}

}  // namespace sinew::skincells
