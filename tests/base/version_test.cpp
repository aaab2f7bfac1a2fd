#include "sinew/version.h"

#include <gtest/gtest.h>

#include <string>

namespace sinew {
namespace {

TEST(version, of_the_headers_and_of_the_library_agree) {
  const std::string joined = std::to_string(SINEW_VERSION_MAJOR) + "." + std::to_string(SINEW_VERSION_MINOR) + "." +
                             std::to_string(SINEW_VERSION_PATCH);
  EXPECT_EQ(joined, SINEW_VERSION);
  EXPECT_EQ(joined, version());
  EXPECT_EQ(version_number(), SINEW_VERSION_NUMBER);
  EXPECT_LT(SINEW_VERSION_MINOR, 100);
  EXPECT_LT(SINEW_VERSION_PATCH, 100);
}

}  // namespace
}  // namespace sinew
