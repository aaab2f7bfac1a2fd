#include "sinew/weights/tools/prepare_target.h"

#include <algorithm>

#include "sinew/error.h"

namespace sinew {

Character prepared_target(const Character& target, const Character& source, int slots) {
  if (target.mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "'" + target.name + "' has no mesh");
  Character result = target;
  if (result.skeleton.empty()) {
    result.skeleton = source.skeleton;
    result.motions = source.motions;
    result.weights = {};
  }
  const bool has_skinned = std::any_of(result.parts.begin(), result.parts.end(),
                                       [](const Part& part) { return part.binding == PartBinding::skinned; });
  for (Part& part : result.parts) {  // in a file that has a skin, what is not skinned does not belong to it
    if (part.binding == PartBinding::fixed && !has_skinned) part.binding = PartBinding::skinned;
  }
  if (!result.has_skin()) {
    result.weights = make_skin_weights(result.mesh.vertex_count(), slots);
  } else if (result.weights.influences < slots) {
    result.weights = with_influences(result.weights, slots);
  }
  return result;
}

}  // namespace sinew
