// Loads nothing: makes a character, bends its left elbow, and saves the posed mesh.
#include <cstdio>
#include <filesystem>

#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"
#include "sinew/pose_mesh.h"

int main(int argc, char** argv) {
  using namespace sinew;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  Character character = make_builtin_character({});
  Pose pose = rest_pose(character.skeleton);
  const int elbow = find_joint(character.skeleton, "LeftForeArm");
  pose[elbow].rotation = pose[elbow].rotation * Quatd(Eigen::AngleAxisd(1.2, Vec3d::UnitY()));
  character.mesh = pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose));
  save_character(character, folder / "bent.obj");
  std::printf("wrote %s\n", (folder / "bent.obj").c_str());
}
