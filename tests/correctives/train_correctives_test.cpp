// Training end to end on an arm whose truth is known, and the runtime against the model it was packed from.
#include "sinew/correctives/train_correctives.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/correctives/corrective_poser.h"
#include "sinew/correctives/corrective_regions.h"
#include "sinew/error.h"
#include "sinew/runtime/corrective_kernel.h"
#include "sinew/runtime/correctives_c.h"
#include "sinew/runtime/hash_words.h"
#include "tests/correctives/synthetic_arm.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

TrainOptions small_options() {
  TrainOptions options;
  options.lod.levels = 3;
  options.lod.ratio = 0.35;
  options.regions = 24;
  options.network.adam_epochs = 30;
  options.network.lbfgs_iterations = 30;
  return options;
}

// Shapes and what was trained from them; made once.
struct Trained {
  test::TemporaryFolder folder;
  Character arm = test::synthetic_arm(60, 20);
  std::unique_ptr<TrainingShapes> shapes;
  TrainedCorrectives result;

  Trained() {
    TrainingShapesWriter writer(folder.path(), arm);
    Random random(3);
    for (int i = 0; i < 160; ++i)
      test::append_arm_shape(writer, arm, "random", i, random.uniform(0, 2.2), random.uniform(-1.2, 1.2));
    for (int i = 0; i < 30; ++i) test::append_arm_shape(writer, arm, "curl", i, 2.0 * i / 29, 0.8 * std::sin(0.3 * i));
    shapes = std::make_unique<TrainingShapes>(folder.path());
    result = CorrectiveTrainer(*shapes, small_options()).train(3e-4, true);
  }
};

Trained& trained() {
  static Trained it;
  return it;
}

TEST(TrainCorrectives, BeatSkinningOnAMotionNeverSeen) {
  const TrainedCorrectives& result = trained().result;
  ASSERT_EQ(result.levels.size(), 3u);
  for (const LevelReport& level : result.levels) {
    EXPECT_LT(level.corrected, level.lbs / 3);
    EXPECT_LT(level.corrected, level.dqs / 2);
    EXPECT_GT(level.regions, 0u);
    EXPECT_GT(level.culled, 0u) << "the ends of the arm never deform";
  }
  // Finer levels only add what coarser ones cannot hold.
  EXPECT_LT(result.levels[0].mean_dimensions, result.levels[2].mean_dimensions);
}

TEST(TrainCorrectives, SeesOnlyTheJointsThatMatter) {
  for (const auto& level : trained().result.model.regions) {
    for (const CorrectiveRegion& region : level) EXPECT_EQ(region.network.joints, std::vector<int>{1});
  }
}

TEST(TrainCorrectives, RegionsArePartitionsOfUnity) {
  const LodChain& chain = trained().result.model.chain;
  const RegionPartition partition = make_regions(chain, 24);
  EXPECT_EQ(partition.region_count, 24u);
  for (std::size_t level = 0; level < chain.levels.size(); ++level) {
    ASSERT_EQ(partition.weights[level].size(), chain.levels[level].point_count);
    for (const auto& weights : partition.weights[level]) {
      float sum = 0;
      for (const RegionWeight& w : weights) {
        EXPECT_GT(w.weight, 0.0f);
        sum += w.weight;
      }
      EXPECT_NEAR(sum, 1.0f, 1e-5f);
    }
  }
}

TEST(TrainCorrectives, PrincipalDirectionsKeepTheToleranceAndNoMore) {
  Random random(9);
  Eigen::MatrixXf left(90, 5), right(5, 40);
  for (float& x : left.reshaped()) x = static_cast<float>(random.normal());
  for (float& x : right.reshaped()) x = static_cast<float>(random.normal());
  const Eigen::MatrixXf shapes = left * right;  // rank 5
  const Principal all = principal_directions(shapes, 1e-5 * shapes.squaredNorm(), 40, 1);
  EXPECT_EQ(all.basis.cols(), 5);
  EXPECT_LT((all.basis * all.values - shapes).norm(), 4e-3 * shapes.norm());
  EXPECT_LT((all.basis.transpose() * all.basis - Eigen::MatrixXf::Identity(5, 5)).norm(), 1e-4);
  const double tail = 0.3 * shapes.squaredNorm();
  const Principal few = principal_directions(shapes, tail, 40, 1);
  EXPECT_LT(few.basis.cols(), 5);
  EXPECT_LE((few.basis * few.values - shapes).squaredNorm(), tail * 1.001);
  EXPECT_EQ(principal_directions(shapes, 2 * shapes.squaredNorm(), 40, 1).basis.cols(), 0);
}

// Largest difference between the runtime's and the model's shape of a level before skinning.
double runtime_error(CorrectivePoser& poser, const Pose& pose, std::size_t level) {
  const CorrectiveModel& model = trained().result.model;
  const Eigen::MatrixXf expected = model_displacements(model, level, pose_features(model.skeleton, pose));
  const std::vector<Vec3f> rest = poser.corrected_rest(pose, static_cast<int>(level));
  const LodLevel& lod = model.chain.levels[level];
  double worst = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const Vec3f d = expected.block<3, 1>(3 * Eigen::Index{lod.point_of[v]}, 0);
    worst = std::max(worst, double{(rest[v] - lod.mesh.positions[v] - d).norm()});
  }
  return worst;
}

TEST(Correctives, RuntimeIsTheModelUpToRounding) {
  CorrectivePoser poser{CorrectiveFile(trained().result.bytes)};
  const double tolerance = trained().result.model.tolerance;
  for (const CorrectiveKernels* kernels : {&corrective_kernels_baseline, &corrective_kernels()}) {
    force_corrective_kernels(*kernels);
    for (const double bend : {0.0, 0.7, 1.9}) {
      for (std::size_t level = 0; level < 3; ++level) {
        EXPECT_LT(runtime_error(poser, test::arm_pose(trained().arm, bend, 0.4), level), 2 * tolerance);
      }
    }
  }
}

TEST(Correctives, SameBitsOnOneThreadTwoThreadsAndInAnyCompany) {
  const CorrectiveFile file(trained().result.bytes);
  Correctives set;
  ASSERT_EQ(open_correctives(file.bytes(), set), CorrectiveStatus::ok);
  std::vector<float> rotations;
  for (const Transform& t : test::arm_pose(trained().arm, 1.3, -0.5)) {
    for (const double x : {t.rotation.x(), t.rotation.y(), t.rotation.z(), t.rotation.w()}) {
      rotations.push_back(static_cast<float>(x));
    }
  }
  const auto run = [&](bool parallel, int level) {
    std::vector<std::byte> storage(set.workspace_bytes() + 64);
    const std::span<std::byte> work =
        std::span(storage).subspan((64 - reinterpret_cast<std::uintptr_t>(storage.data()) % 64) % 64);
    EXPECT_TRUE(prepare_workspace(set, work));
    if (parallel) {
      evaluate_correctives_parallel(set, rotations, level, work);
    } else {
      evaluate_correctives(set, rotations, level, work);
    }
    std::vector<float> positions(3 * set.vertex_count(2));
    corrected_positions(set, 2, work, positions);
    return positions;
  };
  const std::vector<float> expected = run(false, 2);
  EXPECT_EQ(run(false, 0), expected);
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    EXPECT_EQ(run(true, 0), expected);
  }
  set_thread_count(0);
}

TEST(Correctives, TheCInterfaceGivesTheSameShape) {
  CorrectivePoser poser{CorrectiveFile(trained().result.bytes)};
  const Pose pose = test::arm_pose(trained().arm, 1.4, 0.3);
  const std::vector<Vec3f> expected = poser.corrected_rest(pose, 0);
  const auto aligned = [](std::vector<std::byte>& storage, std::size_t size) {
    storage.resize(size + 64);
    void* begin = storage.data();
    std::size_t space = storage.size();
    return std::align(64, size, begin, space);
  };
  std::vector<std::byte> file, work;
  const std::size_t size = trained().result.bytes.size();
  void* bytes = aligned(file, size);
  std::memcpy(bytes, trained().result.bytes.data(), size);
  const std::size_t workspace_size = sinew_correctives_workspace(bytes, size);
  ASSERT_GT(workspace_size, 0u);
  void* workspace = aligned(work, workspace_size);
  int status = -1;
  EXPECT_EQ(sinew_correctives_open(bytes, size, workspace, 16, &status), nullptr);
  EXPECT_EQ(status, 5);
  sinew_correctives* set = sinew_correctives_open(bytes, size, workspace, workspace_size, &status);
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(sinew_correctives_levels(set), 3);
  ASSERT_EQ(sinew_correctives_vertices(set, 0), expected.size());
  std::vector<float> rotations;
  for (const auto& joint : pose) {
    for (int i = 0; i < 4; ++i) rotations.push_back(static_cast<float>(joint.rotation.coeffs()[i]));
  }
  EXPECT_EQ(sinew_correctives_evaluate(set, rotations.data(), 0, 0.0), 0);
  std::vector<float> positions(3 * expected.size());
  sinew_correctives_positions(set, 0, positions.data());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    EXPECT_LT((Vec3f(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]) - expected[v]).norm(), 1e-5f);
  }
  EXPECT_EQ(sinew_correctives_levels(nullptr), 0);
  EXPECT_EQ(sinew_correctives_vertices(set, 9), 0u);
}

TEST(Correctives, BudgetsLeaveOutDetailButNoLevel) {
  CorrectivePoser poser{CorrectiveFile(trained().result.bytes)};
  const Pose pose = test::arm_pose(trained().arm, 1.8, 0);
  const auto everything = poser.pose(trained().arm.skeleton, pose, 0);
  EXPECT_EQ(everything.result.detail_level, 0);
  const auto nothing = poser.pose(trained().arm.skeleton, pose, 0, 1e-6);
  EXPECT_EQ(nothing.result.detail_level, 3) << "no time for any detail";
  EXPECT_EQ(nothing.positions.size(), everything.positions.size());
  const auto plenty = poser.pose(trained().arm.skeleton, pose, 0, 1e9);
  EXPECT_EQ(plenty.result.detail_level, 0);
  EXPECT_EQ(plenty.positions, everything.positions);
}

TEST(Correctives, NormalsAreThoseOfThePosedTriangles) {
  CorrectivePoser poser{CorrectiveFile(trained().result.bytes)};
  const auto posed = poser.pose(trained().arm.skeleton, test::arm_pose(trained().arm, 1.0, 0.3), 0);
  const std::vector<Vec3f> expected = vertex_normals(posed.positions, trained().arm.mesh.triangles);
  for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_LT((expected[v] - posed.normals[v]).norm(), 1e-3f);
}

TEST(Correctives, DamagedFilesAreRefusedAndNeverCrash) {
  const std::vector<std::byte>& good = trained().result.bytes;
  Correctives set;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, good.size() / 2, good.size() - 64}) {
    const CorrectiveFile cut(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_NE(open_correctives(cut.bytes(), set), CorrectiveStatus::ok);
  }
  // Flipped bytes with a hash that fits again: either refused, or good enough to be evaluated.
  Random random(5);
  const Pose pose = test::arm_pose(trained().arm, 1.0, 0.3);
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
    if (open_correctives(file.bytes(), set) != CorrectiveStatus::ok) continue;
    ++opened;
    if (set.joint_count() != 3 || set.level_count() != 3) continue;
    CorrectivePoser poser{file};
    for (int level = 0; level < 3; ++level) poser.corrected_rest(pose, level);
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 1500);
}

TEST(TrainCorrectives, RefusesTooLittle) {
  const test::TemporaryFolder folder;
  const Character arm = test::synthetic_arm(12, 8);
  TrainingShapesWriter writer(folder.path(), arm);
  for (int i = 0; i < 5; ++i) {
    const Pose pose = test::arm_pose(arm, 0.1 * i, 0);
    writer.append({"bend", i, pose, test::arm_shape(arm, pose, 0.1 * i, 0)});
  }
  const TrainingShapes shapes(folder.path());
  EXPECT_THROW(CorrectiveTrainer(shapes, small_options()), Error);
  TrainOptions options = small_options();
  options.test_motions = {"walk"};
  EXPECT_THROW(CorrectiveTrainer(shapes, options), Error);
}

}  // namespace
}  // namespace sinew
