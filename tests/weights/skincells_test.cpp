#include "sinew/weights/skincells/skincells.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "sinew/base/parallel.h"
#include "sinew/pose_mesh.h"
#include "sinew/weights/skincells/skincells_body.h"
#include "sinew/weights/skincells/skincells_problem.h"
#include "sinew/weights/skincells/skincells_target.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

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
  const auto run = [&] { return optimise_skincells(input, few_steps()); };
  const SkinCellField one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.parameters, two.parameters);
}

TEST(SkinCells, StoppedAndResumedIsTheSameAsInOneGo) {
  const BindInput input = bar_input();
  const SkinCellField whole = optimise_skincells(input, few_steps());
  for (double stop_at : {0.2, 0.5, 0.8}) {
    SkinCellsOptions options = few_steps();
    std::vector<std::byte> saved;
    options.save_state = [&](std::span<const std::byte> state) { saved.assign(state.begin(), state.end()); };
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
    ASSERT_FALSE(saved.empty());
    const std::vector<std::byte> stopped = saved;
    options.resume = stopped;
    EXPECT_EQ(optimise_skincells(input, options).parameters, whole.parameters);
    const std::vector<std::byte> finished = saved;
    options.resume = finished;
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

// Weights optimised over some poses stretch the skin less in those than weights optimised over others.
TEST(SkinCells, GivenPosesDecideTheWeights) {
  const BindInput input = bar_input();
  const auto bent = [&](const Vec3d& axis) {
    std::vector<Pose> poses(2, rest_pose(input.skeleton));
    for (int side = 0; side < 2; ++side) {
      poses[side][1].rotation = poses[side][1].rotation * Quatd(Eigen::AngleAxisd(side == 0 ? 1.2 : -1.2, axis));
    }
    return poses;
  };
  const auto weights_for = [&](const std::vector<Pose>& poses) {
    SkinCellsOptions options = few_steps();
    options.poses = poses;
    options.prior = 0;
    return skincells_weights(input, optimise_skincells(input, options));
  };
  const auto stretch = [&](const SkinWeights& weights, const std::vector<Pose>& poses) {
    double sum = 0;
    for (const Pose& pose : poses) {
      const std::vector<Vec3f> posed =
          pose_positions(input.mesh.positions, weights, skinning_transforms(input.skeleton, pose));
      for (const Triangle& t : input.mesh.triangles) {
        const float length = (posed[t[0]] - posed[t[1]]).norm();
        const float rest = (input.mesh.positions[t[0]] - input.mesh.positions[t[1]]).norm();
        sum += std::pow(length / rest - 1, 2);
      }
    }
    return sum;
  };
  const std::vector<Pose> bends = bent(Vec3d::UnitZ()), twists = bent(Vec3d::UnitX());
  const SkinWeights for_bends = weights_for(bends), for_twists = weights_for(twists);
  EXPECT_LT(stretch(for_bends, bends), 0.95 * stretch(for_twists, bends));
  EXPECT_LT(stretch(for_twists, twists), 0.95 * stretch(for_bends, twists));
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

// A body with all weight on the first joint, and a garment that lies `gap` loss units over it.
struct BarInABag {
  Character bag = test::bar(4, 0.25, 31, 8, 3), body = bag;
  BindInput input;
  double to_loss = 0;
  std::vector<Vec3f> rest;

  explicit BarInABag(float gap) {
    Warnings warnings;
    input = make_bind_input(bag, {}, warnings);
    to_loss = skincells::loss_scale(input);
    body.weights = make_skin_weights(body.mesh.vertex_count(), 1);
    for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) set_influences(body.weights, v, {{0, 1.0}});
    for (std::size_t v = 0; v < input.vertex_count(); ++v) {
      rest.push_back(input.mesh.positions[v] * static_cast<float>(to_loss) + gap * input.normals[v]);
    }
  }
};

TEST(SkinCellsBody, PushesOutOfTheSkinAndNotFromOutside) {
  BarInABag worn(2.0f);
  const std::vector<Pose> poses = {rest_pose(worn.input.skeleton)};
  const skincells::PosedBody posed(worn.body, worn.input, poses, worn.rest, worn.to_loss);
  Vec3f by_position;
  const std::size_t v = worn.input.vertex_count() / 2;
  const Vec3f normal = worn.input.normals[v];
  EXPECT_EQ(posed.penalty(0, v, worn.rest[v], by_position), 0.0);
  EXPECT_EQ(by_position, Vec3f::Zero());
  EXPECT_EQ(posed.penalty(0, v, worn.rest[v] + 5 * normal, by_position), 0.0);
  // Pressed in along the normal, also so far that another side of the body is nearer.
  for (float depth : {3.0f, 5.0f, 20.0f}) {
    const Vec3f position = worn.rest[v] - depth * normal;
    const double penalty = posed.penalty(0, v, position, by_position);
    EXPECT_GT(penalty, 1.0) << depth;
    EXPECT_LT(by_position.dot(normal), 0.0f) << depth;
    Vec3f ignored;
    const double further = posed.penalty(0, v, position - 1e-2f * normal, ignored);
    EXPECT_NEAR((further - penalty) / 1e-2, -2 * by_position.dot(normal), 0.05) << depth;
  }
  worn.body.weights = {};
  EXPECT_THROW(skincells::PosedBody(worn.body, worn.input, poses, worn.rest, worn.to_loss), Error);
}

TEST(SkinCellsBody, LeavesAloneWhatIsInsideAtRest) {
  const BarInABag worn(-1.0f);
  const skincells::PosedBody posed(worn.body, worn.input, {rest_pose(worn.input.skeleton)}, worn.rest, worn.to_loss);
  Vec3f by_position;
  for (std::size_t v = 0; v < worn.rest.size(); ++v) {
    EXPECT_LT(posed.penalty(0, v, worn.rest[v], by_position), 1e-6) << v;
  }
}

// The garment's own rig bends, the body does not: with the body's help it stays straight where that was the fault.
TEST(SkinCellsBody, GarmentsFollowTheBodyWhereTheirOwnRigWouldLetItThrough) {
  const BarInABag worn(0.0f);
  const BindInput& input = worn.input;
  const int last = input.bones.back().joint;
  SkinWeights own = make_skin_weights(input.vertex_count(), 4);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    set_influences(own, v, {{static_cast<std::uint16_t>(input.mesh.positions[v].x() > 0 ? last : 0), 1.0}});
  }
  Pose bent = rest_pose(input.skeleton);
  const auto share_of_last = [&](const SkinWeights& weights) {
    double sum = 0;
    for (std::size_t v = 0; v < input.vertex_count(); ++v) sum += weights.weight_of(v, last);
    return sum / static_cast<double>(input.vertex_count());
  };
  // Nothing moves: nothing to mend.
  EXPECT_NEAR(share_of_last(skincells::follow_body(worn.body, input, {bent}, worn.to_loss, own)), share_of_last(own),
              1e-6);
  bent[last].rotation = bent[last].rotation * Quatd(Eigen::AngleAxisd(0.6, Vec3d::UnitZ()));
  const SkinWeights dressed = skincells::follow_body(worn.body, input, {bent}, worn.to_loss, own);
  EXPECT_NO_THROW(check_skin_weights(dressed, input.vertex_count(), input.joint_count()));
  EXPECT_LT(share_of_last(dressed), 0.8 * share_of_last(own));
}

}  // namespace
}  // namespace sinew
