// Feeds the readers of weights as JSON and CSV arbitrary text; what they accept must leave a valid character, and come
// back the same when it is written and read again.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sinew/weight_files.h"

namespace {

using namespace sinew;

Character strip() {
  Character character;
  character.mesh.positions = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};  // the last is a copy along a seam
  character.mesh.triangles = {{0, 1, 2}, {4, 3, 2}};
  add_joint(character.skeleton, "a", -1, Affine3d::Identity());
  add_joint(character.skeleton, "b", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  add_joint(character.skeleton, "rig:b_c", 1, Affine3d(Eigen::Translation3d(0, 2, 0)));
  return character;
}

void check(bool sound) {
  if (!sound) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Character character = strip();
  try {
    read_weights(std::string_view(reinterpret_cast<const char*>(data), size), character);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    return 0;
  }
  check_character(character);
  if (!character.has_skin()) return 0;
  for (const std::string& text : {write_weights_json(character), write_weights_csv(character)}) {
    Character again = strip();
    read_weights(text, again);
    check(again.weights.vertex_count() == character.weights.vertex_count());
    for (std::size_t v = 0; v < 5; ++v) {
      for (int joint = 0; joint < 3; ++joint) {
        check(std::abs(again.weights.weight_of(v, joint) - character.weights.weight_of(v, joint)) < 1e-5f);
      }
    }
  }
  return 0;
}
