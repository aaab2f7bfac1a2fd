#include "bindings/c/part_bindings.h"

namespace sinew::binding {
namespace {

PartBinding binding_by_weights(const Part& part, const SkinWeights& weights) {
  const auto slots = static_cast<std::size_t>(weights.influences);
  bool any = false, rigid = part.binding == PartBinding::attached;
  for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    any = any || weights.weights[v * slots] > 0;
    rigid = rigid && weights.weights[v * slots] == 1.0f &&
            weights.joints[v * slots] == weights.joints[part.first_vertex * slots];
  }
  if (!any) return PartBinding::fixed;
  return rigid ? PartBinding::attached : PartBinding::skinned;
}

}  // namespace

void bind_parts(std::vector<Part>& parts, const SkinWeights& weights) {
  for (Part& part : parts) part.binding = binding_by_weights(part, weights);
}

void unbind_parts(std::vector<Part>& parts) {
  for (Part& part : parts) {
    if (part.binding == PartBinding::skinned) part.binding = PartBinding::fixed;
  }
}

}  // namespace sinew::binding
