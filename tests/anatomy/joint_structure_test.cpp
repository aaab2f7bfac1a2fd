#include "sinew/anatomy/joint_structure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/figure.h"

namespace sinew {
namespace {

using test::place;

// A skeleton built by name, then read without names; which joint is what is known by index.
struct Nameless {
  Skeleton skeleton;
  std::vector<std::string> names;

  explicit Nameless(const Skeleton& named) : skeleton(named), names(named.names) {
    for (std::size_t j = 0; j < names.size(); ++j) skeleton.names[j] = "bone_" + std::to_string(j);
  }
  void expect(const std::string& name, JointRole role, BodySide side) const {
    const std::vector<JointIdentity> found = identify_joints_by_structure(skeleton);
    const auto joint = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    ASSERT_LT(joint, names.size()) << name;
    EXPECT_EQ(found[joint].role, role) << name << " is " << role_name(found[joint].role);
    EXPECT_EQ(found[joint].side, side) << name;
  }
};

// Knees a little forwards, elbows a little backwards, no toes; facing `forward` (1 or -1) along z. The right arm comes
// first, the left leg first.
Skeleton without_toes(double forward) {
  Skeleton s;
  const int hips = add_joint(s, "Hips", -1, place(0, 1, 0));
  const int chest = add_joint(s, "Chest", hips, place(0, 1.4, 0));
  add_joint(s, "Head", chest, place(0, 1.6, 0));
  for (const double side : {-1.0, 1.0}) {
    const double x = side * forward;  // facing away mirrors the places of left and right
    const std::string name = side > 0 ? "Left" : "Right";
    const int upper = add_joint(s, name + "Arm", chest, place(x * 0.18, 1.45, 0));
    const int lower = add_joint(s, name + "ForeArm", upper, place(x * 0.45, 1.45, -0.02 * forward));
    add_joint(s, name + "Hand", lower, place(x * 0.7, 1.45, 0));
  }
  for (const double side : {1.0, -1.0}) {
    const double x = side * forward;
    const std::string name = side > 0 ? "Left" : "Right";
    const int thigh = add_joint(s, name + "UpLeg", hips, place(x * 0.1, 0.95, 0));
    const int shin = add_joint(s, name + "Leg", thigh, place(x * 0.1, 0.5, 0.02 * forward));
    add_joint(s, name + "Foot", shin, place(x * 0.1, 0.08, -0.04 * forward));
  }
  return s;
}

TEST(JointStructure, PersonWithFingersAndToes) {
  const Nameless figure(test::standing_figure());
  figure.expect("Hips", JointRole::hips, BodySide::centre);
  figure.expect("Head", JointRole::head, BodySide::centre);
  figure.expect("LeftShoulder", JointRole::clavicle, BodySide::left);
  figure.expect("LeftArm", JointRole::upper_arm, BodySide::left);
  figure.expect("RightForeArm", JointRole::forearm, BodySide::right);
  figure.expect("RightHand", JointRole::hand, BodySide::right);
  figure.expect("LeftLeg", JointRole::shin, BodySide::left);
  figure.expect("RightToeBase", JointRole::toe, BodySide::right);
}

TEST(JointStructure, FingersInOrderFromTheThumb) {
  Skeleton s = test::standing_figure();
  for (const std::string side : {"Left", "Right"}) {
    const double x = side == "Left" ? 1.0 : -1.0;
    const int thumb = add_joint(s, side + "HandThumb1", find_joint(s, side + "Hand"), place(x * 0.72, 1.44, 0.04));
    add_joint(s, side + "HandThumb2", thumb, place(x * 0.75, 1.43, 0.06));
    add_joint(s, side + "HandIndex2", find_joint(s, side + "HandIndex1"), place(x * 0.85, 1.45, 0.03));
    add_joint(s, side + "HandMiddle2", find_joint(s, side + "HandMiddle1"), place(x * 0.86, 1.45, 0));
    add_joint(s, side + "HandPinky2", find_joint(s, side + "HandPinky1"), place(x * 0.82, 1.45, -0.04));
  }
  const Nameless figure(s);
  figure.expect("LeftHand", JointRole::hand, BodySide::left);
  figure.expect("LeftHandThumb2", JointRole::thumb, BodySide::left);
  figure.expect("LeftHandIndex1", JointRole::index_finger, BodySide::left);
  figure.expect("RightHandMiddle2", JointRole::middle_finger, BodySide::right);
  figure.expect("RightHandPinky1", JointRole::ring_finger, BodySide::right);
}

TEST(JointStructure, KneesAndElbowsTellLeftWhereThereAreNoToes) {
  for (const double forward : {1.0, -1.0}) {
    const Nameless figure(without_toes(forward));
    figure.expect("LeftUpLeg", JointRole::thigh, BodySide::left);
    figure.expect("RightFoot", JointRole::foot, BodySide::right);
    figure.expect("LeftArm", JointRole::upper_arm, BodySide::left);  // not a clavicle: it begins far from the middle
    figure.expect("RightHand", JointRole::hand, BodySide::right);
  }
}

TEST(JointStructure, ZMayBeUp) {
  Skeleton lying = test::standing_figure();
  for (Affine3d& rest : lying.rest) {
    const Vec3d p = rest.translation();
    rest.translation() = Vec3d(p.x(), -p.z(), p.y());
  }
  const Nameless figure(lying);
  figure.expect("LeftUpLeg", JointRole::thigh, BodySide::left);
  figure.expect("RightArm", JointRole::upper_arm, BodySide::right);
}

TEST(JointStructure, JointsInTheMiddleOfALimbAreOfThePartBefore) {
  Skeleton s = without_toes(1);
  for (const char* name : {"LeftHand", "RightHand"}) {
    const int hand = find_joint(s, name), forearm = s.parents[hand];
    const Vec3d middle = 0.5 * (s.position(hand) + s.position(forearm));
    // Parents come first, so the hand moves to the end.
    const int twist = add_joint(s, std::string(name) + "Twist", forearm, place(middle.x(), middle.y(), middle.z()));
    add_joint(s, std::string(name) + "End", twist, s.rest[hand]);
    s.rest[hand].translation() = middle;  // what was the hand is a leaf in the middle now
  }
  const Nameless figure(s);
  figure.expect("LeftForeArm", JointRole::forearm, BodySide::left);
  figure.expect("LeftHandTwist", JointRole::forearm, BodySide::left);
  figure.expect("RightHandEnd", JointRole::hand, BodySide::right);
}

// What animators pull: chains on the floor that roll feet, and poles far in front.
TEST(JointStructure, ControlsAreNoLimbs) {
  Skeleton s;
  const int root = add_joint(s, "Root", -1, place(0, 0, 0));
  const Skeleton body = without_toes(1);
  for (int j = 0; j < body.joint_count(); ++j) {
    add_joint(s, body.names[j], body.parents[j] < 0 ? root : body.parents[j] + 1, body.rest[j]);
  }
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    const int a = add_joint(s, name + " roll 1", root, place(side * 0.15, 0, 0.4));
    const int b = add_joint(s, name + " roll 2", a, place(side * 0.15, 0, -0.4));
    const int c = add_joint(s, name + " roll 3", b, place(side * 0.15, 0, 0.3));
    add_joint(s, name + " target", c, place(side * 0.15, 0.1, 0));
    add_joint(s, name + " pole", root, place(side * 0.15, 0.5, 5));
  }
  const Nameless figure(s);
  figure.expect("LeftUpLeg", JointRole::thigh, BodySide::left);
  figure.expect("RightHand", JointRole::hand, BodySide::right);
  figure.expect("left roll 1", JointRole::unknown, BodySide::centre);
}

// The hind feet hang on the root; the front legs reach lower than what hangs together of the hind ones.
TEST(JointStructure, AnimalWhoseHindFeetFollowTargets) {
  Skeleton s;
  const int root = add_joint(s, "Root", -1, place(0, 0, 0));
  const int hips = add_joint(s, "Hips", root, place(0, 0.7, -0.5));
  const int chest = add_joint(s, "Chest", hips, place(0, 0.7, 0.3));
  const int neck1 = add_joint(s, "Neck1", chest, place(0, 0.8, 0.45));
  const int neck2 = add_joint(s, "Neck2", neck1, place(0, 0.9, 0.55));
  add_joint(s, "Head", neck2, place(0, 0.95, 0.65));
  const int tail = add_joint(s, "Tail1", hips, place(0, 0.72, -0.6));
  add_joint(s, "Tail2", tail, place(0, 0.7, -0.8));
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int upper = add_joint(s, name + "FrontUpper", chest, place(side * 0.12, 0.6, 0.3));
    const int lower = add_joint(s, name + "FrontLower", upper, place(side * 0.12, 0.3, 0.28));
    add_joint(s, name + "FrontPaw", lower, place(side * 0.12, 0.05, 0.3));
  }
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int thigh = add_joint(s, name + "Thigh", hips, place(side * 0.12, 0.62, -0.5));
    add_joint(s, name + "Shin", thigh, place(side * 0.12, 0.35, -0.42));
    add_joint(s, name + "Foot", root, place(side * 0.12, 0.06, -0.52));
  }
  const Nameless animal(s);
  animal.expect("LeftThigh", JointRole::thigh, BodySide::left);
  animal.expect("RightFoot", JointRole::foot, BodySide::right);
  animal.expect("LeftFrontUpper", JointRole::upper_arm, BodySide::left);
  animal.expect("RightFrontPaw", JointRole::hand, BodySide::right);
  animal.expect("Head", JointRole::head, BodySide::centre);
  animal.expect("Neck2", JointRole::neck, BodySide::centre);
  animal.expect("Tail2", JointRole::tail, BodySide::centre);
}

}  // namespace
}  // namespace sinew
