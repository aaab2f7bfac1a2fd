#include "sinew/weights/skincells.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "sinew/base/parallel.h"
#include "sinew/rig/pose_mesh.h"
#include "sinew/weights/skincells_body.h"
#include "sinew/weights/skincells_problem.h"
#include "sinew/weights/skincells_target.h"
#include "tests/support/test_files.h"
#include "tests/weights/shapes.h"

namespace sinew {
namespace {

BindInput bar_input() {
  Warnings warnings;
  return make_bind_input(test::bar(4, 0.25, 31, 8, 3), {}, warnings);
}

SkinCellsOptions few_steps() {
  SkinCellsOptions options;
  options.sites_per_cell = 6;
  options.fit_steps = 60;
  options.pose_steps = 120;
  options.random_poses = 32;
  options.batch = 8;
  return options;
}

TEST(SkinCells, OptimisingOverPosesLowersTheLossAndKeepsTheInvariants) {
  const BindInput input = bar_input();
  SkinCellsOptions options = few_steps();
  options.fit_steps = 0;  // from the bones alone, as the source does
  options.prior = 0;
  SkinCellsReport report;
  const SkinCellField field = optimise_skincells(input, options, {}, &report);
  EXPECT_EQ(field.relaxation, 0.0f);
  EXPECT_LT(report.last_loss, 0.9 * report.first_loss);
  EXPECT_NO_THROW(check_skin_weights(skincells_weights(input, field), input.vertex_count(), input.joint_count()));
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

TEST(SkinCells, StoppedAndResumedIsTheSameAsInOneGo) {
  const BindInput input = bar_input();
  const SkinCellField whole = optimise_skincells(input, few_steps());
  const test::TemporaryFolder folder;
  for (double stop_at : {0.2, 0.5, 0.8}) {
    SkinCellsOptions options = few_steps();
    options.checkpoint = folder.path() / ("state" + std::to_string(stop_at));
    std::atomic<bool> stop = false;
    bool says_loss = false;
    const Progress progress(
        [&](double fraction, std::string_view stage) {
          stop = fraction > stop_at;
          says_loss = says_loss || stage.find("loss") != std::string_view::npos;
        },
        &stop);
    EXPECT_THROW(optimise_skincells(input, options, progress), Error);
    EXPECT_TRUE(says_loss);
    EXPECT_TRUE(std::filesystem::exists(options.checkpoint));
    EXPECT_EQ(optimise_skincells(input, options).parameters, whole.parameters);
    // A finished state answers at once, and belongs to these options only.
    EXPECT_EQ(optimise_skincells(input, options).parameters, whole.parameters);
    options.softness = 2;
    EXPECT_THROW(optimise_skincells(input, options), Error);
  }
}

TEST(SkinCells, PinnedVerticesComeNearTheirPaintedWeights) {
  const BindInput input = bar_input();
  SkinCellsOptions options = few_steps();
  const int first = input.bones.front().joint, last = input.bones.back().joint;
  // The far end of the bar painted to follow the first joint.
  std::uint32_t far = 0;
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    const auto along = [&](std::uint32_t i) {
      return (input.mesh.positions[i].cast<double>() - input.bones.front().head).norm();
    };
    if (along(v) > along(far)) far = v;
  }
  const float before = skincells_weights(input, optimise_skincells(input, options)).weight_of(far, last);
  options.pins = {{far, {{first, 1.0}}}};
  const SkinWeights painted = skincells_weights(input, optimise_skincells(input, options));
  EXPECT_GT(before, 0.8f);
  EXPECT_GT(painted.weight_of(far, first), 0.8f);
}

TEST(SkinCells, OptimisesPointCloudsWithoutTriangles) {
  Character cloud = test::bar(4, 0.25, 31, 8, 3);
  cloud.mesh.triangles.clear();
  cloud.parts.clear();
  Warnings warnings;
  const BindInput input = make_bind_input(cloud, {}, warnings), surface = bar_input();
  const SkinWeights of_cloud = skincells_weights(input, optimise_skincells(input, few_steps()));
  EXPECT_NO_THROW(check_skin_weights(of_cloud, input.vertex_count(), input.joint_count()));
  // Nearly what the same points give as a surface.
  const SkinWeights of_surface = skincells_weights(surface, optimise_skincells(surface, few_steps()));
  double difference = 0;
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    for (int joint = 0; joint < input.joint_count(); ++joint) {
      difference += std::abs(of_cloud.weight_of(v, joint) - of_surface.weight_of(v, joint));
    }
  }
  EXPECT_LT(difference / static_cast<double>(input.vertex_count()), 0.25);
}

TEST(SkinCells, SamplesAreFewerForDenseMeshesAndCoverEveryPiece) {
  const BindInput input = bar_input();
  EXPECT_EQ(skincells::spread_samples(input, 100000).size(), input.vertex_count());
  const auto some = skincells::spread_samples(input, 60);
  EXPECT_LE(some.size(), 60u);
  EXPECT_GE(some.size(), 20u);
}

TEST(SkinCells, TakesPosesFromMotionsByJointName) {
  const BindInput input = bar_input();
  Character source;
  source.name = "motion";
  source.skeleton = input.skeleton;
  Motion motion;
  motion.joint_count = input.joint_count();
  for (int frame = 0; frame < 9; ++frame) {
    Pose pose = rest_pose(input.skeleton);
    pose[1].rotation = pose[1].rotation * Quatd(Eigen::AngleAxisd(0.1 * frame, Vec3d::UnitZ()));
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  EXPECT_THROW(poses_from_motions(source, input, 4), Error);
  source.motions = {motion};
  const std::vector<Pose> poses = poses_from_motions(source, input, 3);
  ASSERT_EQ(poses.size(), 3u);
  EXPECT_NEAR(poses[2][1].rotation.angularDistance(frame_pose(motion, 6)[1].rotation), 0, 1e-6);
  for (std::string& name : source.skeleton.names) name += "?";
  EXPECT_THROW(poses_from_motions(source, input, 3), Error);
}

TEST(SkinCellsTarget, GradientMatchesFiniteDifferences) {
  const BindInput input = bar_input();
  Random random(3);
  SkinCellField field = skincells::initial_field(input, 3, random);
  field.relaxation = 0.1f;
  SkinWeights wanted = make_skin_weights(input.vertex_count(), 1);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    set_influences(wanted, v, {{static_cast<std::uint16_t>(field.joints[random.below(field.joints.size())]), 1.0}});
  }
  const skincells::TargetLoss loss(field, input.mesh.positions, wanted);
  std::vector<double> gradient(field.parameters.size(), 0.0);
  loss.evaluate(field, 1.0, gradient);
  double largest = 0;
  int compared = 0;
  for (double g : gradient) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const float saved = field.parameters[i];
    const float step = 1e-3f;
    field.parameters[i] = saved + step;
    const double above = loss.evaluate(field, 1.0, {});
    field.parameters[i] = saved - step;
    const double below = loss.evaluate(field, 1.0, {});
    field.parameters[i] = saved;
    if (std::abs(gradient[i]) < 0.05 * largest) continue;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 0.05 * largest) << i;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST(SkinCellsBody, PushesOutOfTheSkinAndNotFromOutside) {
  const Character bar = test::bar(4, 0.25, 31, 8, 3);
  Character body = bar;
  body.weights = make_skin_weights(body.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) set_influences(body.weights, v, {{0, 1.0}});
  Warnings warnings;
  const BindInput input = make_bind_input(bar, {}, warnings);
  const double to_loss = skincells::loss_scale(input);
  const skincells::PosedBody posed(body, input, {rest_pose(input.skeleton)}, to_loss);
  Vec3f by_position;
  // A vertex moved in along its normal is inside, moved out it is not.
  const std::uint32_t v = static_cast<std::uint32_t>(input.vertex_count() / 2);
  const Vec3f on = input.mesh.positions[v] * static_cast<float>(to_loss);
  EXPECT_GT(posed.penalty(0, on - 2 * input.normals[v], by_position), 1.0);
  EXPECT_LT(by_position.dot(input.normals[v]), 0.0f);
  EXPECT_EQ(posed.penalty(0, on + 3 * input.normals[v], by_position), 0.0);
  body.weights = {};
  EXPECT_THROW(skincells::PosedBody(body, input, {rest_pose(input.skeleton)}, to_loss), Error);
}

}  // namespace
}  // namespace sinew
