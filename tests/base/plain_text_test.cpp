#include "sinew/base/plain_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

TEST(PlainText, NumbersAreRoundedAsAsked) {
  EXPECT_EQ(number_text(0.1234567, 3), "0.123");
  EXPECT_EQ(number_text(2, 3), "2");
  EXPECT_EQ(number_text(0.00001), "1e-05");
  EXPECT_EQ(number_text(123456789), "1.23457e+08");
  EXPECT_EQ(fixed_number_text(12.5, 2), "12.50");
  EXPECT_EQ(fixed_number_text(-0.004, 2), "-0.00");
  EXPECT_EQ(scientific_number_text(0.0000152, 1), "1.5e-05");
  EXPECT_EQ(scientific_number_text(100000, 0), "1e+05");
}

TEST(PlainText, NumbersOfAnySizeHaveAText) {
  constexpr double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(fixed_number_text(-largest, 2).size(), 1u + 309u + 3u);
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(std::nan("")), "nan");
}

TEST(PlainText, LettersAreThoseOfAscii) {
  EXPECT_EQ(to_lower("SPINE_İ 09 é"), "spine_İ 09 é");
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(is_digit(c), byte >= 0x30 && byte <= 0x39) << byte;
    EXPECT_EQ(is_upper(c), byte >= 0x41 && byte <= 0x5a) << byte;
    EXPECT_EQ(is_letter(c), (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a && byte < 128) << byte;
    EXPECT_EQ(to_lower(c), is_upper(c) ? static_cast<char>(byte + 32) : c) << byte;
  }
}

TEST(PlainText, PatternsMatchWholeTexts) {
  for (const char* pattern : {"*", "Sword", "S*d", "*rd", "Sw*", "**Sword*", "*o*d", "S*w*o*r*d"}) {
    EXPECT_TRUE(matches_pattern(pattern, "Sword")) << pattern;
  }
  for (const char* pattern : {"", "sword", "Swor", "Swords", "*words", "S*r", "o*"}) {
    EXPECT_FALSE(matches_pattern(pattern, "Sword")) << pattern;
  }
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("a*b*c", "a_b_b_c"));
  const std::string hard(200, 'a');
  EXPECT_FALSE(matches_pattern("*a*a*a*a*a*a*a*a*b", hard)) << "and in no time";
}

}  // namespace
}  // namespace sinew
