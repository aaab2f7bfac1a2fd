#include "sinew/base/name_pattern.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(NamePattern, MatchesStars) {
  EXPECT_TRUE(name_matches("Left*", "LeftArm"));
  EXPECT_TRUE(name_matches("*", ""));
  EXPECT_TRUE(name_matches("", ""));
  EXPECT_TRUE(name_matches("*Arm*", "LeftArmTwist"));
  EXPECT_TRUE(name_matches("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(name_matches("a*b*c", "aXbYbZ"));
  EXPECT_FALSE(name_matches("Arm", "LeftArm"));
  EXPECT_FALSE(name_matches("", "a"));
  const std::string many(40, 'a');
  EXPECT_FALSE(name_matches("*a*a*a*a*a*a*a*a*a*a*b", many));  // in no time
}

TEST(NamePattern, ChoosesFromLists) {
  const std::vector<std::string> names{"Hips", "LeftArm", "LeftHand", "RightArm", "-odd"};
  std::vector<std::string> unknown;
  EXPECT_EQ(names_chosen(names, "Left*, -LeftHand", unknown), (std::vector<char>{0, 1, 0, 0, 0}));
  EXPECT_EQ(names_chosen(names, "-*Arm", unknown), (std::vector<char>{1, 0, 1, 0, 1}));
  EXPECT_EQ(names_chosen(names, "-odd", unknown), (std::vector<char>{0, 0, 0, 0, 1}));
  EXPECT_TRUE(unknown.empty());
  names_chosen(names, "Tail,,Hips,", unknown);
  EXPECT_EQ(unknown, std::vector<std::string>{"Tail"});
  EXPECT_EQ(comma_separated(" a ,, b c "), (std::vector<std::string>{"a", "b c"}));
}

}  // namespace
}  // namespace sinew
