#include "sinew/evaluate/skeleton_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;

// A chain of joints at these points.
Character chain(const std::vector<Vec3d>& points, const std::string& prefix = "j") {
  Character character;
  for (std::size_t i = 0; i < points.size(); ++i) {
    add_joint(character.skeleton, prefix + std::to_string(i), static_cast<int>(i) - 1,
              Affine3d(Eigen::Translation3d(points[i])));
  }
  return character;
}

TEST(SkeletonComparison, IdenticalSkeletonsAreZeroApart) {
  const SkeletonComparison result = compare_skeletons(bar(), bar());
  EXPECT_EQ(result.j2j, 0);
  EXPECT_EQ(result.j2b, 0);
  EXPECT_NEAR(result.b2b, 0, 1e-12);
  EXPECT_EQ(result.named_joints, 2);
  EXPECT_EQ(result.named_distance, 0);
  EXPECT_NEAR(result.height, 0.2, 1e-6);
}

TEST(SkeletonComparison, ParallelChainsInClosedForm) {
  // Shifted sideways by 0.3: every point of the one is 0.3 from the other.
  const SkeletonComparison result =
      compare_skeletons(chain({{0, 0, 0.3}, {0, 1, 0.3}, {0, 2, 0.3}}), chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}));
  EXPECT_NEAR(result.j2j, 0.3, 1e-12);
  EXPECT_NEAR(result.j2b, 0.3, 1e-12);
  EXPECT_NEAR(result.b2b, 0.3, 1e-12);
  EXPECT_NEAR(result.named_distance, 0.3, 1e-12);
  EXPECT_DOUBLE_EQ(result.height, 2);
  EXPECT_DOUBLE_EQ(result.diagonal, 2);
}

TEST(SkeletonComparison, AnExtraJointOnABoneMovesOnlyJ2J) {
  const Character coarse = chain({{0, 0, 0}, {0, 2, 0}}), fine = chain({{0, 0, 0}, {0, 0.5, 0}, {0, 2, 0}}, "k");
  const SkeletonComparison result = compare_skeletons(fine, coarse);
  EXPECT_NEAR(result.j2j, 0.5 * (0.5 / 3 + 0), 1e-12);
  EXPECT_NEAR(result.j2b, 0, 1e-12);
  EXPECT_NEAR(result.b2b, 0, 1e-12);
  EXPECT_EQ(result.named_joints, 0);
  const SkeletonComparison back = compare_skeletons(coarse, fine);
  EXPECT_NEAR(back.j2j, result.j2j, 1e-12);
}

TEST(SkeletonComparison, ALongerBoneInClosedForm) {
  // From 0 to 1 against 0 to 2: the half that sticks out is ½ away on average, so ¼ over the longer skeleton.
  const SkeletonComparison result = compare_skeletons(chain({{0, 0, 0}, {0, 2, 0}}), chain({{0, 0, 0}, {0, 1, 0}}));
  EXPECT_NEAR(result.j2j, 0.5 * (0.5 + 0.5), 1e-12);
  EXPECT_NEAR(result.j2b, 0.5 * (0.5 + 0), 1e-12);
  EXPECT_NEAR(result.b2b, 0.5 * (0.25 + 0), 1e-9);
}

TEST(SkeletonComparison, HelpersDoNotCountAndEndsOnlyMakeBones) {
  Character plain = chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}});
  plain.skeleton.kinds[2] = JointKind::end;
  Character wrapped;
  add_joint(wrapped.skeleton, "Armature", -1, Affine3d(Eigen::Translation3d(9, 9, 9)), JointKind::helper);
  for (int i = 0; i < 3; ++i) {
    add_joint(wrapped.skeleton, "j" + std::to_string(i), i, plain.skeleton.rest[i], plain.skeleton.kinds[i]);
  }
  const SkeletonComparison result = compare_skeletons(wrapped, plain);
  EXPECT_EQ(result.candidate_joints, 2);
  EXPECT_EQ(result.truth_joints, 2);
  EXPECT_EQ(result.j2j, 0);
  EXPECT_NEAR(result.b2b, 0, 1e-12);
}

TEST(SkeletonComparison, BadInputIsRefused) {
  EXPECT_THROW(compare_skeletons(Character{}, bar()), Error);
  EXPECT_THROW(compare_skeletons(bar(), Character{}), Error);
  EXPECT_THROW(compare_skeletons(bar(), chain({{1, 1, 1}})), Error);
}

}  // namespace
}  // namespace sinew
