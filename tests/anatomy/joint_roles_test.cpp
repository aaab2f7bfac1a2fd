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
      // Poser and Daz
      {"lShldr", "left upper_arm"},
      {"rShldrBend", "right upper_arm"},
      {"lForearmBend", "left forearm"},
      {"lThighTwist", "left twist"},
      {"rMid1", "right middle_finger"},
      {"lCarpal2", "left hand"},
      {"abdomenUpper", "spine"},
      // SMPL, Kinect
      {"L_Hip", "left thigh"},
      {"R_Collar", "right clavicle"},
      {"SpineMid", "spine"},
      // Xsens, Perception Neuron, Rokoko
      {"L5", "spine"},
      {"T8", "spine"},
      {"Robot_LeftUpLeg", "left thigh"},
      {"RightInHandIndex", "right index_finger"},
      {"LeftThigh", "left thigh"},
      // 3ds CAT
      {"Base HumanLThigh", "left thigh"},
      {"Base HumanRCollarbone", "right clavicle"},
      {"Base HumanLDigit11", "left thumb"},
      {"Base HumanRPalm", "right hand"},
      // Rigify's layers, and what animators pull
      {"DEF-upper_arm.L.001", "left upper_arm"},
      {"ORG-shin.R", "right shin"},
      {"MCH-thigh_ik.L", "left control"},
      {"upper_arm_tweak.L", "left control"},
      {"HeelRoll.R", "right control"},
      {"FootCtrl.L", "left control"},
      // MMD, Chinese, and other languages
      {"左腕", "left upper_arm"},
      {"右ひじ", "right forearm"},
      {"左手首", "left hand"},
      {"右足", "right thigh"},
      {"左ひざ", "left shin"},
      {"右足首", "right foot"},
      {"左足ＩＫ", "left control"},
      {"上半身2", "spine"},
      {"下半身", "hips"},
      {"センター", "root"},
      {"左大腿", "left thigh"},
      {"Oberschenkel_L", "left thigh"},
      {"unterarm.rechts", "right forearm"},
      {"cuisse_gauche", "left thigh"},
      {"Antebrazo.R", "right forearm"},
      {"braço_esquerdo", "left upper_arm"},
      {"Coscia_Sinistra", "left thigh"},
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

// One numbered spine from the pelvis to the head.
TEST(JointRoles, RigifySpines) {
  expect_roles({{"DEF-spine", "", "hips"},
                {"DEF-spine.001", "DEF-spine", "spine"},
                {"DEF-spine.002", "DEF-spine.001", "spine 2"},
                {"DEF-spine.003", "DEF-spine.002", "chest"},
                {"DEF-spine.004", "DEF-spine.003", "neck"},
                {"DEF-spine.005", "DEF-spine.004", "neck 2"},
                {"DEF-spine.006", "DEF-spine.005", "head"},
                {"DEF-shoulder.L", "DEF-spine.003", "left clavicle"},
                {"DEF-upper_arm.L", "DEF-shoulder.L", "left upper_arm"},
                {"DEF-upper_arm.L.001", "DEF-upper_arm.L", "left upper_arm 2"},
                {"DEF-forearm.L", "DEF-upper_arm.L.001", "left forearm"},
                {"DEF-thigh.L", "DEF-spine", "left thigh"},
                {"DEF-shin.L", "DEF-thigh.L", "left shin"},
                {"DEF-thigh.R", "DEF-spine", "right thigh"},
                {"DEF-shin.R", "DEF-thigh.R", "right shin"}});
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
