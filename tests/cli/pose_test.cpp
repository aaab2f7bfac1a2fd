// sinew pose, end to end, on a small character made here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/io.h"
#include "sinew/pose_mesh.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// A strip along y over two joints, the upper one turning about z in the motion "bend".
Character bending_strip() {
  Character character;
  character.name = "strip";
  for (int row = 0; row <= 8; ++row) {
    for (const float x : {-0.2f, 0.2f}) {
      character.mesh.positions.emplace_back(x, 0.25f * static_cast<float>(row), 0.0f);
      character.mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
    }
    if (row == 8) break;
    const auto corner = static_cast<std::uint32_t>(2 * row);
    character.mesh.triangles.push_back({corner, corner + 1, corner + 3});
    character.mesh.triangles.push_back({corner, corner + 3, corner + 2});
  }
  Skeleton& skeleton = character.skeleton;
  add_joint(skeleton, "lower", -1, Affine3d::Identity());
  add_joint(skeleton, "upper", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  character.weights = make_skin_weights(character.mesh.vertex_count(), 4);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double t = std::clamp(character.mesh.positions[v].y() - 0.5, 0.0, 1.0);
    set_influences(character.weights, v, {{0, 1 - t}, {1, t}});
  }
  Motion motion{"bend", 10, 2, {}};
  for (int frame = 0; frame < 11; ++frame) {
    Pose pose = rest_pose(skeleton);
    pose[1].rotation = Quatd(Eigen::AngleAxisd(0.15 * frame, Vec3d::UnitZ()));
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  character.motions.push_back(motion);
  return character;
}

class PoseCommand : public testing::Test {
 protected:
  void SetUp() override { save_character(character_, input()); }

  std::string input() const { return (folder_ / "strip.glb").string(); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Runs the program; the exit code, with stdout in out_.
  int run(const std::string& arguments) {
    const std::string out = file("stdout.txt");
    const std::string command =
        std::string(SINEW_PROGRAM) + " pose " + arguments + " > " + out + " 2> " + file("stderr.txt");
    const int status = std::system(command.c_str());
    out_ = test::read_file(out);
    return WEXITSTATUS(status);
  }

  void expect_posed(const std::string& path, const Pose& pose, SkinningMethod method = SkinningMethod::linear_blend) {
    const Character posed = load_character(path);
    const TriangleMesh expected =
        pose_mesh(character_.mesh, character_.weights, skinning_transforms(character_.skeleton, pose), method);
    ASSERT_EQ(posed.mesh.positions.size(), expected.positions.size());
    for (std::size_t v = 0; v < expected.positions.size(); ++v) {
      EXPECT_LT((posed.mesh.positions[v] - expected.positions[v]).norm(), 1e-5f) << path << " vertex " << v;
    }
  }

  test::TemporaryFolder folder_;
  Character character_ = bending_strip();
  std::string out_;
};

TEST_F(PoseCommand, BakesOneFrameAndMovesTheRigAlong) {
  ASSERT_EQ(run(input() + " -o " + file("out.glb") + " --motion bend --frame 7"), 0);
  const Pose pose = frame_pose(character_.motions[0], 7);
  expect_posed(file("out.glb"), pose);
  const Character posed = load_character(file("out.glb"));
  const int upper = find_joint(posed.skeleton, "upper");
  ASSERT_GE(upper, 0);
  EXPECT_TRUE(posed.skeleton.rest[upper].isApprox(global_transforms(character_.skeleton, pose)[1], 1e-5));
  ASSERT_TRUE(posed.has_skin());
  EXPECT_EQ(posed.motions.size(), 1u);
}

TEST_F(PoseCommand, ChoosesMomentsAndMethods) {
  ASSERT_EQ(run(input() + " -o " + file("a.obj") + " --frame -1 --method dqs"), 0);
  expect_posed(file("a.obj"), frame_pose(character_.motions[0], 10), SkinningMethod::dual_quaternion);
  ASSERT_EQ(run(input() + " -o " + file("b.obj") + " --motion 0 --time 0.25"), 0);
  expect_posed(file("b.obj"), sample_motion(character_.motions[0], 0.25));
  ASSERT_EQ(run(input() + " -o " + file("c.obj") + " --rest"), 0);
  expect_posed(file("c.obj"), rest_pose(character_.skeleton));
  ASSERT_EQ(run(input() + " -o " + file("d.glb") + " --frame 3 --drop-rig"), 0);
  EXPECT_FALSE(load_character(file("d.glb")).has_skin());
}

TEST_F(PoseCommand, BakesWholeMotionsAndRandomPosesToNumberedFiles) {
  ASSERT_EQ(run(input() + " -o " + file("frames/bend_###.obj") + " --json"), 0);
  EXPECT_EQ(nlohmann::json::parse(out_).at("files").size(), 11u);
  expect_posed(file("frames/bend_004.obj"), frame_pose(character_.motions[0], 4));
  ASSERT_EQ(run(input() + " -o " + file("slow_#.obj") + " --fps 20 --json"), 0);
  EXPECT_EQ(nlohmann::json::parse(out_).at("files").size(), 21u);
  ASSERT_EQ(run(input() + " -o " + file("r##.ply") + " --random 3 --seed 5"), 0);
  const std::string first = test::read_file(file("r02.ply"));
  ASSERT_EQ(run(input() + " -o " + file("r##.ply") + " --random 3 --seed 5 --threads 1"), 0);
  EXPECT_EQ(test::read_file(file("r02.ply")), first);
  ASSERT_EQ(run(input() + " -o " + file("r##.ply") + " --random 3 --seed 6"), 0);
  EXPECT_NE(test::read_file(file("r02.ply")), first);
}

TEST_F(PoseCommand, SaysWhatIsWrong) {
  const std::string out = " -o " + file("out.obj");
  EXPECT_EQ(run(input() + out + " --frame 11"), 2);
  EXPECT_EQ(run(input() + out + " --time 2"), 2);
  EXPECT_EQ(run(input() + out + " --motion walk"), 2);
  EXPECT_NE(test::read_file(file("stderr.txt")).find("bend"), std::string::npos);
  EXPECT_EQ(run(input() + out + " --frame 1 --rest"), 2);
  EXPECT_EQ(run(input() + out + " --random 2"), 2);
  EXPECT_EQ(run(input() + out + " --fps 10"), 2);
  for (const std::string name : {"a_%04d.obj", "a_{}.obj", "a_{:03}.obj", "a#_b#.obj", "a#/b.obj"}) {
    EXPECT_EQ(run(input() + " -o '" + file(name) + "'"), 2) << name;
    EXPECT_NE(test::read_file(file("stderr.txt")).find("####"), std::string::npos) << name;
  }
  EXPECT_EQ(run(input() + " -o " + input() + " --frame 2"), 2);
  EXPECT_EQ(run(file("missing.glb") + out), 3);
  ASSERT_EQ(run(input() + " -o " + file("bare.obj") + " --rest"), 0);
  EXPECT_EQ(run(file("bare.obj") + out + " --rest"), 3);
}

}  // namespace
}  // namespace sinew
