#include "sinew/anatomy/naming_convention.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sinew {
namespace {

std::string convention_of(const std::vector<std::string>& names) {
  Skeleton skeleton;
  for (const std::string& name : names) add_joint(skeleton, name, -1, Affine3d::Identity());
  return naming_convention(skeleton);
}

TEST(NamingConvention, IsToldByJointsOfThePersonsBody) {
  EXPECT_EQ(convention_of({"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:LeftArm",
                           "mixamorig:LeftForeArm", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg"}),
            "Mixamo");
  EXPECT_EQ(convention_of({"mixamorig5:Hips", "mixamorig5:Spine1", "mixamorig5:LeftArm", "mixamorig5:LeftForeArm",
                           "mixamorig5:LeftUpLeg"}),
            "Mixamo");
  EXPECT_EQ(convention_of(
                {"mixamorigHips", "mixamorigSpine1", "mixamorigLeftArm", "mixamorigLeftForeArm", "mixamorigLeftUpLeg"}),
            "Mixamo");
  EXPECT_EQ(convention_of({"root", "pelvis", "spine_01", "clavicle_l", "upperarm_l", "lowerarm_l", "thigh_l"}),
            "Unreal");
  EXPECT_EQ(convention_of({"Bip001 Pelvis", "Bip001 Spine", "Bip001 L Clavicle", "Bip001 L UpperArm",
                           "Bip001 L Forearm", "Bip001 L Thigh"}),
            "3ds Max Biped");
  EXPECT_EQ(convention_of({"Hips", "Spine", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg"}),
            "HumanIK");
  EXPECT_EQ(convention_of({"hero:Hips", "hero:Spine", "hero:LeftShoulder", "hero:LeftArm", "hero:LeftForeArm"}),
            "HumanIK");
  EXPECT_EQ(convention_of({"hips", "spine", "leftShoulder", "leftUpperArm", "leftLowerArm", "leftUpperLeg"}), "VRM");
  EXPECT_EQ(convention_of({"Hips", "Spine", "LeftShoulder", "LeftUpperArm", "LeftLowerArm", "LeftUpperLeg"}), "Unity");
  EXPECT_EQ(convention_of({"DEF-spine", "DEF-shoulder.L", "DEF-upper_arm.L", "DEF-forearm.L", "DEF-thigh.L"}),
            "Rigify");
  EXPECT_EQ(convention_of({"Pelvis", "Spine1", "L_Collar", "L_Shoulder", "L_Elbow", "L_Hip"}), "SMPL");
}

TEST(NamingConvention, IsNotGuessed) {
  EXPECT_EQ(convention_of({}), "");
  EXPECT_EQ(convention_of({"a", "b", "c"}), "");
  EXPECT_EQ(convention_of({"Hips", "Spine", "Head"}), "");
  EXPECT_EQ(convention_of({"Leg.L", "Leg.R", "Foot.L", "Foot.R", "Ear.L", "Ear.R"}), "Blender");
  EXPECT_EQ(convention_of({"mixamorig:", ":", "mixamorig", "Bip"}), "");
}

}  // namespace
}  // namespace sinew
