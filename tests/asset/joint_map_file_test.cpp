#include "sinew/asset/joint_map_file.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/error.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

TEST(JointMapFile, ComesBackAsItWas) {
  const Skeleton skeleton = test::standing_figure();
  JointMap map = map_joints(skeleton, skeleton);
  map.links[2] = {2, 1, 0.25, MapReason::role};
  map.links[5] = {};
  const std::string text = joint_map_to_json(map, skeleton, skeleton, "walk \"1\".bvh");
  JointMap read;
  read.links.resize(skeleton.names.size());
  apply_joint_map_json(text, skeleton, skeleton, read);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint) continue;
    EXPECT_EQ(read.links[joint].source, map.links[joint].source) << skeleton.names[joint];
    EXPECT_EQ(read.links[joint].before, map.links[joint].before) << skeleton.names[joint];
    EXPECT_EQ(read.links[joint].share, map.links[joint].share) << skeleton.names[joint];
    EXPECT_EQ(read.links[joint].reason, MapReason::given);
  }
}

TEST(JointMapFile, HoldsCorrectionsOnly) {
  const Skeleton skeleton = test::standing_figure();
  const JointMap automatic = map_joints(skeleton, skeleton);
  JointMap map = automatic;
  apply_joint_map_json(R"({"joints": {"LeftArm": "RightArm", "Head": null}})", skeleton, skeleton, map);
  EXPECT_EQ(map.links[find_joint(skeleton, "LeftArm")].source, find_joint(skeleton, "RightArm"));
  EXPECT_EQ(map.links[find_joint(skeleton, "Head")].source, -1);
  EXPECT_EQ(map.links[0].source, automatic.links[0].source);
  EXPECT_EQ(map.linked(), automatic.linked() - 1);
}

TEST(JointMapFile, BadTextIsRefused) {
  const Skeleton skeleton = test::standing_figure();
  for (const std::string text :
       {"", "{", "[]", "{}", R"({"joints": 3})", R"({"joints": {"Hips": 3}})", R"({"joints": {"Nobody": "Hips"}})",
        R"({"joints": {"Hips": "Nobody"}})", R"({"joints": {"Hips": {"from": "Hips", "to": "Head"}}})",
        R"({"joints": {"Hips": {"from": "Hips", "to": "Head", "share": 2}}})",
        R"({"joints": {"Hips": {"from": 1, "to": "Head", "share": 0.5}}})"}) {
    JointMap map = map_joints(skeleton, skeleton);
    EXPECT_THROW(apply_joint_map_json(text, skeleton, skeleton, map), Error) << text;
  }
}

}  // namespace
}  // namespace sinew
