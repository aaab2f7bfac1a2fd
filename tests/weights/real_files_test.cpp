// Real characters and real messes: no method may fail where an artist's file or a scan is merely ugly.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/bind.h"
#include "sinew/io.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

constexpr std::size_t quick = 20'000;  // vertices; larger files would only make the tests slow

// The methods of this library's own kind; slower ones have tests of their own.
const std::vector<std::string> methods = {"proximity", "heat", "atlas"};

// Four bones along the longest side of the mesh's box: sensible for anything.
Skeleton skeleton_along(const TriangleMesh& mesh) {
  const AABBf box = bounding_box(mesh);
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  Skeleton skeleton;
  for (int i = 0; i <= 4; ++i) {
    Affine3d rest = Affine3d::Identity();
    Vec3d place = box.center().cast<double>();
    place[axis] = box.min()[axis] + (0.05 + 0.225 * i) * box.sizes()[axis];
    rest.translation() = place;
    add_joint(skeleton, i < 4 ? "Bone" + std::to_string(i) : "Bone_End", i - 1, rest,
              i < 4 ? JointKind::joint : JointKind::end);
  }
  return skeleton;
}

TEST(RealFiles, EveryCharacterIsBoundCompletely) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& file : test::data_files("characters", {".glb", ".fbx"})) {
    const Character character = load_character(file);
    for (const std::string& method : methods) {
      Character bound = character;
      const BindReport report = bind_character(bound, {.method = method});
      EXPECT_EQ(report.unweighted, 0u) << file << " " << method;
      EXPECT_NO_THROW(check_character(bound)) << file << " " << method;
    }
  }
}

TEST(RealFiles, MessyMeshesAreBoundCompletelyOrRefusedAsClouds) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& file : test::data_files("messy", {".obj", ".off", ".ply", ".pcd"})) {
    Character character;
    character.mesh = load_character(file).mesh;
    if (character.mesh.vertex_count() > quick) continue;
    character.skeleton = skeleton_along(character.mesh);
    BindOptions options;
    options.joints = "all";
    for (const std::string& method : methods) {
      Character bound = character;
      options.method = method;
      try {
        const BindReport report = bind_character(bound, options);
        EXPECT_EQ(report.unweighted, 0u) << file << " " << method;
        EXPECT_NO_THROW(check_character(bound)) << file << " " << method;
      } catch (const Error& error) {
        EXPECT_TRUE(character.mesh.is_point_cloud() && method == "atlas") << file << " " << method << error.what();
      }
    }
  }
}

TEST(RealFiles, EveryLegOfAPairOfTrousersIsItsOwn) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  Character character = load_character(test::data_folder() / "characters" / "rocketbox_Male_Adult_05.fbx");
  const auto joint = [&](const char* name) {
    const auto& names = character.skeleton.names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t left = joint("Bip01 L Thigh"), right = joint("Bip01 R Thigh");
  for (const std::string& method : methods) {
    bind_character(character, {.method = method});
    const Eigen::MatrixXd weights = densify(character.weights, character.skeleton.joint_count());
    const double balance = weights.col(left).sum() / weights.col(right).sum();
    EXPECT_GT(balance, 0.7) << method;
    EXPECT_LT(balance, 1.4) << method;
  }
}

TEST(RealFiles, HeatIsTheSameInAnyUnit) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const char* name : {"CesiumMan.glb", "quaternius_Wolf.glb", "raylib_robot.glb"}) {
    const Character character = load_character(test::data_folder() / "characters" / name);
    Character reference = character;
    bind_character(reference, {.method = "heat"});
    for (double factor : {0.001, 10000.0}) {
      Character scaled = character;
      test::scale(scaled, factor);
      bind_character(scaled, {.method = "heat"});
      const Eigen::MatrixXd difference = densify(reference.weights, character.skeleton.joint_count()) -
                                         densify(scaled.weights, character.skeleton.joint_count());
      // Not zero: the file's own coordinates round differently in another unit, and on the robot's gears, where sight
      // lines run exactly along faces, that decides a few of them.
      EXPECT_LT(difference.cwiseAbs().rowwise().sum().mean(), 3e-3) << name << " " << factor;
    }
  }
}

}  // namespace
}  // namespace sinew
