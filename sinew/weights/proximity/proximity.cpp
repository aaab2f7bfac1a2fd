#include "sinew/weights/proximity/proximity.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {

SkinWeights proximity_weights(const BindInput& input, const ProximityOptions& options, const Progress& progress) {
  const int wanted = options.neighbours > 0 ? std::min(options.neighbours, input.max_influences) : input.max_influences;
  SkinWeights weights = make_skin_weights(input.vertex_count(), input.max_influences);
  parallel_for(input.vertex_count(), 512, progress, "measuring distances", [&](std::size_t begin, std::size_t end) {
    std::vector<Influence> nearest;  // weight holds the distance until the end
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d p = input.mesh.positions[v].cast<double>();
      nearest.clear();
      for (const Bone& bone : input.bones) {  // bones of one joint follow each other
        const double distance = closest_point_on_bone(bone, p).distance;
        if (nearest.empty() || nearest.back().joint != bone.joint) {
          nearest.push_back({static_cast<std::uint16_t>(bone.joint), distance});
        } else {
          nearest.back().weight = std::min(nearest.back().weight, distance);
        }
      }
      const auto kept = std::min<std::size_t>(nearest.size(), static_cast<std::size_t>(wanted));
      std::partial_sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(kept), nearest.end(),
                        [](const Influence& a, const Influence& b) {
                          return a.weight != b.weight ? a.weight < b.weight : a.joint < b.joint;
                        });
      nearest.resize(kept);
      // Relative to the nearest distance, so that no power over- or underflows; on the bone itself the bone wins.
      const double smallest = std::max(nearest.front().weight, 1e-12);
      for (Influence& influence : nearest) {
        influence.weight = std::pow(smallest / std::max(influence.weight, 1e-12), options.power);
      }
      set_influences(weights, v, nearest);
    }
  });
  progress(1.0, "measuring distances");
  return weights;
}

WeightMethod proximity_method() {
  const ProximityOptions defaults;
  WeightMethod method;
  method.name = "proximity";
  method.summary = "nearest bones by inverse distance; fast, needs no surface, looks through it";
  method.options = {{"neighbours", defaults.neighbours, "joints per vertex; 0: as many as it may have", 0, 16, {}},
                    {"power", defaults.power, "weight = 1 / distance^power; larger is more rigid", 0.1, 64, {}}};
  method.solve = [](const BindInput& input, const MethodInputs&, const OptionValues& values, const Progress& progress) {
    const ProximityOptions options{option<int>(values, "neighbours"), option<double>(values, "power")};
    return MethodResult{proximity_weights(input, options, progress), {}, {}};
  };
  return method;
}

}  // namespace sinew
