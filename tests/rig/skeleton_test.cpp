#include "sinew/skeleton.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/error.h"
#include "sinew/motion.h"

namespace sinew {
namespace {

Affine3d random_transform(Random& random) {
  Affine3d transform = Affine3d::Identity();
  transform.translate(Vec3d(random.normal(), random.normal(), random.normal()));
  transform.rotate(Quatd(random.normal(), random.normal(), random.normal(), random.normal()).normalized());
  return transform;
}

Skeleton random_skeleton(int joints, std::uint64_t seed) {
  Random random(seed);
  Skeleton skeleton;
  for (int joint = 0; joint < joints; ++joint) {
    const int parent = joint == 0 ? -1 : static_cast<int>(random.below(joint));
    add_joint(skeleton, "joint" + std::to_string(joint), parent, random_transform(random));
  }
  return skeleton;
}

TEST(Skeleton, RestPoseSkinsToIdentity) {
  const Skeleton skeleton = random_skeleton(40, 1);
  check_skeleton(skeleton);
  for (const Affine3d& transform : skinning_transforms(skeleton, rest_pose(skeleton))) {
    EXPECT_TRUE(transform.isApprox(Affine3d::Identity(), 1e-9));
  }
}

TEST(Skeleton, RefusesWhatIsImpossible) {
  Skeleton skeleton = random_skeleton(3, 2);
  EXPECT_THROW(add_joint(skeleton, "orphan", 9, Affine3d::Identity()), Error);
  skeleton.parents[1] = 2;
  EXPECT_THROW(check_skeleton(skeleton), Error);
  skeleton = random_skeleton(3, 2);
  skeleton.rest[1].linear().setZero();
  EXPECT_THROW(check_skeleton(skeleton), Error);
}

TEST(Skeleton, RefusesSizesThatNoFileHolds) {
  for (const double size : {1e30, 1e-30}) {
    Skeleton skeleton = random_skeleton(3, 2);
    check_skeleton(skeleton);
    skeleton.rest[1].linear() *= size;
    EXPECT_THROW(check_skeleton(skeleton), Error);
  }
}

TEST(Transform, DecomposesEveryTranslationRotationScale) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    Affine3d matrix = random_transform(random);
    matrix.scale(Vec3d(random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(-3, -0.1) * (i % 2 ? 1 : -1)));
    EXPECT_TRUE(Transform::from_matrix(matrix).matrix().isApprox(matrix, 1e-9));
  }
}

TEST(Motion, InterpolatesAlongTheShortArcAndClampsOrLoops) {
  Motion motion;
  motion.frames_per_second = 10;
  motion.joint_count = 1;
  Transform begin, end;
  end.translation = Vec3d(2, 0, 0);
  end.rotation = Quatd(Eigen::AngleAxisd(1.0, Vec3d::UnitY()));
  end.rotation.coeffs() *= -1;  // the same rotation on the other side of the sphere
  motion.transforms = {begin, end};
  const Pose half = sample_motion(motion, 0.05);
  EXPECT_NEAR(half[0].translation.x(), 1.0, 1e-12);
  EXPECT_NEAR(half[0].rotation.angularDistance(Quatd(Eigen::AngleAxisd(0.5, Vec3d::UnitY()))), 0.0, 1e-7);
  EXPECT_NEAR(sample_motion(motion, 9.0)[0].translation.x(), 2.0, 1e-12);
  EXPECT_NEAR(sample_motion(motion, 0.15, true)[0].translation.x(), 1.0, 1e-9);
  EXPECT_THROW(frame_pose(motion, 2), Error);
}

}  // namespace
}  // namespace sinew
