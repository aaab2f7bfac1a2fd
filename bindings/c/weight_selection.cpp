#include "bindings/c/weight_selection.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_selection = SINEW_SIZE_UP_TO(sinew_weight_selection, locked);

}  // namespace

std::vector<int> joints_of(const std::int32_t* joints, std::size_t count, const char* name) {
  const auto given = array_of(joints, count, name);
  return {given.begin(), given.end()};
}

WeightSelection selection_of(const sinew_weight_selection* given, const Character& character) {
  WeightSelection selection;
  if (given == nullptr) return selection;
  const auto taken = arrays_of(given, least_selection, "sinew_weight_selection");
  if (taken.parts != nullptr && taken.vertex_count > 0) {
    throw Error(ErrorCode::options_conflict, "a selection has vertices and parts", "give one of the two")
        .about("parts");
  }
  if (taken.parts != nullptr) {
    selection.vertices = vertices_of_parts(character, taken.parts);
  } else {
    const auto vertices = array_of(taken.vertices, taken.vertex_count, "vertices");
    selection.vertices.assign(vertices.begin(), vertices.end());
  }
  selection.locked = joints_of(taken.locked, taken.locked_count, "locked");
  if (taken.locked_joints != nullptr) {
    const std::vector<int> named = joints_matching(character.skeleton, taken.locked_joints);
    selection.locked.insert(selection.locked.end(), named.begin(), named.end());
  }
  return selection;
}

}  // namespace sinew::binding
