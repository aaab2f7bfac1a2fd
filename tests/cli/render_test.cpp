// sinew render as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/base/file_bytes.h"
#include "sinew/draw/image.h"
#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using test::ProgramResult;
using test::run_sinew;
using test::TemporaryFolder;

// A bar of two joints along x, with a motion that bends it.
Character make_bar() {
  Character bar;
  bar.name = "bar";
  for (int i = 0; i <= 8; ++i) {
    const float x = static_cast<float>(i) / 4;
    for (const Vec2f& yz : {Vec2f(-0.1f, -0.1f), Vec2f(0.1f, -0.1f), Vec2f(0.1f, 0.1f), Vec2f(-0.1f, 0.1f)}) {
      bar.mesh.positions.emplace_back(x, 1 + yz[0], yz[1]);
    }
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t a = 4 * i + k, b = 4 * i + (k + 1) % 4;
      bar.mesh.triangles.push_back({a, b, b + 4});
      bar.mesh.triangles.push_back({a, b + 4, a + 4});
    }
  }
  add_joint(bar.skeleton, "root", -1, Affine3d(Eigen::Translation3d(0, 1, 0)));
  add_joint(bar.skeleton, "rig:elbow", 0, Affine3d(Eigen::Translation3d(1, 1, 0)));
  bar.weights = make_skin_weights(bar.mesh.vertex_count(), 2);
  for (std::size_t v = 0; v < bar.mesh.vertex_count(); ++v) {
    const double t = std::clamp(bar.mesh.positions[v].x() - 0.5, 0.0, 1.0);
    set_influences(bar.weights, v, {{0, 1 - t}, {1, t}});
  }
  Motion bend;
  bend.name = "bend";
  bend.frames_per_second = 10;
  bend.joint_count = 2;
  for (int frame = 0; frame < 5; ++frame) {
    Pose pose = rest_pose(bar.skeleton);
    pose[1].rotation = Quatd(Eigen::AngleAxisd(0.3 * frame, Vec3d::UnitZ()));
    bend.transforms.insert(bend.transforms.end(), pose.begin(), pose.end());
  }
  bar.motions.push_back(bend);
  return bar;
}

class RenderCommand : public testing::Test {
 protected:
  void SetUp() override { save_character(make_bar(), folder_ / "bar.glb"); }

  ProgramResult render(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "render");
    return run_sinew(arguments);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Image image(const std::string& name) const { return decode_image(read_file_bytes(folder_ / name)); }

  TemporaryFolder folder_;
};

TEST_F(RenderCommand, WritesAPictureOfTheSizeAsked) {
  const ProgramResult result = render({path("bar.glb"), "-o", path("a.png"), "--size", "120x80"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("120x80"), std::string::npos) << result.out;
  const Image picture = image("a.png");
  EXPECT_EQ(picture.width, 120);
  EXPECT_EQ(picture.height, 80);
  EXPECT_NE(picture.at(60, 40), picture.at(1, 1));
}

TEST_F(RenderCommand, SameBytesAtOneAndTwoThreads) {
  for (const char* threads : {"1", "2"}) {
    const ProgramResult result = render({path("bar.glb"), "-o", path(std::string(threads) + ".png"), "--size",
                                         "100x100", "--skeleton", "--mode", "dominant", "--threads", threads});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_EQ(test::read_file(folder_ / "1.png"), test::read_file(folder_ / "2.png"));
}

TEST_F(RenderCommand, SheetOfModesViewsAndFrames) {
  const ProgramResult result =
      render({path("bar.glb"), "-o", path("sheet.png"), "--size", "60x60", "--mode", "shaded,weights,influences",
              "--joint", "elbow", "--view", "front,top", "--frames", "0,2:4:2", "--columns", "6", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json answer = nlohmann::json::parse(result.out);
  EXPECT_TRUE(answer.at("ok"));
  EXPECT_EQ(answer.at("pictures").size(), 3u * 2u * 3u);
  EXPECT_EQ(answer.at("pictures").at(6).at("joint"), "rig:elbow");
  EXPECT_EQ(image("sheet.png").width, answer.at("width"));
  EXPECT_EQ(image("sheet.png").width, 6 * 60 + 7 * 8);
}

TEST_F(RenderCommand, AnimationPlaysTheWholeMotionAfterTheStillInputs) {
  Character bare = make_bar();
  bare.skeleton = {};
  bare.weights = {};
  bare.motions.clear();
  save_character(bare, folder_ / "bare.obj");
  const ProgramResult result =
      render({path("bare.obj"), path("bar.glb"), "-o", path("bend.png"), "--size", "60x50", "--animate", "--fps", "5",
              "--hold", "2", "--plays", "3", "--titles", "bare,bending", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at("pictures").size(), 1u + 3u);  // 0.4 s at five frames a second
  EXPECT_EQ(answer.at("bytes"), std::filesystem::file_size(folder_ / "bend.png"));
  const std::string bytes = test::read_file(folder_ / "bend.png");
  EXPECT_NE(bytes.find(std::string("acTL\0\0\0\4\0\0\0\3", 12)), std::string::npos);
  EXPECT_EQ(image("bend.png").width, answer.at("width"));
}

// A bar that flies away sideways: with --follow it stays in the middle, and so comes out larger.
TEST_F(RenderCommand, FollowKeepsTheCharacterInTheMiddle) {
  Character flying = make_bar();
  for (int frame = 0; frame < 5; ++frame) flying.motions[0].transforms[2 * frame].translation.x() += 2 * frame;
  save_character(flying, folder_ / "flying.glb");
  const auto columns_with_bar = [&](const char* name) {
    const Image picture = image(name);
    int columns = 0;
    for (int x = 0; x < picture.width; ++x) {
      bool seen = false;
      for (int y = 0; y < picture.height; ++y) seen |= std::abs(picture.at(x, y)[0] - picture.at(0, 0)[0]) > 25;
      columns += seen;
    }
    return columns;
  };
  for (bool follow : {false, true}) {
    std::vector<std::string> arguments{
        path("flying.glb"), "-o", path(follow ? "with.png" : "without.png"), "--size", "100x60", "--view", "front",
        "--animate"};
    if (follow) arguments.push_back("--follow");
    const ProgramResult result = render(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_GT(columns_with_bar("with.png"), 2 * columns_with_bar("without.png"));
}

TEST_F(RenderCommand, AnAnimationIsOneFile) {
  const ProgramResult result = render({path("bar.glb"), "-o", path("bend_##.png"), "--animate"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--animate"), std::string::npos) << result.err;
}

TEST_F(RenderCommand, SequenceOfNumberedFilesKeepsStill) {
  const ProgramResult result = render({path("bar.glb"), "-o", path("frame_###.png"), "--size", "80x80", "--frames",
                                       "0:4", "--method", "dqs", "--view", "front", "--no-ground"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Image first = image("frame_000.png"), last = image("frame_004.png");
  EXPECT_NE(first.pixels, last.pixels);
  // The end of the bar that does not move is at the same place in both.
  const auto leftmost = [](const Image& picture) {
    for (int x = 0; x < picture.width; ++x) {
      for (int y = 0; y < picture.height; ++y) {
        if (std::abs(picture.at(x, y)[0] - picture.at(0, 0)[0]) > 25) return x;
      }
    }
    return -1;
  };
  EXPECT_GE(leftmost(first), 0);
  EXPECT_NEAR(leftmost(first), leftmost(last), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "frame_005.png"));
}

TEST_F(RenderCommand, ValuesFromAFile) {
  std::string numbers;
  for (std::size_t i = 0; i < load_character(folder_ / "bar.glb").mesh.vertex_count(); ++i) {
    numbers += std::to_string(0.5 * static_cast<double>(i)) + "\n";
  }
  test::write_file(folder_ / "values.txt", numbers);
  const ProgramResult good = render({path("bar.glb"), "-o", path("v.png"), "--size", "60", "--mode", "values",
                                     "--values", path("values.txt"), "--map", "error"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  test::write_file(folder_ / "few.txt", "1 2 3");
  EXPECT_EQ(render({path("bar.glb"), "-o", path("w.png"), "--mode", "values", "--values", path("few.txt")}).exit_code,
            2);
  test::write_file(folder_ / "words.txt", "1 two 3");
  EXPECT_EQ(render({path("bar.glb"), "-o", path("w.png"), "--mode", "values", "--values", path("words.txt")}).exit_code,
            3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.png"));
}

TEST_F(RenderCommand, WrongUseAndBadInputHaveTheirExitCodes) {
  const std::vector<std::pair<std::vector<std::string>, int>> cases = {
      {{path("bar.glb")}, 2},
      {{path("missing.glb"), "-o", path("x.png")}, 3},
      {{path("bar.glb"), "-o", path("x.png"), "--mode", "pretty"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--mode", "weights"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--mode", "weights", "--joint", "knee"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--view", "inside"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--size", "0x10"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--size", "99999x99999"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--frame", "99"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--frame", "one"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--motion", "walk"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--samples", "0"}, 2},
      {{path("bar.glb"), "-o", path("x.png"), "--titles", "a,b"}, 2},
      {{path("bar.glb"), "-o", path("bar.glb"), "--size", "20"}, 2},
      {{path("bar.glb"), "-o", path("x.jpg"), "--size", "20"}, 2},
      {{path("bar.glb"), "-o", path("nowhere/x.png"), "--size", "20"}, 1},
  };
  for (const auto& [arguments, code] : cases) {
    const ProgramResult result = render(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    EXPECT_EQ(result.exit_code, code) << line << result.err;
    EXPECT_FALSE(result.err.empty()) << line;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
  const ProgramResult hint = render({path("bar.glb"), "-o", path("x.png"), "--mode", "weights", "--joint", "elb"});
  EXPECT_NE(hint.err.find("rig:elbow"), std::string::npos) << hint.err;
}

TEST_F(RenderCommand, BareMeshesAndClouds) {
  test::write_file(folder_ / "mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(render({path("mesh.obj"), "-o", path("m.png"), "--size", "40"}).exit_code, 0);
  EXPECT_EQ(render({path("mesh.obj"), "-o", path("d.png"), "--size", "40", "--mode", "dominant"}).exit_code, 3);
  test::write_file(folder_ / "cloud.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
  const ProgramResult cloud = render({path("cloud.obj"), "-o", path("c.png"), "--size", "40"});
  EXPECT_EQ(cloud.exit_code, 0) << cloud.err;
}

TEST(RenderCommandOnRealFiles, EveryCharacterHasAPicture) {
  const std::vector<std::filesystem::path> files = test::data_files("characters", {".glb"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {"render", "-o", (folder / "all.png").string(), "--size", "48x48", "--quiet"};
  for (const std::filesystem::path& file : files) arguments.push_back(file.string());
  const ProgramResult result = run_sinew(arguments, 120);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "all.png"));
}

}  // namespace
}  // namespace sinew
