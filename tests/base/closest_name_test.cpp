#include "sinew/base/closest_name.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

const std::vector<std::string> commands = {"info", "convert", "make-character", "bind", "fit", "rig", "render"};

TEST(ClosestName, DistanceCountsMissingAddedWrongAndSwappedLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "rig"), 3u);
  EXPECT_EQ(edit_distance("rig", "rig"), 0u);
  EXPECT_EQ(edit_distance("rigg", "rig"), 1u);
  EXPECT_EQ(edit_distance("metod", "method"), 1u);
  EXPECT_EQ(edit_distance("hear", "heat"), 1u);
  EXPECT_EQ(edit_distance("inof", "info"), 1u);
  EXPECT_EQ(edit_distance("LEFTARM", "LeftArm"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("abcdef", "badcfe"), 3u);
}

TEST(ClosestName, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("skincells", "skin_cell"), edit_distance("skin_cell", "skincells"));
}

TEST(ClosestName, NamesTheNearestOnly) {
  EXPECT_EQ(closest_names("rigg", commands), std::vector<std::string>{"rig"});
  EXPECT_EQ(closest_names("cnvrt", commands), std::vector<std::string>{"convert"});
  EXPECT_EQ(closest_names("bin", commands), std::vector<std::string>{"bind"});
  EXPECT_TRUE(closest_names("paint", commands).empty());
  EXPECT_TRUE(closest_names("", commands).empty());
  EXPECT_TRUE(closest_names("rig", {}).empty());
}

TEST(ClosestName, ShortWordsAreNotTakenForEachOther) { EXPECT_TRUE(closest_names("xyz", commands).empty()); }

TEST(ClosestName, ABeginningStandsForTheWord) {
  EXPECT_EQ(closest_names("make", commands), std::vector<std::string>{"make-character"});
  EXPECT_TRUE(closest_names("ma", commands).empty());
}

TEST(ClosestName, APrefixWithAColonMayBeLeftOut) {
  EXPECT_EQ(closest_names("LeftAm", {"mixamorig:LeftArm", "mixamorig:LeftLeg"}),
            std::vector<std::string>{"mixamorig:LeftArm"});
}

TEST(ClosestName, SpeaksOfUpToThree) {
  EXPECT_EQ(did_you_mean("rigg", commands), "did you mean rig?");
  EXPECT_EQ(did_you_mean("Ar", {"Arm", "Leg", "Ear"}), "did you mean Arm or Ear?");
  EXPECT_EQ(did_you_mean("toe0", {"toe1", "toe2", "toe3", "toe4"}), "did you mean toe1, toe2 or toe3?");
  EXPECT_EQ(did_you_mean("walk", {"run"}), "");
  EXPECT_EQ(choices_for("rum", {"walk", "run"}), "did you mean run? there are: walk, run");
  EXPECT_EQ(choices_for("sit", {"walk", "run"}), "there are: walk, run");
}

}  // namespace
}  // namespace sinew
