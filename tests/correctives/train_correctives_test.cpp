// Training end to end on an arm whose truth is known.
#include "sinew/correctives/train_correctives.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/correctives/corrective_regions.h"
#include "sinew/error.h"
#include "tests/correctives/trained_arm.h"

namespace sinew {
namespace {

TEST(TrainCorrectives, BeatSkinningOnAMotionNeverSeen) {
  const TrainedCorrectives& result = test::trained_arm().result;
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
  for (const auto& level : test::trained_arm().result.model.regions) {
    for (const CorrectiveRegion& region : level) EXPECT_EQ(region.network.joints, std::vector<int>{1});
  }
}

TEST(TrainCorrectives, RegionsArePartitionsOfUnity) {
  const LodChain& chain = test::trained_arm().result.model.chain;
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

TEST(TrainCorrectives, RefusesTooLittle) {
  const test::TemporaryFolder folder;
  const Character arm = test::synthetic_arm(12, 8);
  TrainingShapesWriter writer(folder.path(), arm);
  for (int i = 0; i < 5; ++i) {
    const Pose pose = test::arm_pose(arm, 0.1 * i, 0);
    writer.append({"bend", i, pose, test::arm_shape(arm, pose, 0.1 * i, 0)});
  }
  const TrainingShapes shapes(folder.path());
  EXPECT_THROW(CorrectiveTrainer(shapes, test::small_training()), Error);
  TrainOptions options = test::small_training();
  options.test_motions = {"walk"};
  EXPECT_THROW(CorrectiveTrainer(shapes, options), Error);
}

}  // namespace
}  // namespace sinew
