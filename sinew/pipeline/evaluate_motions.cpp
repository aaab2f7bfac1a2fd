#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/evaluate.h"
#include "sinew/retarget/motion_quality.h"
#include "sinew/retarget/motion_tools.h"

namespace sinew {

std::vector<MotionQuality> evaluate_motions(const Character& character, const Progress& progress, int threads) {
  if (character.skeleton.empty())
    throw Error(ErrorCode::skeleton_missing, "'" + character.name + "' has no skeleton that moves");
  return with_threads(threads, progress, [&] {
    const BodyGirths girths = measure_girths(character);
    std::vector<MotionQuality> result;
    for (std::size_t i = 0; i < character.motions.size(); ++i) {
      progress(static_cast<double>(i) / static_cast<double>(character.motions.size()), "measuring motions");
      const Motion& motion = character.motions[i];
      result.push_back(motion_quality(
          character.skeleton,
          bones_collapse(character.skeleton, motion) ? with_places(character.skeleton, motion) : motion, girths));
    }
    progress(1.0, "measuring motions");
    return result;
  });
}

std::vector<Metric> metrics_of_motions(const std::vector<MotionQuality>& motions) {
  if (motions.empty()) return {};
  MotionQuality worst;
  for (const MotionQuality& motion : motions) {
    worst.worst_slide = std::max(worst.worst_slide, motion.worst_slide);
    worst.mean_slide = std::max(worst.mean_slide, motion.mean_slide);
    worst.floor_deepest = std::max(worst.floor_deepest, -motion.floor_deepest);
    worst.floor_median = std::max(worst.floor_median, std::abs(motion.floor_median));
    worst.limits_broken = std::max(worst.limits_broken, motion.limits_broken);
    worst.self_penetration = std::max(worst.self_penetration, motion.self_penetration);
    worst.twist = std::max(worst.twist, motion.twist);
  }
  return {{"worst-slide", worst.worst_slide, Better::lower},
          {"mean-slide", worst.mean_slide, Better::lower},
          {"floor-deepest", worst.floor_deepest, Better::lower},
          {"floor-median", worst.floor_median, Better::lower},
          {"limits-broken", worst.limits_broken, Better::lower},
          {"self-penetration", worst.self_penetration, Better::lower},
          {"twist", worst.twist, Better::lower}};
}

}  // namespace sinew
