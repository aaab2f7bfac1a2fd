#include "sinew/weights/method.h"

#include <gtest/gtest.h>

#include <set>

namespace sinew {
namespace {

TEST(Methods, HaveDifferentNamesAndAreFound) {
  std::set<std::string> names;
  for (const WeightMethod& method : weight_methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_EQ(find_weight_method(method.name).name, method.name);
  }
  for (const char* name : {"proximity", "heat", "atlas", "biharmonic", "skincells", "auto"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(Methods, AnUnknownNameListsTheKnownOnes) {
  try {
    find_weight_method("heta");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.advice().find("heat"), std::string::npos);
  }
}

TEST(Methods, TheRetiredNameSaysWhatToUseInstead) {
  try {
    find_weight_method("neural");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::method_unknown);
    EXPECT_NE(error.advice().find("auto"), std::string::npos);
  }
}

TEST(Methods, OptionsAreCompletedAndChecked) {
  const WeightMethod& method = find_weight_method("proximity");
  const OptionValues values = checked_options(method, {{"power", 2.0}});
  EXPECT_EQ(option<double>(values, "power"), 2.0);
  EXPECT_EQ(option<int>(values, "neighbours"), 0);
  EXPECT_THROW(checked_options(method, {{"power", -1.0}}), Error);
  EXPECT_THROW(checked_options(method, {{"power", 2}}), Error);
  EXPECT_THROW(checked_options(method, {{"softness", 2.0}}), Error);
}

TEST(Methods, OptionTextIsParsedByType) {
  const MethodOption flag{"flag", false, "h", 0, 0, {}}, count{"count", 3, "h", 0, 9, {}},
      size{"size", 0.5, "h", 0, 9, {}};
  EXPECT_EQ(std::get<bool>(parse_option(flag, "true")), true);
  EXPECT_EQ(std::get<int>(parse_option(count, "7")), 7);
  EXPECT_EQ(std::get<double>(parse_option(size, "1e-3")), 1e-3);
  for (const char* text : {"", "7.5", "seven", "7 "}) EXPECT_THROW(parse_option(count, text), Error) << text;
  EXPECT_THROW(parse_option(flag, "maybe"), Error);
  EXPECT_THROW(parse_option(size, "0.5x"), Error);
}

}  // namespace
}  // namespace sinew
