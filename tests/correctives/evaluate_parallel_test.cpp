#include "sinew/correctives/evaluate_parallel.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "tests/correctives/trained_arm.h"

namespace sinew {
namespace {

TEST(EvaluateCorrectivesParallel, SameBitsAtAnyThreadCountAndLevel) {
  const CorrectiveFile file(test::trained_arm().result.bytes);
  Correctives set;
  ASSERT_EQ(open_correctives(file.bytes(), set), RuntimeStatus::ok);
  const std::vector<float> rotations = test::joint_rotations(test::arm_pose(test::trained_arm().arm, 1.3, -0.5));
  std::vector<CacheLine> storage((set.workspace_bytes() + 63) / 64);
  const auto workspace = std::as_writable_bytes(std::span(storage));
  for (int level = 0; level < set.level_count(); ++level) {
    std::vector<float> expected(3 * set.vertex_count(level)), positions(expected.size());
    ASSERT_EQ(prepare_workspace(set, workspace), RuntimeStatus::ok);
    ASSERT_EQ(evaluate_correctives(set, rotations, level, workspace).status, RuntimeStatus::ok);
    ASSERT_EQ(corrected_positions(set, level, workspace, expected), RuntimeStatus::ok);
    for (const int threads : {1, 2, 3}) {
      ASSERT_EQ(prepare_workspace(set, workspace), RuntimeStatus::ok);
      const RuntimeStatus status =
          with_threads(threads, [&] { return evaluate_correctives_parallel(set, rotations, level, workspace); });
      ASSERT_EQ(status, RuntimeStatus::ok);
      ASSERT_EQ(corrected_positions(set, level, workspace, positions), RuntimeStatus::ok);
      EXPECT_EQ(positions, expected);
    }
  }
}

TEST(EvaluateCorrectivesParallel, SaysWhatIsWrong) {
  const CorrectiveFile file(test::trained_arm().result.bytes);
  Correctives set;
  EXPECT_EQ(evaluate_correctives_parallel(set, {}, 0, {}), RuntimeStatus::not_opened);
  ASSERT_EQ(open_correctives(file.bytes(), set), RuntimeStatus::ok);
  EXPECT_EQ(evaluate_correctives_parallel(set, {}, 9, {}), RuntimeStatus::no_such_level);
  EXPECT_EQ(evaluate_correctives_parallel(set, {}, 0, {}), RuntimeStatus::workspace_too_small);
}

}  // namespace
}  // namespace sinew
