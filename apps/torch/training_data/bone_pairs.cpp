#include "apps/torch/training_data/bone_pairs.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew {

NetMatrix bone_pairs(const NetMatrix& places, const std::vector<Bone>& bones) {
  const Eigen::Index count = bones.empty() ? 0 : bones.back().joint + 1;
  NetMatrix pairs(places.rows() * count, bone_pair_inputs);
  parallel_for(static_cast<std::size_t>(places.rows()), 256, [&](std::size_t begin, std::size_t end) {
    for (auto row = static_cast<Eigen::Index>(begin); row < static_cast<Eigen::Index>(end); ++row) {
      const Vec3d p = places.row(row).transpose().cast<double>();
      double nearest = 1e300;
      auto bone = bones.begin();
      for (Eigen::Index j = 0; j < count; ++j) {
        double least = 1e300, best_along = 0;
        bool point = false;
        for (; bone != bones.end() && bone->joint == j; ++bone) {
          const PointOnBone closest = closest_point_on_bone(*bone, p);
          if (closest.distance >= least) continue;
          least = closest.distance;
          best_along = closest.along;
          point = bone->head == bone->tail;
        }
        nearest = std::min(nearest, least);
        auto out = pairs.row(row * count + j);
        out[0] = static_cast<float>(10 * least);
        out[2] = static_cast<float>(std::clamp(best_along, -1.0, 2.0));
        out[3] = point ? 1.0f : 0.0f;
      }
      for (Eigen::Index j = 0; j < count; ++j) {
        pairs(row * count + j, 1) = pairs(row * count + j, 0) - static_cast<float>(10 * nearest);
      }
    }
  });
  return pairs;
}

}  // namespace sinew
