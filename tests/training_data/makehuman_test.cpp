#include "apps/torch/training_data/makehuman.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/torch/training_data/training_body.h"
#include "sinew/base/file_bytes.h"
#include "sinew/error.h"
#include "tests/learn/box_figure.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

// The figure of boxes written as MakeHuman would: decimetres, every joint marked by a vertex of its own, and one shape
// that lowers the whole body.
class MakeHumanTest : public testing::Test {
 protected:
  void SetUp() override {
    const Skeleton& skeleton = figure_.skeleton;
    std::string obj = "# base\n", target = "# a shape\n";
    const auto add_vertex = [&](const Vec3d& p) {
      obj += "v " + std::to_string(10 * p.x()) + " " + std::to_string(10 * p.y()) + " " + std::to_string(10 * p.z()) +
             "\n";
      target += std::to_string(vertices_++) + " 0 -1 0\n";
    };
    for (const Vec3f& p : figure_.mesh.positions) add_vertex(p.cast<double>());
    json bones = json::object(), joints = json::object(), weights = json::object();
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      const int parent = skeleton.parents[j];
      bones[skeleton.names[j]] = {{"head", "at " + skeleton.names[j]},
                                  {"parent", parent >= 0 ? json(skeleton.names[parent]) : json()}};
      joints["at " + skeleton.names[j]] = {vertices_};
      add_vertex(skeleton.position(j));
    }
    obj += "g helper\nf 1 2 3\ng body\n";
    for (const Triangle& t : figure_.mesh.triangles) {
      obj += "f";
      for (const std::uint32_t corner : t) obj += " " + std::to_string(corner + 1) + "/1";
      obj += "\n";
    }
    for (std::size_t v = 0; v < figure_.mesh.positions.size(); ++v) {
      weights[skeleton.names[figure_.weights.joints[4 * v]]].push_back({v, 0.5});
    }
    std::filesystem::create_directories(folder_ / "rigs_makehuman");
    std::filesystem::create_directories(folder_ / "targets/torso");
    write_file_text(folder_ / "base.obj", obj);
    write_file_text(rig(), json{{"bones", bones}, {"joints", joints}}.dump());
    write_file_text(folder_ / "rigs_makehuman/default_weights.mhw", json{{"weights", weights}}.dump());
    write_file_text(shape(), target);
  }

  std::filesystem::path rig() const { return folder_ / "rigs_makehuman/default.mhskel"; }
  std::filesystem::path shape() const { return folder_ / "targets/torso/lower.target"; }

  const Character figure_ = test::box_figure();
  std::size_t vertices_ = 0;
  test::TemporaryFolder folder_;
};

TEST_F(MakeHumanTest, JointsAndSkinFollowTheShapes) {
  const MakeHuman people(folder_.path());
  double least = 1e9, most = -1e9;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed), again(seed);
    const Character person = people.draw(random);
    EXPECT_EQ(person.mesh.positions, people.draw(again).mesh.positions);
    ASSERT_EQ(person.mesh.triangles.size(), figure_.mesh.triangles.size());
    check_skin_weights(person.weights, person.mesh.positions.size(), person.skeleton.joint_count());
    const int hand = find_joint(person.skeleton, "LeftHand"), foot = find_joint(person.skeleton, "LeftFoot");
    const Vec3d moved =
        person.skeleton.position(hand) - figure_.skeleton.position(find_joint(figure_.skeleton, "LeftHand"));
    EXPECT_NEAR(moved.x(), 0, 1e-5);
    EXPECT_NEAR(
        (person.skeleton.position(foot) - figure_.skeleton.position(find_joint(figure_.skeleton, "LeftFoot"))).y(),
        moved.y(), 1e-5);
    EXPECT_NEAR(bounding_box(person.mesh).min().y() - bounding_box(figure_.mesh).min().y(), moved.y(), 1e-5);
    least = std::min(least, moved.y());
    most = std::max(most, moved.y());
    EXPECT_NO_THROW(make_training_body(person));
  }
  EXPECT_NEAR(most, 0, 1e-5);  // most people have none of a local shape
  EXPECT_LT(least, -0.01);     // a decimetre at most
  EXPECT_GE(least, -0.1);
}

TEST_F(MakeHumanTest, BrokenFilesAreRefused) {
  const auto refuses = [&](const std::filesystem::path& file, const std::string& text) {
    const std::vector<std::byte> kept = read_file_bytes(file);
    write_file_text(file, text);
    EXPECT_THROW(MakeHuman{folder_.path()}, Error) << file << text;
    write_file_bytes(file, kept);
  };
  refuses(folder_ / "base.obj", "v 1 2\n");
  refuses(folder_ / "base.obj", "v 1 2 3\ng body\nf 1 2 3\n");
  refuses(folder_ / "base.obj", "v 1 2 3\n");
  refuses(rig(), "{");
  refuses(rig(), R"({"bones": {"a": 7, "b": {"head": []}}, "joints": {}})");
  refuses(rig(), R"({"bones": {"a": {"head": "x"}}, "joints": {}})");
  refuses(rig(), R"({"bones": {"a": {"head": "x"}}, "joints": {"x": [100000]}})");
  refuses(rig(), R"({"bones": {"a": {"head": "x", "parent": "b"}}, "joints": {"x": [1]}})");
  refuses(folder_ / "rigs_makehuman/default_weights.mhw", R"({"weights": {"Hips": [[1]]}})");
  refuses(folder_ / "rigs_makehuman/default_weights.mhw", R"({"weights": {"Hips": [[1, "much"]]}})");
  refuses(shape(), "100000 0 0 0\n");
  refuses(shape(), "1 0 0\n");
  EXPECT_NO_THROW(MakeHuman{folder_.path()});
  std::filesystem::remove(shape());
  EXPECT_THROW(MakeHuman{folder_.path()}, Error);
}

}  // namespace
}  // namespace sinew
