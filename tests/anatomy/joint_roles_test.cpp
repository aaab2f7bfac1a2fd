#include "sinew/anatomy/joint_roles.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/figure.h"

namespace sinew {
namespace {

// "left forearm", "spine 2": side, role, and index where it is not 1.
std::string text(const JointIdentity& joint) {
  const char* side = joint.side == BodySide::left ? "left " : joint.side == BodySide::right ? "right " : "";
  return std::string(side) + role_name(joint.role) + (joint.index > 1 ? " " + std::to_string(joint.index) : "");
}

struct Named {
  const char* name;
  const char* parent;  // empty for a root
  const char* expected;
};

void expect_roles(const std::vector<Named>& joints) {
  Skeleton skeleton;
  for (const Named& joint : joints) {
    add_joint(skeleton, joint.name, find_joint(skeleton, joint.parent), Affine3d::Identity());
  }
  const std::vector<JointIdentity> roles = identify_joints(skeleton);
  for (std::size_t i = 0; i < joints.size(); ++i) EXPECT_EQ(text(roles[i]), joints[i].expected) << joints[i].name;
}

TEST(JointRoles, NamesOfManyTools) {
  const std::pair<const char*, const char*> names[] = {
      {"mixamorig:LeftForeArm", "left forearm"},
      {"mixamorig:RightHandPinky2", "right little_finger"},
      {"mixamorig:Spine1", "spine"},
      {"leftUpperLeg", "left thigh"},
      {"rightLittleProximal", "right little_finger"},
      {"J_Bip_L_UpperArm", "left upper_arm"},
      {"upperarm_l", "left upper_arm"},
      {"calf_r", "right shin"},
      {"ball_l", "left toe"},
      {"thigh_twist_01_l", "left twist"},
      {"DEF-upper_arm.L", "left upper_arm"},
      {"DEF-f_index.01.R", "right index_finger"},
      {"DEF-shin.R", "right shin"},
      {"Bip01 L UpperArm", "left upper_arm"},
      {"Bip01 R Calf", "right shin"},
      {"Bip01 L Finger0", "left thumb"},
      {"Bip01 L Finger42", "left little_finger"},
      {"Bip01 MJaw", "jaw"},
      {"Bip01 LEye", "left eye"},
      {"finger2-3.R", "right index_finger"},
      {"metacarpal1.L", "left hand"},
      {"lowerarm02.L", "left forearm"},
      {"orbicularis03.R", "right face"},
      {"UpLeg_R", "right thigh"},
      {"LoArm_L", "left forearm"},
      {"handslot.l", "left prop"},
      {"kneeIK.l", "left control"},
      {"PoleTarget.R", "right control"},
      {"LegPT.L", "left control"},
      {"beagle EarR", "right ear"},
      {"front_shin.L", "left forearm"},
      {"FrontUpperLeg.R", "right upper_arm"},
      {"lhand", "left hand"},
      {"RFingers", "right middle_finger"},
      {"LeftFingerBase", "left middle_finger"},
      {"Shoulders", "chest"},
      {"Tail8", "tail"},
      {"spring_bone", "unknown"},
      {"FFB.L", "left unknown"},
      {"", "unknown"},
      {"::", "unknown"},
      {"_12_", "unknown"},
  };
  for (const auto& [name, expected] : names) EXPECT_EQ(text(identify_name(name)), expected) << name;
}

TEST(JointRoles, CmuHierarchy) {
  expect_roles({{"Hips", "", "hips"},
                {"LHipJoint", "Hips", "left hip_joint"},
                {"LeftUpLeg", "LHipJoint", "left thigh"},
                {"LeftLeg", "LeftUpLeg", "left shin"},
                {"LeftFoot", "LeftLeg", "left foot"},
                {"LeftToeBase", "LeftFoot", "left toe"},
                {"LowerBack", "Hips", "spine"},
                {"Spine", "LowerBack", "spine 2"},
                {"Spine1", "Spine", "chest"},
                {"Neck", "Spine1", "neck"},
                {"Neck1", "Neck", "neck 2"},
                {"Head", "Neck1", "head"},
                {"LeftShoulder", "Spine1", "left clavicle"},
                {"LeftArm", "LeftShoulder", "left upper_arm"},
                {"LeftForeArm", "LeftArm", "left forearm"},
                {"LeftHand", "LeftForeArm", "left hand"},
                {"LThumb", "LeftHand", "left thumb"}});
}

TEST(JointRoles, ThighsInTwoHalvesHaveNoHipJoint) {
  Skeleton s;
  const int root = add_joint(s, "root", -1, test::place(0, 1, 0));
  const int first = add_joint(s, "upperleg01.L", root, test::place(0.1, 0.9, 0));
  const int second = add_joint(s, "upperleg02.L", first, test::place(0.1, 0.7, 0));
  const int shin = add_joint(s, "lowerleg01.L", second, test::place(0.1, 0.5, 0));
  add_joint(s, "foot.L", shin, test::place(0.1, 0.1, 0));
  const std::vector<JointIdentity> joints = identify_joints(s);
  EXPECT_EQ(joints[first], (JointIdentity{JointRole::thigh, BodySide::left, 1}));
  EXPECT_EQ(joints[second], (JointIdentity{JointRole::thigh, BodySide::left, 2}));
  s.rest[second].translation().y() = 0.85;
  EXPECT_EQ(identify_joints(s)[first].role, JointRole::hip_joint);
}

TEST(JointRoles, ShouldersBelowCollarsAreUpperArms) {
  expect_roles({{"Hips", "", "hips"},
                {"Chest", "Hips", "chest"},
                {"RightCollar", "Chest", "right clavicle"},
                {"RightShoulder", "RightCollar", "right upper_arm"},
                {"RightElbow", "RightShoulder", "right forearm"},
                {"RightWrist", "RightElbow", "right hand"},
                {"LHipJoint", "Hips", "left hip_joint"},
                {"LeftHip", "LHipJoint", "left thigh"},
                {"LeftKnee", "LeftHip", "left shin"},
                {"LeftAnkle", "LeftKnee", "left foot"}});
}

TEST(JointRoles, NumberedChainsWithoutPartNames) {
  expect_roles({{"Armature", "", "root"},
                {"torso_joint_1", "Armature", "hips"},
                {"torso_joint_2", "torso_joint_1", "spine"},
                {"torso_joint_3", "torso_joint_2", "chest"},
                {"neck_joint_1", "torso_joint_3", "neck"},
                {"neck_joint_2", "neck_joint_1", "head"},
                {"arm_joint_L_1", "torso_joint_3", "left upper_arm"},
                {"arm_joint_L_2", "arm_joint_L_1", "left forearm"},
                {"arm_joint_L_3", "arm_joint_L_2", "left hand"},
                {"leg_joint_L_1", "torso_joint_1", "left thigh"},
                {"leg_joint_L_2", "leg_joint_L_1", "left shin"},
                {"leg_joint_L_3", "leg_joint_L_2", "left foot"},
                {"leg_joint_L_5", "leg_joint_L_3", "left toe"},
                {"leg_joint_R_1", "torso_joint_1", "right thigh"},
                {"leg_joint_R_2", "leg_joint_R_1", "right shin"}});
}

TEST(JointRoles, AnimalsHaveArmsForFrontLegs) {
  expect_roles({{"Body", "", "hips"},
                {"Torso", "Body", "spine"},
                {"FrontLeg.R", "Torso", "right clavicle"},
                {"FrontUpLeg.R", "FrontLeg.R", "right upper_arm"},
                {"FrontLowLeg.R", "FrontUpLeg.R", "right forearm"},
                {"FrontFoot.R", "FrontLowLeg.R", "right hand"},
                {"BackLeg.R", "Body", "right hip_joint"},
                {"BackUpLeg.R", "BackLeg.R", "right thigh"},
                {"BackLowLeg.R", "BackUpLeg.R", "right shin"},
                {"BackLeg.L", "Body", "left hip_joint"},
                {"BackUpLeg.L", "BackLeg.L", "left thigh"},
                {"Tail1", "Body", "tail"},
                {"Tail2", "Tail1", "tail 2"}});
}

TEST(JointRoles, HindLegsBelowAHipOfTheirOwnReachTheHock) {
  expect_roles({{"Body", "", "hips"},
                {"BackShoulder.L", "Body", "left hip_joint"},
                {"BackLeg.L", "BackShoulder.L", "left thigh"},
                {"BackUpperLeg.L", "BackLeg.L", "left shin"},
                {"BackLowerLeg.L", "BackUpperLeg.L", "left foot"},
                {"BackShoulder.R", "Body", "right hip_joint"},
                {"BackLeg.R", "BackShoulder.R", "right thigh"},
                {"BackUpperLeg.R", "BackLeg.R", "right shin"},
                {"BackLowerLeg.R", "BackUpperLeg.R", "right foot"}});
}

}  // namespace
}  // namespace sinew
