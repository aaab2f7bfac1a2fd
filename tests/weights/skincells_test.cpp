#include "sinew/weights/skincells.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "tests/weights/shapes.h"

namespace sinew {
namespace {

BindInput bar_input() {
  Warnings warnings;
  return make_bind_input(test::bar(4, 0.25, 31, 8, 3), {}, warnings);
}

SkinCellsOptions few_steps() {
  SkinCellsOptions options;
  options.fit_steps = 40;
  options.pose_steps = 120;
  options.random_poses = 32;
  options.batch = 8;
  return options;
}

TEST(SkinCells, OptimisingOverPosesLowersTheLossAndKeepsTheInvariants) {
  const BindInput input = bar_input();
  SkinCellsReport report;
  const SkinCellField field = optimise_skincells(input, few_steps(), {}, &report);
  EXPECT_EQ(field.relaxation, 0.0f);
  EXPECT_LT(report.last_loss, 0.9 * report.first_loss);
  const SkinWeights weights = skincells_weights(input, field);
  EXPECT_NO_THROW(check_skin_weights(weights, input.vertex_count(), input.joint_count()));
}

TEST(SkinCells, IsTheSameAtAnyThreadCount) {
  const BindInput input = bar_input();
  set_thread_count(1);
  const SkinCellField one = optimise_skincells(input, few_steps());
  set_thread_count(2);
  const SkinCellField two = optimise_skincells(input, few_steps());
  set_thread_count(0);
  EXPECT_EQ(one.parameters, two.parameters);
}

}  // namespace
}  // namespace sinew
