#include "sinew/evaluate/evaluation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;
using test::bent;

EvaluationOptions quick() {
  EvaluationOptions options;
  options.random_poses = 4;
  options.poses_per_motion = 3;
  return options;
}

Motion bending(const Skeleton& skeleton) {
  Motion motion{"bending", 30.0, skeleton.joint_count(), {}};
  for (int frame = 0; frame < 10; ++frame) {
    const Pose pose = bent(skeleton, 9.0 * frame);
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  return motion;
}

double value_of(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

TEST(Evaluation, TheFilesOwnMotionsAreTheHeadline) {
  Character truth = bar(21, 0.5);
  const Evaluation random = evaluate(bar(21, 1.0), &truth, quick());
  ASSERT_EQ(random.deformations.size(), 2u);
  EXPECT_EQ(random.headline_deformation()->poses, "normal");
  EXPECT_EQ(random.headline_movement()->poses, "limits");
  truth.motions = {bending(truth.skeleton)};
  const Evaluation moving = evaluate(bar(21, 1.0), &truth, quick());
  EXPECT_EQ(moving.headline_deformation()->poses, "motions");
  EXPECT_EQ(moving.headline_deformation()->scores.poses, 3u);
  EXPECT_EQ(moving.headline_deformation()->worst_pose, "bending at 0.30 s");
  EXPECT_EQ(moving.headline_movement()->poses, "limits");  // the candidate itself has no motion
  const std::vector<Metric> metrics = metrics_of(moving);
  EXPECT_EQ(value_of(metrics, "ade"), value_of(metrics, "motions-ade"));
  EXPECT_EQ(value_of(metrics, "stretch"), value_of(metrics, "limits-stretch"));
  EXPECT_NE(value_of(metrics, "ade"), value_of(metrics, "normal-ade"));
}

TEST(Evaluation, MetricNamesAreUnique) {
  Character truth = bar(21, 0.5, true);
  truth.motions = {bending(truth.skeleton)};
  std::set<std::string> names;
  for (const Metric& metric : metrics_of(evaluate(truth, &truth, quick()))) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
  }
  for (const char* name : {"l1", "ade", "mde", "els", "chamfer", "j2j", "coverage", "max-influences", "stretch",
                           "volume-change", "self-intersections", "normal-els"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(Evaluation, EveryMetricIsAmongTheKnownNames) {
  Character truth = bar(21, 0.5, true);
  truth.motions = {bending(truth.skeleton)};
  const std::vector<std::string> known = evaluation_metric_names();
  std::vector<std::string> measured;
  for (const Metric& metric : metrics_of(evaluate(truth, &truth, quick()))) measured.push_back(metric.name);
  EXPECT_EQ(measured, known);
}

TEST(Evaluation, ReducingInfluencesIsDoneBeforeMeasuring) {
  const Character truth = bar(21, 0.5);
  EvaluationOptions options = quick();
  options.max_influences = 1;
  const Evaluation one = evaluate(truth, &truth, options);
  EXPECT_EQ(one.skin->influences.maximum, 1);
  EXPECT_GT(one.weights->l1, 0.0);
  EXPECT_EQ(one.weights->truth.maximum, 2);
}

TEST(Evaluation, WithoutWeightsOnlySkeletonsAreCompared) {
  Character bare = bar();
  bare.weights = {};
  const Character truth = bar();
  const Evaluation result = evaluate(bare, &truth, quick());
  EXPECT_TRUE(result.skeleton);
  EXPECT_FALSE(result.weights);
  EXPECT_FALSE(result.skin);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].code, "no-weights");
  EXPECT_THROW(evaluate(bare, nullptr, quick()), Error);
  bare.skeleton = {};
  EXPECT_THROW(evaluate(bare, &truth, quick()), Error);
}

TEST(Evaluation, WithoutTruthOnlyTheSkinIsAssessed) {
  const Evaluation result = evaluate(bar(), nullptr, quick());
  EXPECT_FALSE(result.weights);
  EXPECT_FALSE(result.skeleton);
  EXPECT_TRUE(result.deformations.empty());
  EXPECT_TRUE(result.skin);
  EXPECT_EQ(result.movements.size(), 2u);
  const nlohmann::json report = to_json(result);
  EXPECT_TRUE(report.contains("skin"));
  EXPECT_TRUE(report.contains("movement"));
  EXPECT_FALSE(report.contains("weights"));
}

TEST(Evaluation, ACancelledEvaluationStops) {
  const std::atomic<bool> cancel{true};
  EXPECT_THROW(evaluate(bar(), nullptr, quick(), Progress(nullptr, &cancel)), Error);
}

}  // namespace
}  // namespace sinew
