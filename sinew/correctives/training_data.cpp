#include "sinew/correctives/training_data.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <map>

#include "sinew/base/parallel.h"

namespace sinew {

void split_frames(const TrainingShapes& shapes, const TrainOptions& options, TrainingData& data) {
  std::map<std::string, std::vector<std::size_t>> motions;
  for (std::size_t i = 0; i < shapes.size(); ++i) motions[shapes.motion(i)].push_back(i);
  for (const std::string& name : options.test_motions) {
    if (!motions.contains(name)) {
      std::string there;
      for (const auto& [other, frames] : motions) there += (there.empty() ? "" : ", ") + other;
      throw Error(ErrorCode::motion_unknown, "there are no shapes of a motion '" + name + "'", "there are: " + there);
    }
  }
  data.test_motions = options.test_motions;
  const double wanted = options.test_share * static_cast<double>(shapes.size());
  if (data.test_motions.empty() && motions.size() > 1) {
    // The motion whose length is nearest to the share; ties by name.
    double nearest = 1e300;
    for (const auto& [name, frames] : motions) {
      const double off = std::abs(static_cast<double>(frames.size()) - wanted);
      if (off >= nearest) continue;
      nearest = off;
      data.test_motions = {name};
    }
  }
  for (const auto& [name, frames] : motions) {
    const bool test = std::find(data.test_motions.begin(), data.test_motions.end(), name) != data.test_motions.end();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const bool tail = motions.size() == 1 && options.test_motions.empty() &&
                        static_cast<double>(i) >= static_cast<double>(frames.size()) - wanted;
      (test || tail ? data.test : data.train).push_back(frames[i]);
    }
  }
  if (data.test_motions.empty() && !data.test.empty()) {
    data.warnings.push_back({"one-motion",
                             "all shapes belong to one motion; its last frames are kept for testing, which "
                             "says less than a motion never seen"});
  }
  std::sort(data.train.begin(), data.train.end());
  std::sort(data.test.begin(), data.test.end());
  if (data.train.size() < 8 || data.test.empty()) {
    throw Error(ErrorCode::training_data_invalid,
                std::to_string(data.train.size()) + " shapes to train and " + std::to_string(data.test.size()) +
                    " to test are too few",
                "a few hundred are a good start");
  }
}

void undo_skinning(const TrainingShapes& shapes, const LodLevel& finest, TrainingData& data, const Progress& progress) {
  constexpr float damping = 1e-3f;
  const Character& character = shapes.character();
  const SkinWeights& weights = character.weights;
  std::vector<std::uint32_t> vertex_of(finest.point_count, no_point);  // the first vertex of each point
  for (std::uint32_t v = 0; v < finest.point_of.size(); ++v) {
    if (finest.point_of[v] != no_point && vertex_of[finest.point_of[v]] == no_point) vertex_of[finest.point_of[v]] = v;
  }
  data.features.resize(3 * character.skeleton.joint_count(), static_cast<Eigen::Index>(data.train.size()));
  data.displacements.resize(3 * static_cast<Eigen::Index>(finest.point_count), data.features.cols());
  const std::size_t batch = 32;
  for (std::size_t first = 0; first < data.train.size(); first += batch) {
    progress(static_cast<double>(first) / static_cast<double>(data.train.size()), "reading shapes");
    const std::size_t count = std::min(batch, data.train.size() - first);
    parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i) {
        const Pose& pose = shapes.pose(data.train[i]);
        const auto column = static_cast<Eigen::Index>(i);
        data.features.col(column) = pose_features(character.skeleton, pose);
        const std::vector<Vec3f> shape = shapes.positions(data.train[i]);
        std::vector<Eigen::Matrix<float, 3, 4>> matrices;
        for (const Affine3d& t : skinning_transforms(character.skeleton, pose)) {
          matrices.push_back(t.matrix().topRows<3>().cast<float>());
        }
        for (std::size_t p = 0; p < finest.point_count; ++p) {
          const std::uint32_t v = vertex_of[p];
          Eigen::Matrix<float, 3, 4> blended = Eigen::Matrix<float, 3, 4>::Zero();
          float sum = 0;
          for (int slot = 0; slot < weights.influences; ++slot) {
            const std::size_t s = std::size_t{v} * weights.influences + slot;
            blended += weights.weights[s] * matrices[weights.joints[s]];
            sum += weights.weights[s];
          }
          Vec3f displacement = Vec3f::Zero();
          if (sum > 0) {
            const Eigen::Matrix3f m = blended.leftCols<3>();
            const Vec3f off = shape[v] - m * character.mesh.positions[v] - blended.col(3);
            const Eigen::Matrix3f system = m.transpose() * m + damping * Eigen::Matrix3f::Identity();
            displacement = system.llt().solve(m.transpose() * off);
          }
          data.displacements.block<3, 1>(3 * static_cast<Eigen::Index>(p), column) = displacement;
        }
      }
    });
  }
}

}  // namespace sinew
