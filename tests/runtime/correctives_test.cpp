// The real-time evaluator against the model that it was packed from, and against callers who make mistakes.
#include "sinew/runtime/correctives.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/correctives/corrective_poser.h"
#include "sinew/runtime/corrective_access.h"
#include "sinew/runtime/corrective_kernel.h"
#include "sinew/runtime/hash_words.h"
#include "tests/correctives/trained_arm.h"
#include "tests/runtime/count_allocations.h"

namespace sinew {
namespace {

using test::arm_pose, test::joint_rotations, test::trained_arm;

// An opened file with a workspace that is ready.
struct Opened {
  CorrectiveFile file{trained_arm().result.bytes};
  Correctives set;
  std::vector<CacheLine> storage;
  std::span<std::byte> workspace;
  std::vector<float> rotations = joint_rotations(arm_pose(trained_arm().arm, 1.3, -0.5));

  Opened() {
    EXPECT_EQ(open_correctives(file.bytes(), set), RuntimeStatus::ok);
    storage.resize((set.workspace_bytes() + 63) / 64);
    workspace = std::as_writable_bytes(std::span(storage));
    EXPECT_EQ(prepare_workspace(set, workspace), RuntimeStatus::ok);
  }
  std::vector<float> positions(int level) {
    std::vector<float> result(3 * set.vertex_count(level));
    EXPECT_EQ(corrected_positions(set, level, workspace, result), RuntimeStatus::ok);
    return result;
  }
};

// Largest difference between these corrected positions and the model's.
double distance_to_model(const std::vector<float>& corrected, const Pose& pose, std::size_t level) {
  const CorrectiveModel& model = trained_arm().result.model;
  const Eigen::MatrixXf expected = model_displacements(model, level, pose_features(model.skeleton, pose));
  const LodLevel& lod = model.chain.levels[level];
  double worst = 0;
  for (std::size_t v = 0; v < lod.mesh.vertex_count(); ++v) {
    const Vec3f position(corrected[3 * v], corrected[3 * v + 1], corrected[3 * v + 2]);
    const Vec3f displacement = expected.block<3, 1>(3 * Eigen::Index{lod.point_of[v]}, 0);
    worst = std::max(worst, double{(position - lod.mesh.positions[v] - displacement).norm()});
  }
  return worst;
}

TEST(Correctives, AreTheModelUpToRounding) {
  Opened opened;
  const double tolerance = trained_arm().result.model.tolerance;
  for (const Instructions instructions : {Instructions::baseline, best_instructions()}) {
    for (const double bend : {0.0, 0.7, 1.9}) {
      const Pose pose = arm_pose(trained_arm().arm, bend, 0.4);
      const CorrectiveResult result =
          evaluate_correctives_with(opened.set, joint_rotations(pose), 0, opened.workspace, 0, instructions);
      ASSERT_EQ(result.status, RuntimeStatus::ok);
      EXPECT_EQ(result.detail_level, 0);
      for (int level = 0; level < 3; ++level) {
        EXPECT_LT(distance_to_model(opened.positions(level), pose, static_cast<std::size_t>(level)), 2 * tolerance);
      }
    }
  }
}

TEST(Correctives, EveryKernelAddsDisplacementsAlike) {
  const std::vector<float> rest = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, moved = {10, 20, 30, 40, 50, 60, 0};
  const std::vector<std::uint32_t> point_of = {1, 0, 1};
  for (const Instructions instructions : {Instructions::baseline, best_instructions()}) {
    std::vector<float> positions(10, -1.0f);
    corrective_kernels(instructions).correct(rest.data(), point_of.data(), moved.data(), 3, positions.data());
    EXPECT_EQ(positions, (std::vector<float>{41, 52, 63, 14, 25, 36, 47, 58, 69, -1}));
  }
}

TEST(Correctives, ALevelIsTheSameWhetherFinerOnesFollow) {
  Opened opened;
  ASSERT_EQ(evaluate_correctives(opened.set, opened.rotations, 2, opened.workspace).status, RuntimeStatus::ok);
  const std::vector<float> expected = opened.positions(2);
  ASSERT_EQ(evaluate_correctives(opened.set, opened.rotations, 0, opened.workspace).status, RuntimeStatus::ok);
  EXPECT_EQ(opened.positions(2), expected);
}

TEST(Correctives, StepsGiveTheBitsOfTheWholeInAnyCut) {
  Opened opened;
  ASSERT_EQ(evaluate_correctives(opened.set, opened.rotations, 0, opened.workspace).status, RuntimeStatus::ok);
  const std::vector<float> expected = opened.positions(0);
  ASSERT_EQ(prepare_workspace(opened.set, opened.workspace), RuntimeStatus::ok);
  ASSERT_EQ(begin_evaluation(opened.set, opened.rotations, 0, opened.workspace), RuntimeStatus::ok);
  for (std::size_t i = networks_down_to(opened.set, 0); i-- > 0;) {
    ASSERT_EQ(evaluate_networks(opened.set, opened.workspace, i, 1), RuntimeStatus::ok);
  }
  for (int level = 2; level >= 0; --level) {
    for (std::size_t chunk = chunk_count(opened.set, level); chunk-- > 0;) {
      ASSERT_EQ(evaluate_chunks(opened.set, level, opened.workspace, chunk, 1), RuntimeStatus::ok);
    }
  }
  std::vector<float> positions(expected.size());
  EXPECT_EQ(corrected_positions(opened.set, 0, opened.workspace, positions), RuntimeStatus::not_evaluated);
  ASSERT_EQ(finish_evaluation(opened.set, 0, opened.workspace), RuntimeStatus::ok);
  EXPECT_EQ(opened.positions(0), expected);
}

TEST(Correctives, AllocateNothing) {
  Opened opened;
  std::vector<float> positions(3 * opened.set.vertex_count(0)), normals(positions.size());
  SkinningJob job;
  const long before = test::allocation_count();
  Correctives again;
  EXPECT_EQ(open_correctives(opened.file.bytes(), again), RuntimeStatus::ok);
  EXPECT_EQ(prepare_workspace(again, opened.workspace), RuntimeStatus::ok);
  EXPECT_EQ(evaluate_correctives(again, opened.rotations, 0, opened.workspace, 500).status, RuntimeStatus::ok);
  EXPECT_EQ(corrected_positions(again, 0, opened.workspace, positions), RuntimeStatus::ok);
  EXPECT_EQ(fill_skinning_job(again, 0, job), RuntimeStatus::ok);
  EXPECT_EQ(posed_normals(again, 0, positions, normals), RuntimeStatus::ok);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(Correctives, NothingDoneNeverLooksLikeTheFinestLevel) {
  Opened opened;
  const auto expect_refused = [](const CorrectiveResult& result, RuntimeStatus expected) {
    EXPECT_EQ(result.status, expected);
    EXPECT_EQ(result.detail_level, -1);
  };
  expect_refused(CorrectiveResult(), RuntimeStatus::not_evaluated);
  const auto& [file, set, storage, workspace, rotations] = opened;
  expect_refused(evaluate_correctives(Correctives(), rotations, 0, workspace), RuntimeStatus::not_opened);
  expect_refused(evaluate_correctives(set, rotations, -1, workspace), RuntimeStatus::no_such_level);
  expect_refused(evaluate_correctives(set, rotations, 3, workspace), RuntimeStatus::no_such_level);
  const auto few = std::span(rotations).first(rotations.size() - 1);
  expect_refused(evaluate_correctives(set, few, 0, workspace), RuntimeStatus::input_too_short);
  const auto small = workspace.first(set.workspace_bytes() - 1);
  expect_refused(evaluate_correctives(set, rotations, 0, small), RuntimeStatus::workspace_too_small);
  EXPECT_EQ(prepare_workspace(set, small), RuntimeStatus::workspace_too_small);
  expect_refused(evaluate_correctives(set, rotations, 0, workspace.subspan(4)), RuntimeStatus::misaligned_memory);
  EXPECT_EQ(prepare_workspace(set, workspace.subspan(4)), RuntimeStatus::misaligned_memory);
  EXPECT_EQ(prepare_workspace(Correctives(), workspace), RuntimeStatus::not_opened);
  std::memset(workspace.data(), 0x5a, workspace.size());
  expect_refused(evaluate_correctives(set, rotations, 0, workspace), RuntimeStatus::workspace_not_prepared);
}

TEST(Correctives, PositionsAreGivenOutOnlyOfLevelsThatWereEvaluated) {
  Opened opened;
  const auto& [file, set, storage, workspace, rotations] = opened;
  std::vector<float> positions(3 * set.vertex_count(0), 12345.5f);
  EXPECT_EQ(corrected_positions(set, 0, workspace, positions), RuntimeStatus::not_evaluated);
  EXPECT_EQ(corrected_positions(set, 2, workspace, positions), RuntimeStatus::not_evaluated);
  ASSERT_EQ(evaluate_correctives(set, rotations, 1, workspace).status, RuntimeStatus::ok);
  EXPECT_EQ(corrected_positions(set, 0, workspace, positions), RuntimeStatus::not_evaluated);
  EXPECT_EQ(corrected_positions(set, 3, workspace, positions), RuntimeStatus::no_such_level);
  const auto few = std::span(positions).first(3 * set.vertex_count(1) - 1);
  EXPECT_EQ(corrected_positions(set, 1, workspace, few), RuntimeStatus::output_too_short);
  EXPECT_EQ(posed_normals(set, 1, few, positions), RuntimeStatus::input_too_short);
  EXPECT_EQ(posed_normals(set, 1, positions, few), RuntimeStatus::output_too_short);
  EXPECT_EQ(posed_normals(set, -1, positions, positions), RuntimeStatus::no_such_level);
  for (const float value : positions) EXPECT_EQ(value, 12345.5f);
  EXPECT_EQ(corrected_positions(set, 1, workspace, positions), RuntimeStatus::ok);
  EXPECT_EQ(corrected_positions(set, 2, workspace, positions), RuntimeStatus::ok);
}

TEST(Correctives, WhatDoesNotExistIsEmpty) {
  const Opened opened;
  SkinningJob job;
  EXPECT_EQ(fill_skinning_job(opened.set, 3, job), RuntimeStatus::no_such_level);
  EXPECT_EQ(fill_skinning_job(Correctives(), 0, job), RuntimeStatus::not_opened);
  EXPECT_EQ(Correctives().level_count(), 0);
  EXPECT_EQ(Correctives().joint_count(), 0);
  EXPECT_EQ(Correctives().influences(), 0);
  EXPECT_EQ(Correctives().file_bytes(), 0u);
  EXPECT_EQ(Correctives().workspace_bytes(), 0u);
  for (const auto& [set, level] : {std::pair(Correctives(), 0), std::pair(opened.set, -1), std::pair(opened.set, 3)}) {
    EXPECT_EQ(set.vertex_count(level), 0u);
    EXPECT_EQ(set.triangle_count(level), 0u);
    EXPECT_EQ(set.network_count(level), 0u);
    EXPECT_EQ(set.level_bytes(level), 0u);
    EXPECT_EQ(chunk_count(set, level), 0u);
    EXPECT_EQ(networks_down_to(set, level), 0u);
    EXPECT_TRUE(set.rest_positions(level).empty());
    EXPECT_TRUE(set.triangles(level).empty());
  }
}

TEST(Correctives, StepsRefuseRangesBeyondTheEnd) {
  Opened opened;
  const auto& [file, set, storage, workspace, rotations] = opened;
  EXPECT_EQ(evaluate_networks(set, workspace, networks_down_to(set, 0), 1), RuntimeStatus::no_such_range);
  EXPECT_EQ(evaluate_networks(set, workspace, 1, SIZE_MAX), RuntimeStatus::no_such_range);
  EXPECT_EQ(evaluate_chunks(set, 0, workspace, chunk_count(set, 0), 1), RuntimeStatus::no_such_range);
  EXPECT_EQ(evaluate_chunks(set, 3, workspace, 0, 0), RuntimeStatus::no_such_level);
  EXPECT_EQ(finish_evaluation(set, 0, {}), RuntimeStatus::workspace_too_small);
}

TEST(Correctives, BudgetsLeaveOutDetailButNoLevel) {
  CorrectivePoser poser{CorrectiveFile(trained_arm().result.bytes)};
  const Pose pose = arm_pose(trained_arm().arm, 1.8, 0);
  const auto everything = poser.pose(trained_arm().arm.skeleton, pose, 0);
  EXPECT_EQ(everything.result.detail_level, 0);
  const auto nothing = poser.pose(trained_arm().arm.skeleton, pose, 0, 1e-6);
  EXPECT_EQ(nothing.result.detail_level, 3) << "no time for any detail";
  EXPECT_EQ(nothing.positions.size(), everything.positions.size());
  const auto plenty = poser.pose(trained_arm().arm.skeleton, pose, 0, 1e9);
  EXPECT_EQ(plenty.result.detail_level, 0);
  EXPECT_EQ(plenty.positions, everything.positions);
}

TEST(Correctives, NormalsAreThoseOfThePosedTriangles) {
  CorrectivePoser poser{CorrectiveFile(trained_arm().result.bytes)};
  const auto posed = poser.pose(trained_arm().arm.skeleton, arm_pose(trained_arm().arm, 1.0, 0.3), 0);
  const std::vector<Vec3f> expected = vertex_normals(posed.positions, trained_arm().arm.mesh.triangles);
  for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_LT((expected[v] - posed.normals[v]).norm(), 1e-3f);
}

TEST(Correctives, DamagedFilesAreRefusedAndNeverCrash) {
  const std::vector<std::byte>& good = trained_arm().result.bytes;
  Correctives set;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, good.size() / 2, good.size() - 64}) {
    const CorrectiveFile cut(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_NE(open_correctives(cut.bytes(), set), RuntimeStatus::ok);
  }
  // Flipped bytes with a hash that fits again: either refused, or good enough to be evaluated.
  Random random(5);
  const Pose pose = arm_pose(trained_arm().arm, 1.0, 0.3);
  int opened = 0;
  for (int i = 0; i < 1500; ++i) {
    std::vector<std::byte> bytes = good;
    const bool table = i % 2 == 0;  // mostly the tables, where the dangerous numbers are
    const std::size_t limit = table ? 64 + 3 * 144 + 4096 : bytes.size();
    const std::size_t at = (i % 3 == 0 && i % 5 == 0) ? bytes.size() - 64 - random.below(6000) : random.below(limit);
    bytes[at] ^= static_cast<std::byte>(1 + random.below(255));
    if (i % 7 != 0) {
      const std::uint64_t hash = hash_words(std::span(bytes).subspan(64));
      std::memcpy(bytes.data() + 40, &hash, 8);
    }
    const CorrectiveFile file(bytes);
    if (open_correctives(file.bytes(), set) != RuntimeStatus::ok) continue;
    ++opened;
    if (set.joint_count() != 3 || set.level_count() != 3) continue;
    CorrectivePoser poser{file};
    for (int level = 0; level < 3; ++level) poser.corrected_rest(pose, level);
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 1500);
}

}  // namespace
}  // namespace sinew
