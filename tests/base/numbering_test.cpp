#include "sinew/base/numbering.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "sinew/base/random.h"

namespace sinew {
namespace {

TEST(Numbering, NumbersInTheOrderOfFirstMeeting) {
  Random random(1);
  Numbering<std::uint64_t, KeyHash> numbering;
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  EXPECT_EQ(numbering.find(5), numbering.none);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t key = random.below(7000) << 40 | random.below(2);
    const bool met = expected.contains(key);
    EXPECT_EQ(numbering.find(key), met ? expected[key] : numbering.none);
    if (!met) expected.emplace(key, static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(numbering.number(key), expected[key]);
  }
  ASSERT_EQ(numbering.keys().size(), expected.size());
  for (const auto& [key, number] : expected) EXPECT_EQ(numbering.keys()[number], key);
}

TEST(Numbering, ReservingKeepsWhatIsThere) {
  Numbering<std::uint64_t, KeyHash> numbering;
  for (std::uint64_t key = 0; key < 100; ++key) numbering.number(key * key);
  numbering.reserve(5000);
  numbering.reserve(10);
  for (std::uint64_t key = 0; key < 100; ++key) EXPECT_EQ(numbering.find(key * key), key);
}

}  // namespace
}  // namespace sinew
