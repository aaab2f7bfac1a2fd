#include "sinew/rig/skin_parallel.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "tests/runtime/random_rig.h"

namespace sinew {
namespace {

using test::RandomRig, test::RigMethod;

// The second size is streamed past the caches.
TEST(SkinParallel, SameBitsAtAnyThreadCount) {
  for (const std::size_t count : {std::size_t{50'003}, std::size_t{150'001}}) {
    RandomRig one(count, 4, RigMethod::dqs_stretched, 6, 3, 1);
    ASSERT_EQ(skin(one.job), RuntimeStatus::ok);
    for (const int threads : {1, 2, 3}) {
      RandomRig many(count, 4, RigMethod::dqs_stretched, 6, 3, 1);
      ASSERT_EQ(with_threads(threads, [&] { return skin_parallel(many.job); }), RuntimeStatus::ok);
      EXPECT_EQ(one.posed_positions, many.posed_positions);
      EXPECT_EQ(one.posed_normals, many.posed_normals);
      EXPECT_EQ(one.posed_tangents, many.posed_tangents);
    }
  }
}

TEST(SkinParallel, SaysWhatIsWrongAndWritesNothing) {
  RandomRig rig(50, 4, RigMethod::lbs, 11);
  rig.job.posed_positions.floats = rig.job.posed_positions.floats.first(149);
  EXPECT_EQ(skin_parallel(rig.job), RuntimeStatus::output_too_short);
  for (const float value : rig.posed_positions) EXPECT_EQ(value, test::guard);
}

}  // namespace
}  // namespace sinew
