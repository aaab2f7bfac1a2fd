#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <set>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/error.h"
#include "sinew/progress.h"

namespace sinew {
namespace {

TEST(Progress, PartsMapIntoTheWholeAndCancelThrows) {
  double seen = -1;
  std::atomic<bool> cancel{false};
  const Progress progress([&](double fraction, std::string_view) { seen = fraction; }, &cancel);
  progress.part(0.5, 1.0).part(0.0, 0.5)(1.0, "half");
  EXPECT_DOUBLE_EQ(seen, 0.75);
  cancel = true;
  try {
    progress(0.9, "late");
    FAIL() << "should have thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(Parallel, CoversEveryItemOnce) {
  for (std::size_t count : {0u, 1u, 7u, 1000u, 1001u}) {
    std::vector<std::atomic<int>> visits(count);
    parallel_for(count, 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& visit : visits) EXPECT_EQ(visit.load(), 1);
  }
}

TEST(Parallel, SumHasTheSameBitsAtAnyThreadCount) {
  const auto sum = [] {
    return parallel_sum(100000, 128, [](std::size_t begin, std::size_t end) {
      double partial = 0;
      for (std::size_t i = begin; i < end; ++i) partial += std::sin(static_cast<double>(i)) * 1e-3;
      return partial;
    });
  };
  set_thread_count(1);
  EXPECT_EQ(thread_count(), 1);
  const double one = sum();
  set_thread_count(2);
  const double two = sum();
  set_thread_count(0);
  EXPECT_EQ(one, two);
}

TEST(Parallel, ExceptionsReachTheCaller) {
  EXPECT_THROW(parallel_for(100, 1,
                            [](std::size_t begin, std::size_t) {
                              if (begin == 42) throw bad_input("42");
                            }),
               Error);
}

TEST(Random, IsTheSameEverywhereAndWellSpread) {
  Random random(7);
  EXPECT_EQ(random.bits(), Random(7).bits());
  EXPECT_NE(Random::stream(7, 0).bits(), Random::stream(7, 1).bits());
  double sum = 0, squares = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 1.0, 0.01);
  std::set<std::uint64_t> values;
  for (int i = 0; i < 1000; ++i) values.insert(random.below(10));
  EXPECT_EQ(values.size(), 10u);
  EXPECT_EQ(*values.rbegin(), 9u);
}

}  // namespace
}  // namespace sinew
