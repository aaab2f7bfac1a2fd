// Feeds the readers of what people write in JSON arbitrary text: pins, joint maps, joint limits, softness. What they
// accept must fit the skeleton and the mesh.
#include <cmath>
#include <cstdlib>

#include "sinew/asset/joint_limits_file.h"
#include "sinew/asset/joint_map_file.h"
#include "sinew/bind.h"

namespace {

using namespace sinew;

Character strip() {
  Character character;
  character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  character.mesh.colors.assign(4, Eigen::Vector4f(1, 0, 0, 1));
  character.mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
  add_joint(character.skeleton, "a", -1, Affine3d::Identity());
  add_joint(character.skeleton, "b", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  return character;
}

template <typename Read>
void try_to(Read read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
  }
}

void check(bool sound) {
  if (!sound) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Character character = strip();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to([&] {
    Warnings warnings;
    for (const WeightPin& pin : read_pins(text, character, warnings)) {
      check(pin.vertex < character.mesh.vertex_count());
      double sum = 0;
      for (const auto& [joint, weight] : pin.weights) sum += weight;
      check(std::abs(sum - 1) < 1e-6);
    }
  });
  try_to([&] {
    for (const JointLimit& limit : parse_joint_limits(text, character.skeleton)) {
      check(limit.low.maxCoeff() <= 0 && limit.high.minCoeff() >= 0);
    }
  });
  try_to([&] {
    JointMap map = map_joints(character.skeleton, character.skeleton);
    apply_joint_map_json(text, character.skeleton, character.skeleton, map);
    for (const JointLink& link : map.links) check(link.source < 2 && link.before < 2);
  });
  try_to([&] {
    for (const auto& [joint, softness] : read_joint_softness(text)) check(softness >= 0);
  });
  return 0;
}
