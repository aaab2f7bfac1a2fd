#include "sinew/base/base64.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace sinew {
namespace {

std::string encode(const std::vector<std::string_view>& texts) {
  std::vector<std::span<const std::byte>> pieces;
  for (const std::string_view text : texts) pieces.push_back(std::as_bytes(std::span(text)));
  return encode_base64(pieces);
}

// RFC 4648, section 10.
TEST(Base64, ExamplesOfTheStandard) {
  EXPECT_EQ(encode({""}), "");
  EXPECT_EQ(encode({"f"}), "Zg==");
  EXPECT_EQ(encode({"fo"}), "Zm8=");
  EXPECT_EQ(encode({"foo"}), "Zm9v");
  EXPECT_EQ(encode({"foob"}), "Zm9vYg==");
  EXPECT_EQ(encode({"fooba"}), "Zm9vYmE=");
  EXPECT_EQ(encode({"foobar"}), "Zm9vYmFy");
}

TEST(Base64, PiecesCountAsOne) {
  EXPECT_EQ(encode({}), "");
  EXPECT_EQ(encode({"f", "oob", "", "ar"}), "Zm9vYmFy");
}

TEST(Base64, AllBytes) { EXPECT_EQ(encode({std::string_view("\0\xff\x80", 3)}), "AP+A"); }

}  // namespace
}  // namespace sinew
