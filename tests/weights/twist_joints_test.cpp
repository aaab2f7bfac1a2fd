#include "sinew/twist_joints.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/pose_mesh.h"
#include "tests/support/figure.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

constexpr double radius = 0.04, elbow = 0.45, wrist = 0.7, shoulder = 0.18;

// The left arm of the standing figure as a cylinder from the shoulder to beyond the wrist, with blends of 4 cm around the
// joints.
Character cylinder_arm() {
  Character character;
  character.name = "arm";
  character.skeleton = test::standing_figure();
  character.mesh = test::tube(0.8, radius, 161, 24);
  for (Vec3f& p : character.mesh.positions) p += Vec3f(0.05f, 1.45f, 0);
  const auto joint = [&](const char* name) { return static_cast<std::uint16_t>(find_joint(character.skeleton, name)); };
  const auto above = [](double x, double place) { return std::clamp((x - place) / 0.04 + 0.5, 0.0, 1.0); };
  character.weights = make_skin_weights(character.mesh.vertex_count(), 4);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double x = static_cast<double>(character.mesh.positions[v].x());
    const double arm = above(x, shoulder), fore = above(x, elbow), hand = above(x, wrist);
    set_influences(character.weights, v,
                   {{joint("LeftShoulder"), 1 - arm},
                    {joint("LeftArm"), arm - fore},
                    {joint("LeftForeArm"), fore - hand},
                    {joint("LeftHand"), hand}});
  }
  return character;
}

// A joint turned about the arm, as a motion of two frames: rest and turned.
void turn(Character& character, const char* name, double degrees) {
  Motion motion{"turn", 30, character.skeleton.joint_count(), rest_pose(character.skeleton)};
  Pose turned = rest_pose(character.skeleton);
  Transform& joint = turned[find_joint(character.skeleton, name)];
  joint.rotation = Quatd(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3d::UnitX())) * joint.rotation;
  motion.transforms.insert(motion.transforms.end(), turned.begin(), turned.end());
  character.motions = {motion};
}

struct Ring {
  double x, radius, degrees;  // smallest radius; turn of its first vertex
};

std::vector<Ring> rings_of(const Character& character) {
  const std::vector<Affine3d> moved = skinning_transforms(character.skeleton, frame_pose(character.motions[0], 1));
  const std::vector<Vec3f> posed = pose_positions(character.mesh.positions, character.weights, moved);
  std::vector<Ring> rings;
  for (std::size_t r = 0; r < 161; ++r) {
    Ring ring{static_cast<double>(posed[24 * r].x()), 1, 0};
    for (std::size_t s = 0; s < 24; ++s) {
      const Vec3f& p = posed[24 * r + s];
      ring.radius = std::min(ring.radius, std::hypot(static_cast<double>(p.y()) - 1.45, static_cast<double>(p.z())));
    }
    const Vec3f& p = posed[24 * r];
    ring.degrees = std::atan2(static_cast<double>(p.z()), static_cast<double>(p.y()) - 1.45) * 180 / M_PI;
    rings.push_back(ring);
  }
  return rings;
}

double least_radius(const Character& character) {
  double least = 1;
  for (const Ring& ring : rings_of(character)) least = std::min(least, ring.radius);
  return least / radius;
}

// Two joints that differ by an angle pinch the skin to the cosine of half of it, and n joints share the angle by n + 1.
TEST(TwistJoints, KeepTheRadiusOfACylinder) {
  for (const char* turned : {"LeftHand", "LeftArm"}) {
    Character plain = cylinder_arm();
    turn(plain, turned, 90);
    EXPECT_NEAR(least_radius(plain), std::cos(M_PI / 4), 0.005);
    for (int count = 1; count <= 3; ++count) {
      Character character = plain;
      const TwistReport report = add_twist_joints(character, {.per_limb = count});
      EXPECT_EQ(report.added.size(), 8u);
      EXPECT_GT(report.changed, 1000u);
      test::expect_valid_skin(character, 4);
      EXPECT_NEAR(least_radius(character), std::cos(M_PI / 4 / (count + 1)), 0.006) << turned << " " << count;
    }
  }
}

TEST(TwistJoints, SpreadTheTurnSteadily) {
  for (const char* turned : {"LeftHand", "LeftArm"}) {
    Character character = cylinder_arm();
    turn(character, turned, 90);
    add_twist_joints(character, {.per_limb = 3});
    const std::vector<Ring> rings = rings_of(character);
    for (std::size_t r = 1; r < rings.size(); ++r) {
      EXPECT_GE(rings[r].degrees, rings[r - 1].degrees - 1e-3) << rings[r].x;
      EXPECT_LE(rings[r].degrees, rings[r - 1].degrees + 8) << rings[r].x;
    }
    EXPECT_NEAR(rings.front().degrees, 0, 1e-3);
    EXPECT_NEAR(rings.back().degrees, 90, 1e-3);
    for (const Ring& ring : rings) {
      if (turned == std::string("LeftHand") && ring.x < elbow - 0.03) {
        EXPECT_NEAR(ring.degrees, 0, 1e-3) << ring.x;
      }
      if (turned == std::string("LeftArm") && ring.x > elbow + 0.03) {
        EXPECT_NEAR(ring.degrees, 90, 1e-3) << ring.x;
      }
    }
  }
}

// The rest pose, and what bends without turning, look as before.
TEST(TwistJoints, ChangeNothingWhereNothingTurns) {
  Character plain = cylinder_arm();
  Motion motion{"bend", 30, plain.skeleton.joint_count(), {}};
  Random random(1);
  for (int frame = 0; frame < 5; ++frame) {
    Pose pose = rest_pose(plain.skeleton);
    for (const char* name : {"LeftArm", "LeftForeArm", "LeftHand"}) {  // about axes at right angles to the arm
      const double angle = random.uniform(0, 2 * M_PI);
      Transform& joint = pose[find_joint(plain.skeleton, name)];
      joint.rotation = Quatd(Eigen::AngleAxisd(random.uniform(-1, 1), Vec3d(0, std::cos(angle), std::sin(angle))));
    }
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  plain.motions = {motion};
  Character character = plain;
  add_twist_joints(character, {.per_limb = 2});
  EXPECT_NO_THROW(check_character(character));
  for (int frame = 0; frame < 5; ++frame) {
    const std::vector<Vec3f> before = pose_positions(
        plain.mesh.positions, plain.weights, skinning_transforms(plain.skeleton, frame_pose(plain.motions[0], frame)));
    const std::vector<Vec3f> after =
        pose_positions(character.mesh.positions, character.weights,
                       skinning_transforms(character.skeleton, frame_pose(character.motions[0], frame)));
    for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT((before[v] - after[v]).norm(), 2e-6) << v;
  }
}

TEST(TwistJoints, AreNotAddedWhereThereAreSome) {
  Character character = cylinder_arm();
  const Skeleton before = character.skeleton;
  add_joint(character.skeleton, "LeftForeArmTwist", find_joint(before, "LeftForeArm"), test::place(0.6, 1.45, 0));
  const TwistReport report = add_twist_joints(character, {.thighs = false, .shins = false});
  ASSERT_EQ(report.kept.size(), 1u);
  EXPECT_EQ(report.kept[0].joint, "LeftForeArm");
  EXPECT_EQ(report.kept[0].twists, std::vector<std::string>{"LeftForeArmTwist"});
  EXPECT_EQ(report.added.size(), 3u);
  const Skeleton once = character.skeleton;
  EXPECT_EQ(add_twist_joints(character, {.thighs = false, .shins = false}).added.size(), 0u);
  EXPECT_EQ(character.skeleton.names, once.names);
}

TEST(TwistJoints, StandBehindTheOthersWithNamesOfTheirOwn) {
  Character character = cylinder_arm();
  const std::vector<std::string> before = character.skeleton.names;
  const TwistReport report =
      add_twist_joints(character, {.per_limb = 2, .upper_arms = false, .thighs = false, .shins = false});
  ASSERT_EQ(report.added.size(), 2u);
  EXPECT_EQ(report.added[0].twists, (std::vector<std::string>{"LeftForeArmTwist1", "LeftForeArmTwist2"}));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), character.skeleton.names.begin()));
  const int joint = find_joint(character.skeleton, "LeftForeArmTwist1");
  EXPECT_EQ(character.skeleton.names[character.skeleton.parents[joint]], "LeftForeArm");
  EXPECT_NEAR(character.skeleton.position(joint).x(), elbow + (wrist - elbow) / 2.5, 1e-9);
}

TEST(TwistJoints, MeasureTheTurn) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const double angle = random.uniform(-3.1, 3.1), bend = random.uniform(-1.5, 1.5), way = random.uniform(0, 6.28);
    const Quatd swing(Eigen::AngleAxisd(bend, Vec3d(0, std::cos(way), std::sin(way))));
    const Quatd twist(Eigen::AngleAxisd(angle, Vec3d::UnitX()));
    EXPECT_NEAR(twist_angle(swing * twist, Vec3d::UnitX()), angle, 1e-9);
    EXPECT_NEAR(twist_angle(Quatd(-(swing * twist).coeffs()), Vec3d::UnitX()), angle, 1e-9);
  }
}

TEST(TwistJoints, RefuseWhatCannotBe) {
  Character character = cylinder_arm();
  EXPECT_THROW(add_twist_joints(character, {.per_limb = 0}), Error);
  EXPECT_THROW(add_twist_joints(character, {.per_limb = 4}), Error);
  Character bar = test::random_skin(1);
  EXPECT_THROW(add_twist_joints(bar), Error);
  bar.skeleton = {};
  bar.weights = {};
  EXPECT_THROW(add_twist_joints(bar), Error);
}

}  // namespace
}  // namespace sinew
