#include "sinew/base/crc32.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sinew {
namespace {

TEST(Crc32, KnownValues) {
  const auto of = [](std::string_view text) { return crc32(std::as_bytes(std::span(text))); };
  EXPECT_EQ(of(""), 0u);
  EXPECT_EQ(of("123456789"), 0xcbf43926u);
  EXPECT_EQ(of("IEND"), 0xae426082u);
}

}  // namespace
}  // namespace sinew
