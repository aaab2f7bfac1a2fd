#include "sinew/lod/lod_deviation.h"

#include <algorithm>

#include "sinew/base/cancellation.h"
#include "sinew/pose_mesh.h"

namespace sinew {
namespace {

constexpr int poses_of_motions = 6;

// Vertices of the coarse level at the points of the finest one.
Eigen::MatrixXf at_finest_points(const LodChain& chain, const std::vector<Vec3f>& posed) {
  const LodLevel& coarse = chain.levels.back();
  Eigen::MatrixXf places(static_cast<Eigen::Index>(coarse.point_count), 3);
  for (std::size_t v = 0; v < coarse.vertices.size(); ++v) {
    if (coarse.point_of[v] != no_point) places.row(coarse.point_of[v]) = posed[coarse.vertices[v]].transpose();
  }
  for (std::size_t level = chain.levels.size(); level-- > 1;) {
    places = prolong(chain.levels[level].to_finer, places);
  }
  return places;
}

}  // namespace

LodDeviation::LodDeviation(const Character& character) {
  posed_.push_back(character.mesh.positions);
  if (!character.has_skin() || character.motions.empty()) return;
  for (int i = 0; i < poses_of_motions; ++i) {
    const Motion& motion = character.motions[static_cast<std::size_t>(i) * character.motions.size() / poses_of_motions];
    if (motion.frame_count() == 0) continue;
    const Pose pose = frame_pose(motion, (2 * i + 1) * motion.frame_count() / (2 * poses_of_motions));
    posed_.push_back(
        pose_positions(character.mesh.positions, character.weights, skinning_transforms(character.skeleton, pose)));
  }
}

double LodDeviation::of(const LodChain& chain) const {
  const LodLevel& finest = chain.levels.front();
  double worst = 0;
  for (const std::vector<Vec3f>& posed : posed_) {
    stop_if_cancelled();
    const Eigen::MatrixXf places = at_finest_points(chain, posed);
    std::vector<float> distances;
    std::vector<bool> seen(finest.point_count, false);
    for (std::size_t v = 0; v < finest.vertices.size(); ++v) {
      const std::uint32_t point = finest.point_of[v];
      if (point == no_point || seen[point]) continue;
      seen[point] = true;
      distances.push_back((places.row(point).transpose() - posed[v]).norm());
    }
    if (distances.empty()) continue;
    const auto at = static_cast<std::ptrdiff_t>(distances.size() * 99 / 100);
    std::nth_element(distances.begin(), distances.begin() + at, distances.end());
    worst = std::max(worst, static_cast<double>(distances[static_cast<std::size_t>(at)]));
  }
  return worst;
}

}  // namespace sinew
