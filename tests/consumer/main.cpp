// A program of somebody else: binds a post to two joints, bends it, and sends it through a file.
#include <sinew/sinew.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

using namespace sinew;

constexpr std::uint32_t rings = 9;

// A square post along y, from 0 to 2, with a joint at its foot and one in the middle.
Character post() {
  Character character;
  character.name = "post";
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    const float y = 2.0f * static_cast<float>(ring) / static_cast<float>(rings - 1);
    for (const auto& [x, z] : {std::pair(-0.2f, -0.2f), {-0.2f, 0.2f}, {0.2f, 0.2f}, {0.2f, -0.2f}}) {
      character.mesh.positions.emplace_back(x, y, z);
    }
  }
  const auto add_square = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    character.mesh.triangles.push_back({a, b, c});
    character.mesh.triangles.push_back({a, c, d});
  };
  for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
    for (std::uint32_t side = 0; side < 4; ++side) {
      const std::uint32_t a = 4 * ring + side, b = 4 * ring + (side + 1) % 4;
      add_square(a, b, b + 4, a + 4);
    }
  }
  add_square(3, 2, 1, 0);
  add_square(4 * rings - 4, 4 * rings - 3, 4 * rings - 2, 4 * rings - 1);
  add_joint(character.skeleton, "lower", -1, Affine3d::Identity());
  add_joint(character.skeleton, "upper", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  add_joint(character.skeleton, "tip", 1, Affine3d(Eigen::Translation3d(0, 2, 0)), JointKind::end);
  return character;
}

// An Error is caught by its type also where it comes out of a shared library.
bool error_is_caught() {
  try {
    load_character("there is no such file.glb");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::bad_input;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "post.glb";
  if (version_number() != SINEW_VERSION_NUMBER || std::strcmp(version(), SINEW_VERSION) != 0) return 1;
  Character character = post();
  if (bind_character(character, {.method = "heat", .joints = "all"}).unweighted != 0) return 2;
  save_character(character, path);

  character = load_character(path);
  check_character(character);
  Pose pose = rest_pose(character.skeleton);
  const int upper = find_joint(character.skeleton, "upper");
  if (upper < 0) return 3;
  pose[static_cast<std::size_t>(upper)].rotation = Eigen::AngleAxisd(1.5707963, Vec3d::UnitZ());  // falls to the left
  const TriangleMesh bent = pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose));
  if (std::abs(bent.positions.front().y()) > 0.2f || bent.positions.back().x() > -0.7f) return 4;
  if (!error_is_caught()) return 5;
  std::printf("sinew %s works\n", version());
}
