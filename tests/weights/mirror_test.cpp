#include <gtest/gtest.h>

#include "sinew/body_frame.h"
#include "sinew/weight_tools.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

// The vertex at the mirrored place; the mesh is exact.
std::size_t image_of(const Character& character, std::size_t vertex) {
  Vec3f place = character.mesh.positions[vertex];
  place.x() = -place.x();
  std::size_t best = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if ((character.mesh.positions[v] - place).norm() < (character.mesh.positions[best] - place).norm()) best = v;
  }
  return best;
}

void expect_symmetric(const Character& character) {
  const JointMirror mirror = mirror_joints(character.skeleton);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const std::size_t image = image_of(character, v);
    for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
      EXPECT_NEAR(character.weights.weight_of(v, joint), character.weights.weight_of(image, mirror.joints[joint]), 1e-6)
          << "vertex " << v << " joint " << joint;
    }
  }
}

TEST(MirrorWeights, MakesBothSidesTheSameByTopology) {
  for (const MirrorFrom from : {MirrorFrom::left, MirrorFrom::right}) {
    Character character = test::symmetric_skin();
    const SkinWeights before = character.weights;
    const MirrorReport report = mirror_weights(character, {.from = from});
    test::expect_valid_skin(character, 4);
    expect_symmetric(character);
    EXPECT_EQ(report.joint_pairs, 3u);
    EXPECT_EQ(report.middle, 8u);
    EXPECT_EQ(report.by_topology, (character.mesh.vertex_count() - 8) / 2);
    EXPECT_EQ(report.by_vertex + report.by_surface + report.unmatched, 0u);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {  // the source keeps its bits
      const float x = character.mesh.positions[v].x();
      if (from == MirrorFrom::left ? x <= 0.01f : x >= -0.01f) continue;
      for (int slot = 0; slot < 4; ++slot) {
        EXPECT_EQ(character.weights.weights[4 * v + slot], before.weights[4 * v + slot]);
      }
    }
  }
}

// The left arm raised: no vertex of it has a counterpart by position, and topology finds them all.
TEST(MirrorWeights, FollowsTopologyWhereTheShapeIsNotSymmetric) {
  Character character = test::symmetric_skin();
  Character posed = character;
  for (Vec3f& p : posed.mesh.positions) {
    if (p.x() > 0.5f) p = Vec3f(0.5f + 0.6f * (p.x() - 0.5f), p.y() + 0.8f * (p.x() - 0.5f), p.z());
  }
  const MirrorReport report = mirror_weights(posed, {});
  EXPECT_EQ(report.by_topology, (character.mesh.vertex_count() - 8) / 2);
  mirror_weights(character, {});
  EXPECT_TRUE(test::same_weights(character.weights, posed.weights));
}

// A tube whose diagonals all run the same way is not its own mirror image, but its vertices are.
TEST(MirrorWeights, FallsBackToPositions) {
  Character character = test::symmetric_skin();
  character.mesh = test::tube(4, 0.25, 41, 8);
  for (Vec3f& p : character.mesh.positions) p.x() -= 2;
  test::weigh_at_random(character, 4, 5);
  const MirrorReport report = mirror_weights(character, {});
  EXPECT_EQ(report.by_topology, 0u);
  EXPECT_EQ(report.by_vertex, 20u * 8 + 1);
  expect_symmetric(character);
}

TEST(MirrorWeights, InterpolatesWhereVerticesDiffer) {
  Character character = test::symmetric_skin();
  character.mesh = test::tube(2, 0.25, 41, 16);
  TriangleMesh other = test::tube(2, 0.25, 23, 16);
  for (Vec3f& p : other.positions) p = Vec3f(-p.x(), p.y(), -p.z());
  test::append(character.mesh, other);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 2);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double x = std::abs(static_cast<double>(character.mesh.positions[v].x())) / 2;
    const bool left = v < 41u * 16 + 2;
    set_influences(character.weights, v, {{1, left ? x : 1.0}, {2, left ? 1 - x : 0.0}});
  }
  const MirrorReport report = mirror_weights(character, {});
  EXPECT_GT(report.by_surface, 100u);
  EXPECT_EQ(report.unmatched, 0u);
  const int arm = find_joint(character.skeleton, "RightArm");
  for (std::size_t v = 41u * 16 + 2; v < character.mesh.vertex_count(); ++v) {
    const double x = std::abs(static_cast<double>(character.mesh.positions[v].x())) / 2;
    if (x < 0.02) continue;  // the middle
    EXPECT_NEAR(character.weights.weight_of(v, arm), x, 1e-4) << v;
  }
}

TEST(MirrorWeights, TreatsSeamsAsOneAndRespectsLocksAndSelection) {
  Character character = test::with_seams(test::symmetric_skin());
  test::weigh_at_random(character, 4, 3);
  const SkinWeights before = character.weights;
  const int hips = find_joint(character.skeleton, "Hips");
  std::vector<std::uint32_t> far;
  for (std::uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (character.mesh.positions[v].x() < -1) far.push_back(v);
  }
  mirror_weights(character, {.selection = {.vertices = far, .locked = {hips}}});
  test::expect_valid_skin(character, 4);
  test::expect_whole_seams(character);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(character.weights.weight_of(v, hips), before.weight_of(v, hips), 1e-6);
    if (character.mesh.positions[v].x() > -1) {
      EXPECT_EQ(character.weights.weights[4 * v], before.weights[4 * v]);
    }
  }
}

TEST(MirrorWeights, GivesWeightsOfAJointWithoutCounterpartToTheOneAbove) {
  Character character = test::symmetric_skin();
  const int pocket =
      add_joint(character.skeleton, "LeftPocket", find_joint(character.skeleton, "LeftArm"), Affine3d::Identity());
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    set_influences(character.weights, v, {{static_cast<std::uint16_t>(pocket), 1.0}});
  }
  const MirrorReport report = mirror_weights(character, {});
  EXPECT_EQ(report.unpaired, std::vector<int>{pocket});
  ASSERT_EQ(report.change.warnings.size(), 1u);
  EXPECT_EQ(report.change.warnings[0].code, "joints-without-mirror");
  const int arm = find_joint(character.skeleton, "RightArm");
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (character.mesh.positions[v].x() < -0.1f) {
      EXPECT_EQ(character.weights.weight_of(v, arm), 1);
    }
  }
}

TEST(MirrorWeights, KeepsWhatHasNoCounterpart) {
  Character character = test::symmetric_skin();
  const std::size_t first = character.mesh.vertex_count();
  test::append(character.mesh, test::tube(0.5, 0.1, 5, 6), Vec3f(-1, 2, 0));  // a pouch on the right alone
  test::weigh_at_random(character, 4, 8);
  const SkinWeights before = character.weights;
  const MirrorReport report = mirror_weights(character, {});
  EXPECT_EQ(report.unmatched, character.mesh.vertex_count() - first);
  for (std::size_t slot = 4 * first; slot < before.weights.size(); ++slot) {
    EXPECT_EQ(character.weights.weights[slot], before.weights[slot]);
  }
}

TEST(MirrorWeights, GivesTheSameBitsAtAnyThreadCount) {
  Character one = test::symmetric_skin(), two = one;
  mirror_weights(one, {.by_topology = false, .threads = 1});
  mirror_weights(two, {.by_topology = false, .threads = 2});
  EXPECT_TRUE(test::same_weights(one.weights, two.weights));
}

TEST(MirrorWeights, RefusesASkeletonWithoutSides) {
  Character character = test::random_skin(1);
  EXPECT_THROW(mirror_weights(character, {}), Error);
}

}  // namespace
}  // namespace sinew
