#include <gtest/gtest.h>

#include "sinew/weight_tools.h"
#include "tests/support/figure.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

TEST(Selection, FindsJointsByPattern) {
  const Skeleton figure = test::standing_figure();
  const std::vector<int> hands = joints_matching(figure, "*Hand");
  ASSERT_EQ(hands.size(), 2u);
  EXPECT_EQ(figure.names[hands[0]], "LeftHand");
  EXPECT_EQ(joints_matching(figure, "*Hand,-Left*"), std::vector<int>{hands[1]});
  EXPECT_TRUE(joints_matching(figure, "").empty());
  try {
    joints_matching(figure, "LeftHnd");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::joint_unknown);
    EXPECT_NE(error.advice().find("LeftHand"), std::string::npos);
  }
}

TEST(Selection, FindsVerticesOfParts) {
  Character character = test::bar(1, 0.1, 3, 4, 1);
  character.parts = {{"Body", "", 0, 5, 0, 0, PartBinding::skinned}, {"Coat", "", 5, 2, 0, 0, PartBinding::skinned}};
  EXPECT_EQ(vertices_of_parts(character, "C*"), (std::vector<std::uint32_t>{5, 6}));
  EXPECT_EQ(vertices_of_parts(character, "-Coat").size(), 5u);
  EXPECT_THROW(vertices_of_parts(character, "Hat"), Error);
}

}  // namespace
}  // namespace sinew
