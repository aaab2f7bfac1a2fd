#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/asset/clean_up.h"
#include "sinew/asset/fbx/assimp_import.h"
#include "sinew/base/file_bytes.h"
#include "sinew/mesh/weld.h"
#include "sinew/pose_mesh.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// What characters/INDEX.md of the data folder says. `welded` allows for its tolerance: it joins vertices that are
// nearly, not exactly, at one place.
struct Expected {
  const char* file;
  std::size_t welded, triangles;
  int joints;
  std::size_t used_joints;
  int most_influences;
};

constexpr Expected expected[] = {{"rocketbox_Female_Adult_01.fbx", 4258, 8732, 80, 80, 4},
                                 {"rocketbox_Male_Adult_05.fbx", 3862, 7836, 80, 80, 4},
                                 {"rocketbox_Dog_Beagle_01.fbx", 1453, 2902, 34, 34, 3},
                                 {"momentum_human.fbx", 7324, 14644, 159, 99, 8},
                                 {"ozz_arnaud.fbx", 3337, 6670, 53, 53, 5},
                                 {"pm_029_Skelly.fbx", 1118, 2232, 49, 40, 5}};

Character load(const std::filesystem::path& path) {
  Character character = read_scene(read_file_bytes(path), SceneFormat::fbx);
  clean_up(character);
  return character;
}

class FbxCharacter : public testing::TestWithParam<Expected> {
 protected:
  void SetUp() override {
    if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
    character_ = load(test::data_folder() / "characters" / GetParam().file);
  }
  Character character_;
};

TEST_P(FbxCharacter, HasTheCountsOfTheIndex) {
  const Expected& e = GetParam();
  const std::size_t exact = weld_positions(character_.mesh.positions).welded_count();
  const std::size_t within_a_micron = weld_positions(character_.mesh.positions, 1e-6).welded_count();
  EXPECT_GE(exact, e.welded);
  EXPECT_LE(within_a_micron, e.welded);
  EXPECT_GE(within_a_micron, e.welded * 99 / 100);
  EXPECT_EQ(character_.mesh.triangles.size(), e.triangles);
  // The index counts every joint a skin names; leaves without weight whose name says so are ends here.
  const Skeleton& skeleton = character_.skeleton;
  const auto joints = std::count(skeleton.kinds.begin(), skeleton.kinds.end(), JointKind::joint);
  const auto ends = std::count(skeleton.kinds.begin(), skeleton.kinds.end(), JointKind::end);
  EXPECT_LE(joints, e.joints);
  EXPECT_GE(joints + ends, e.joints);
  std::set<int> used;
  int most = 0;
  const SkinWeights& w = character_.weights;
  for (std::size_t vertex = 0; vertex < w.vertex_count(); ++vertex) {
    int count = 0;
    for (int slot = 0; slot < w.influences; ++slot) {
      if (w.weights[vertex * w.influences + slot] <= 0.001f) continue;
      ++count;
      used.insert(w.joints[vertex * w.influences + slot]);
    }
    most = std::max(most, count);
  }
  EXPECT_EQ(used.size(), e.used_joints);
  EXPECT_EQ(most, e.most_influences);
  EXPECT_EQ(count_unweighted(w), 0u);
}

TEST_P(FbxCharacter, IsInMetresAndSaysSo) {
  const double height = bounding_box(character_.mesh).sizes().y();
  EXPECT_GT(height, 0.5);
  EXPECT_LT(height, 2.2);
  EXPECT_EQ(character_.warnings.at(0).code, "unit-converted");
}

TEST_P(FbxCharacter, RestPoseMovesNothing) {
  for (const Affine3d& skinning : skinning_transforms(character_.skeleton, rest_pose(character_.skeleton))) {
    EXPECT_LT((skinning.matrix() - Mat4d::Identity()).cwiseAbs().maxCoeff(), 1e-5);
  }
  for (const Affine3d& rest : character_.skeleton.rest) EXPECT_NEAR(std::abs(rest.linear().determinant()), 1.0, 1e-6);
}

// Joints lie inside the mesh's box; momentum_human is known for joints in another pose than its mesh, yet passes.
TEST_P(FbxCharacter, JointsLieInTheMesh) {
  AABBd box = bounding_box(character_.mesh).cast<double>();
  const Vec3d margin = 0.1 * box.sizes();
  box.extend(box.min() - margin);
  box.extend(box.max() + margin);
  for (int joint = 0; joint < character_.skeleton.joint_count(); ++joint) {
    if (character_.skeleton.kinds[joint] != JointKind::joint) continue;
    EXPECT_TRUE(box.contains(character_.skeleton.position(joint))) << character_.skeleton.names[joint];
  }
}

INSTANTIATE_TEST_SUITE_P(Data, FbxCharacter, testing::ValuesIn(expected), [](const auto& instance) {
  std::string name = instance.param.file;
  name.resize(name.find('.'));
  return name;
});

// In its animation a character stays in one piece.
TEST(Fbx, AnimationKeepsTheMeshInOnePiece) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const char* file : {"rocketbox_Female_Adult_01.fbx", "rocketbox_Male_Adult_05.fbx"}) {
    const Character c = load(test::data_folder() / "characters" / file);
    ASSERT_EQ(c.motions.size(), 1u);
    const std::vector<Vec3f> posed =
        pose_positions(c.mesh.positions, c.weights, skinning_transforms(c.skeleton, frame_pose(c.motions[0], 0)));
    for (const Triangle& t : c.mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        const float before = (c.mesh.positions[t[k]] - c.mesh.positions[t[(k + 1) % 3]]).norm();
        const float after = (posed[t[k]] - posed[t[(k + 1) % 3]]).norm();
        EXPECT_LT(after, 1.05f * before + 0.002f);
      }
    }
  }
}

TEST(Fbx, ClipsHaveASkeletonAndAMotion) {
  const auto files = test::data_files("motion/rocketbox", {".fbx"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  const Character c = load(files.front());
  EXPECT_EQ(c.mesh.vertex_count(), 0u);
  ASSERT_EQ(c.motions.size(), 1u);
  EXPECT_EQ(c.motions[0].frames_per_second, 30.0);
  EXPECT_GT(c.motions[0].frame_count(), 10);
  const int head = find_joint(c.skeleton, "Bip01 Head"), nub = find_joint(c.skeleton, "Bip01 HeadNub");
  ASSERT_GE(head, 0);
  ASSERT_GE(nub, 0);
  EXPECT_EQ(c.skeleton.kinds[head], JointKind::joint);
  EXPECT_EQ(c.skeleton.kinds[nub], JointKind::end);
  // A standing person, in metres, with Y up.
  EXPECT_GT(c.skeleton.position(head).y(), 1.3);
  EXPECT_LT(c.skeleton.position(head).y(), 2.0);
}

}  // namespace
}  // namespace sinew
