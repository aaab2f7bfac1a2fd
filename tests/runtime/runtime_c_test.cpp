// The C interface: a program in C that plays a file, the same bits as C++, and what it answers to mistakes.
#include "sinew/runtime/runtime_c.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/base/file_bytes.h"
#include "sinew/correctives/corrective_poser.h"
#include "tests/correctives/trained_arm.h"
#include "tests/runtime/count_allocations.h"
#include "tests/runtime/random_rig.h"
#include "tests/support/run_program.h"

namespace sinew {
namespace {

using test::arm_pose, test::joint_rotations, test::RandomRig, test::RigMethod, test::trained_arm;

std::vector<JointMatrix> joint_matrices(const Pose& pose) {
  std::vector<JointMatrix> matrices;
  for (const Affine3d& transform : skinning_transforms(trained_arm().arm.skeleton, pose)) {
    const Eigen::Matrix4f matrix = transform.matrix().cast<float>();
    std::memcpy(&matrices.emplace_back(), matrix.data(), sizeof(JointMatrix));
  }
  return matrices;
}

void append_bytes(std::vector<std::byte>& bytes, const void* from, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), begin, begin + size);
}

// What the program in C writes for a frame, by the C++ interface.
void append_expected(std::vector<std::byte>& bytes, CorrectivePoser& poser, const Pose& pose, int level) {
  const auto posed = poser.pose(trained_arm().arm.skeleton, pose, level);
  append_bytes(bytes, posed.positions.data(), posed.positions.size() * sizeof(Vec3f));
  append_bytes(bytes, posed.normals.data(), posed.normals.size() * sizeof(Vec3f));
  const std::vector<Vec3f> corrected = poser.corrected_rest(pose, level);
  std::vector<Vec3f> by_quaternions(corrected.size());
  const std::vector<JointMatrix> matrices = joint_matrices(pose);
  std::vector<JointMatrix> stretches(matrices.size());
  std::vector<JointDualQuaternion> motions(matrices.size());
  EXPECT_FALSE(split_for_dual_quaternions(matrices, motions, stretches).stretched);
  SkinningJob job;
  EXPECT_EQ(fill_skinning_job(poser.set(), level, job), RuntimeStatus::ok);
  job.dual_quaternions = motions;
  job.positions = {{corrected[0].data(), 3 * corrected.size()}};
  job.posed_positions = {{by_quaternions[0].data(), 3 * corrected.size()}};
  EXPECT_EQ(skin(job), RuntimeStatus::ok);
  append_bytes(bytes, by_quaternions.data(), by_quaternions.size() * sizeof(Vec3f));
}

TEST(RuntimeC, AProgramInCPlaysAFile) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "arm.sinewc").string(), frames = (folder / "frames").string(),
                    output = (folder / "posed").string();
  write_file_bytes(file, trained_arm().result.bytes);
  CorrectivePoser poser{CorrectiveFile(trained_arm().result.bytes)};
  for (int level = 0; level < 3; ++level) {
    std::vector<std::byte> poses, expected;
    for (int frame = 0; frame < 4; ++frame) {
      const Pose pose = arm_pose(trained_arm().arm, 0.5 * frame, 0.3 * frame);
      const std::vector<float> rotations = joint_rotations(pose);
      const std::vector<JointMatrix> matrices = joint_matrices(pose);
      append_bytes(poses, rotations.data(), rotations.size() * sizeof(float));
      append_bytes(poses, matrices.data(), matrices.size() * sizeof(JointMatrix));
      append_expected(expected, poser, pose, level);
    }
    write_file_bytes(frames, poses);
    const auto run = test::run_program(SINEW_C_PLAYER, {file, frames, std::to_string(level), output});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read_file_bytes(output), expected);
  }
  const auto run = test::run_program(SINEW_C_PLAYER, {file, frames, "3", output});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("the level does not exist (-21)"), std::string::npos) << run.err;
}

sinew_skinning_job c_job(RandomRig& rig) {
  sinew_skinning_job job{};
  job.vertex_count = rig.count;
  job.joint_count = rig.transforms.size();
  job.influences = rig.influences;
  job.joints = rig.weights.joints.data();
  job.weights = rig.weights.weights.data();
  const auto floats = [](const auto& palette) {
    return palette.empty() ? nullptr : reinterpret_cast<const float*>(palette.data());
  };
  job.matrices = floats(rig.job.matrices);
  job.dual_quaternions = floats(rig.job.dual_quaternions);
  job.stretches = floats(rig.job.stretches);
  job.positions = {rig.job.positions.floats.data(), rig.job.positions.stride};
  job.normals = {rig.job.normals.floats.data(), rig.job.normals.stride};
  job.tangents = {rig.job.tangents.floats.data(), rig.job.tangents.stride};
  job.posed_positions = {rig.job.posed_positions.floats.data(), rig.job.posed_positions.stride};
  job.posed_normals = {rig.job.posed_normals.floats.data(), rig.job.posed_normals.stride};
  job.posed_tangents = {rig.job.posed_tangents.floats.data(), rig.job.posed_tangents.stride};
  return job;
}

TEST(RuntimeC, SkinsWithTheBitsOfCxx) {
  for (const RigMethod method : test::rig_methods) {
    for (const std::size_t stride : {3, 5}) {
      RandomRig by_cxx(333, 4, method, 41, stride), by_c(333, 4, method, 41, stride);
      ASSERT_EQ(skin(by_cxx.job), RuntimeStatus::ok);
      sinew_skinning_job job = c_job(by_c);
      if (stride == 3) {  // 0 means packed
        job.positions.stride = job.normals.stride = job.tangents.stride = 0;
        job.posed_positions.stride = job.posed_normals.stride = job.posed_tangents.stride = 0;
      }
      const long before = test::allocation_count();
      ASSERT_EQ(sinew_skinning_validate(&job), SINEW_RUNTIME_OK);
      ASSERT_EQ(sinew_skin(&job), SINEW_RUNTIME_OK);
      EXPECT_EQ(test::allocation_count(), before);
      EXPECT_EQ(by_c.posed_positions, by_cxx.posed_positions);
      EXPECT_EQ(by_c.posed_normals, by_cxx.posed_normals);
      EXPECT_EQ(by_c.posed_tangents, by_cxx.posed_tangents);
    }
  }
}

TEST(RuntimeC, PalettesNeedNoMoreAlignmentThanFloats) {
  RandomRig rig(333, 4, RigMethod::dqs_stretched, 42), moved(333, 4, RigMethod::dqs_stretched, 42);
  const auto shifted = [](const auto& palette) {
    std::vector<float> floats(1 + palette.size() * sizeof(palette[0]) / sizeof(float));
    std::memcpy(&floats[1], palette.data(), palette.size() * sizeof(palette[0]));
    return floats;
  };
  const std::vector<float> matrices = shifted(rig.matrices);
  std::vector<float> motions(1 + 8 * rig.matrices.size()), stretches(1 + 16 * rig.matrices.size());
  int stretched = 7;
  ASSERT_EQ(sinew_skinning_split_matrices(&matrices[1], rig.matrices.size(), &motions[1], &stretches[1], &stretched),
            SINEW_RUNTIME_OK);
  EXPECT_EQ(stretched, 1);
  EXPECT_EQ(motions, shifted(rig.dual_quaternions));
  EXPECT_EQ(stretches, shifted(rig.stretches));
  sinew_skinning_job job = c_job(moved);
  job.dual_quaternions = &motions[1];
  job.stretches = &stretches[1];
  ASSERT_EQ(skin(rig.job), RuntimeStatus::ok);
  ASSERT_EQ(sinew_skin(&job), SINEW_RUNTIME_OK);
  EXPECT_EQ(moved.posed_positions, rig.posed_positions);
}

TEST(RuntimeC, FindsWhatIsWrongWithAJobAndWritesNothing) {
  const auto expect_refused = [](sinew_runtime_status expected, auto change) {
    RandomRig rig(50, 4, RigMethod::lbs, 43);
    sinew_skinning_job job = c_job(rig);
    EXPECT_EQ(sinew_skinning_validate(&job), SINEW_RUNTIME_OK);
    change(job);
    EXPECT_EQ(sinew_skinning_validate(&job), expected);
    if (expected == SINEW_RUNTIME_JOINT_OUT_OF_RANGE) return;
    EXPECT_EQ(sinew_skin(&job), expected);
    for (const float value : rig.posed_positions) EXPECT_EQ(value, test::guard);
  };
  using Job = sinew_skinning_job;
  expect_refused(SINEW_RUNTIME_BAD_INFLUENCES, [](Job& job) { job.influences = 0; });
  expect_refused(SINEW_RUNTIME_BAD_INFLUENCES, [](Job& job) { job.influences = 33; });
  expect_refused(SINEW_RUNTIME_NO_METHOD, [](Job& job) { job.matrices = nullptr; });
  expect_refused(SINEW_RUNTIME_TWO_METHODS, [](Job& job) { job.dual_quaternions = job.matrices; });
  expect_refused(SINEW_RUNTIME_TWO_METHODS, [](Job& job) { job.stretches = job.matrices; });
  expect_refused(SINEW_RUNTIME_MISSING_ARGUMENT, [](Job& job) { job.joints = nullptr; });
  expect_refused(SINEW_RUNTIME_MISSING_ARGUMENT, [](Job& job) { job.weights = nullptr; });
  expect_refused(SINEW_RUNTIME_UNPAIRED_VECTORS, [](Job& job) { job.positions.floats = nullptr; });
  expect_refused(SINEW_RUNTIME_UNPAIRED_VECTORS, [](Job& job) { job.posed_tangents.floats = nullptr; });
  expect_refused(SINEW_RUNTIME_MISSING_ARGUMENT,
                 [](Job& job) { job.positions.floats = job.posed_positions.floats = nullptr; });
  expect_refused(SINEW_RUNTIME_BAD_STRIDE, [](Job& job) { job.normals.stride = 2; });
  expect_refused(SINEW_RUNTIME_BAD_STRIDE, [](Job& job) { job.posed_tangents.stride = 3; });
  expect_refused(SINEW_RUNTIME_JOINT_OUT_OF_RANGE, [](Job& job) { job.joint_count = 2; });
  EXPECT_EQ(sinew_skin(nullptr), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(sinew_skinning_validate(nullptr), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(sinew_skinning_split_matrices(nullptr, 0, nullptr, nullptr, nullptr), SINEW_RUNTIME_MISSING_ARGUMENT);
}

TEST(RuntimeC, OpensOnlyWhatIsSound) {
  const CorrectiveFile file(trained_arm().result.bytes);
  const std::byte* bytes = file.bytes().data();
  const std::size_t size = file.bytes().size();
  std::size_t workspace_size = 0;
  ASSERT_EQ(sinew_correctives_workspace_size(bytes, size, &workspace_size), SINEW_RUNTIME_OK);
  std::vector<CacheLine> storage(workspace_size / 64 + 1);
  void* workspace = storage.data();
  sinew_correctives* const untouched = reinterpret_cast<sinew_correctives*>(workspace);
  const auto open = [&](const void* from, std::size_t from_size, void* to, std::size_t to_size) {
    sinew_correctives* set = untouched;
    const sinew_runtime_status status = sinew_correctives_open(from, from_size, to, to_size, &set);
    EXPECT_EQ(set == nullptr, status != SINEW_RUNTIME_OK);
    return status;
  };
  EXPECT_EQ(open(bytes, size, workspace, workspace_size), SINEW_RUNTIME_OK);
  EXPECT_EQ(open(bytes, size, workspace, workspace_size - 1), SINEW_RUNTIME_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(open(bytes, size, workspace, 16), SINEW_RUNTIME_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(open(bytes, size, static_cast<std::byte*>(workspace) + 8, workspace_size), SINEW_RUNTIME_MISALIGNED_MEMORY);
  EXPECT_EQ(open(bytes, size, nullptr, workspace_size), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(open(nullptr, size, workspace, workspace_size), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(open(bytes, size - 64, workspace, workspace_size), SINEW_RUNTIME_DAMAGED_FILE);
  EXPECT_EQ(open(bytes + 64, size - 64, workspace, workspace_size), SINEW_RUNTIME_NOT_CORRECTIVES);
  EXPECT_EQ(sinew_correctives_open(bytes, size, workspace, workspace_size, nullptr), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(sinew_correctives_workspace_size(bytes, size, nullptr), SINEW_RUNTIME_MISSING_ARGUMENT);
  std::vector<std::byte> newer = trained_arm().result.bytes;
  newer[8] = std::byte{2};
  const CorrectiveFile newer_file(newer);
  EXPECT_EQ(open(newer_file.bytes().data(), size, workspace, workspace_size), SINEW_RUNTIME_UNKNOWN_VERSION);
}

// A null set, a level that does not exist and arrays that are too short are refused, and no output changes.
TEST(RuntimeC, NothingDoneNeverLooksLikeTheFinestLevel) {
  const CorrectiveFile file(trained_arm().result.bytes);
  std::size_t workspace_size = 0;
  ASSERT_EQ(sinew_correctives_workspace_size(file.bytes().data(), file.bytes().size(), &workspace_size),
            SINEW_RUNTIME_OK);
  std::vector<CacheLine> storage(workspace_size / 64 + 1);
  sinew_correctives* set = nullptr;
  ASSERT_EQ(sinew_correctives_open(file.bytes().data(), file.bytes().size(), storage.data(), workspace_size, &set),
            SINEW_RUNTIME_OK);
  const std::vector<float> rotations = joint_rotations(arm_pose(trained_arm().arm, 1.4, 0.3));
  sinew_correctives_result result{-7, -7};
  const auto evaluate = [&](sinew_correctives* with, const float* from, std::size_t joints, int level) {
    return sinew_correctives_evaluate(with, from, joints, level, 0, &result);
  };
  EXPECT_EQ(evaluate(nullptr, rotations.data(), 3, 0), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(evaluate(set, nullptr, 3, 0), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(evaluate(set, rotations.data(), 2, 0), SINEW_RUNTIME_INPUT_TOO_SHORT);
  EXPECT_EQ(evaluate(set, rotations.data(), 3, 3), SINEW_RUNTIME_NO_SUCH_LEVEL);
  EXPECT_EQ(evaluate(set, rotations.data(), 3, -1), SINEW_RUNTIME_NO_SUCH_LEVEL);
  EXPECT_EQ(result.detail_level, -7);
  sinew_correctives_level mesh{};
  ASSERT_EQ(sinew_correctives_get_level(set, 0, &mesh), SINEW_RUNTIME_OK);
  std::vector<float> vectors(3 * mesh.vertex_count, test::guard);
  const std::size_t count = mesh.vertex_count;
  EXPECT_EQ(sinew_correctives_positions(set, 0, vectors.data(), count), SINEW_RUNTIME_NOT_EVALUATED);
  EXPECT_EQ(sinew_correctives_positions(set, 0, vectors.data(), count - 1), SINEW_RUNTIME_OUTPUT_TOO_SHORT);
  EXPECT_EQ(sinew_correctives_positions(nullptr, 0, vectors.data(), count), SINEW_RUNTIME_MISSING_ARGUMENT);
  EXPECT_EQ(sinew_correctives_normals(set, 0, mesh.rest_positions, vectors.data(), count - 1),
            SINEW_RUNTIME_OUTPUT_TOO_SHORT);
  EXPECT_EQ(sinew_correctives_normals(set, 5, mesh.rest_positions, vectors.data(), count), SINEW_RUNTIME_NO_SUCH_LEVEL);
  for (const float value : vectors) EXPECT_EQ(value, test::guard);
  sinew_skinning_job job{};
  EXPECT_EQ(sinew_correctives_fill_job(set, 3, &job), SINEW_RUNTIME_NO_SUCH_LEVEL);
  EXPECT_EQ(job.vertex_count, 0u);
  sinew_correctives_counts counts{};
  EXPECT_EQ(sinew_correctives_get_counts(nullptr, &counts), SINEW_RUNTIME_MISSING_ARGUMENT);
  ASSERT_EQ(sinew_correctives_get_counts(set, &counts), SINEW_RUNTIME_OK);
  EXPECT_EQ(counts.levels, 3);
  EXPECT_EQ(counts.joints, 3);
  EXPECT_EQ(counts.influences, 4);

  ASSERT_EQ(evaluate(set, rotations.data(), 3, 0), SINEW_RUNTIME_OK);
  EXPECT_EQ(result.detail_level, 0);
  EXPECT_GT(result.microseconds, 0);
  EXPECT_EQ(sinew_correctives_positions(set, 0, vectors.data(), count), SINEW_RUNTIME_OK);
}

TEST(RuntimeC, EveryStatusHasItsText) {
  EXPECT_STREQ(sinew_runtime_status_text(SINEW_RUNTIME_OK), "done");
  EXPECT_STREQ(sinew_runtime_status_text(SINEW_RUNTIME_DAMAGED_FILE), "the file is damaged");
  for (const int number :
       {-1, -10, -11, -12, -13, -14, -15, -20, -21, -22, -23, -24, -25, -30, -31, -32, -33, -34, -35, -36}) {
    EXPECT_STRNE(sinew_runtime_status_text(static_cast<sinew_runtime_status>(number)), "unknown status") << number;
  }
  EXPECT_STREQ(sinew_runtime_status_text(static_cast<sinew_runtime_status>(-37)), "unknown status");
}

}  // namespace
}  // namespace sinew
