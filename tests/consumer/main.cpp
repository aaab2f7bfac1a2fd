// A program of somebody else: rigs a triangle by hand, bends it, and sends it through a file.
#include <sinew/sinew.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

sinew::Character bent_triangle() {
  using namespace sinew;
  Character character;
  character.name = "triangle";
  character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  character.mesh.triangles = {{0, 1, 2}};
  add_joint(character.skeleton, "hip", -1, Affine3d::Identity());
  add_joint(character.skeleton, "knee", 0, Affine3d(Eigen::Translation3d(0, 0.5, 0)));
  character.weights = make_skin_weights(3, 2);
  for (std::size_t vertex = 0; vertex < 3; ++vertex) {
    set_influences(character.weights, vertex, {{static_cast<std::uint16_t>(vertex == 2 ? 1 : 0), 1.0}});
  }
  Pose pose = rest_pose(character.skeleton);
  pose[1].translation.x() += 2;
  character.mesh = pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose));
  return character;
}

// An Error is caught by its type also where it comes out of a shared library.
bool error_is_caught() {
  try {
    sinew::load_character("there is no such file.glb");
  } catch (const sinew::Error& error) {
    return error.kind() == sinew::ErrorKind::bad_input;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "triangle.glb";
  if (sinew::version_number() != SINEW_VERSION_NUMBER || std::strcmp(sinew::version(), SINEW_VERSION) != 0) return 1;
  sinew::save_character(bent_triangle(), path);
  const sinew::Character character = sinew::load_character(path);
  sinew::check_character(character);
  if (character.skeleton.joint_count() != 2 || std::abs(character.mesh.positions[2].x() - 2) > 1e-6f) return 2;
  if (!error_is_caught()) return 3;
  std::printf("sinew %s works\n", sinew::version());
}
