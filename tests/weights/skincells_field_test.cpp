#include "sinew/weights/skincells/skincells_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/error.h"
#include "sinew/weights/skincells/skincells_kernel.h"
#include "sinew/weights/skincells/skincells_loss.h"

namespace sinew {
namespace {

SkinCellField random_field(int cells, int influences, std::uint64_t seed, double sharpness = 0.5,
                           float relaxation = 0) {
  Random random(seed);
  SkinCellField field;
  field.max_influences = influences;
  field.relaxation = relaxation;
  for (int cell = 0; cell < cells; ++cell) {
    field.joints.push_back(cell);
    field.joint_names.push_back("joint" + std::to_string(cell));
    for (int site = 0; site < field.sites_per_cell; ++site) {
      for (int axis = 0; axis < 3; ++axis) field.parameters.push_back(static_cast<float>(random.uniform()));
      for (double entry : {1.0, 0.0, 1.0, 0.0, 0.0, 1.0}) {
        field.parameters.push_back(static_cast<float>(entry + random.uniform(-0.3, 0.3)));
      }
      field.parameters.push_back(static_cast<float>(random.uniform(-3, -1)));
    }
    field.parameters.push_back(static_cast<float>(random.uniform(-4, -2)));
    field.parameters.push_back(static_cast<float>(random.uniform(-sharpness, sharpness) + sharpness));
  }
  return field;
}

Vec3d random_point(Random& random, double extent = 1.0) {
  return Vec3d(random.uniform(), random.uniform(), random.uniform()) * extent;
}

TEST(SkinCellField, HasAtMostTheAskedInfluencesEverywhere) {
  Random random(1);
  for (int influences = 1; influences <= 6; ++influences) {
    const SkinCellField field = random_field(20, influences, influences);
    for (int i = 0; i < 2000; ++i) {
      const std::vector<double> weights = field_weights(field, random_point(random, i % 2 ? 1.0 : 50.0));
      int used = 0;
      double sum = 0;
      for (double w : weights) {
        ASSERT_GE(w, 0.0);
        used += w > 0;
        sum += w;
      }
      ASSERT_LE(used, influences);
      ASSERT_GE(used, 1);
      ASSERT_NEAR(sum, 1.0, 1e-5);
    }
  }
}

TEST(SkinCellField, IsContinuous) {
  Random random(2);
  const SkinCellField field = random_field(15, 3, 7);
  for (int i = 0; i < 500; ++i) {
    const Vec3d a = random_point(random), b = random_point(random);
    // Between any two points the change over a step shrinks with the step, also where the set of influences changes.
    for (double step : {1e-2, 1e-3, 1e-4}) {
      const std::vector<double> wa = field_weights(field, a), wb = field_weights(field, a + step * (b - a));
      double change = 0;
      for (std::size_t j = 0; j < wa.size(); ++j) change = std::max(change, std::abs(wa[j] - wb[j]));
      EXPECT_LE(change, 300 * step + 1e-4);
    }
  }
}

TEST(SkinCellField, NeverProducesNaN) {
  Random random(3);
  for (double sharpness : {0.5, 3.0, 6.0}) {  // falloffs up to e^12
    const SkinCellField field = random_field(12, 4, 11, sharpness);
    for (double extent : {1e-6, 1.0, 1e3, 1e8, 1e20, 1e37}) {
      for (int i = 0; i < 200; ++i) {
        double sum = 0;
        for (double w : field_weights(field, random_point(random, extent))) sum += w;
        ASSERT_NEAR(sum, 1.0, 1e-4) << extent;
      }
    }
  }
}

TEST(SkinCellField, SettlesExactTies) {
  SkinCellField field = random_field(5, 2, 4);
  const std::vector<float> cell(field.parameters.begin(), field.parameters.begin() + field.cell_stride());
  for (int c = 1; c < 5; ++c) std::copy(cell.begin(), cell.end(), field.parameters.begin() + c * field.cell_stride());
  const std::vector<double> weights = field_weights(field, Vec3d(0.3, 0.2, 0.1));
  EXPECT_EQ(weights, (std::vector<double>{0.5, 0.5, 0, 0, 0}));
}

TEST(SkinCellField, FewerCellsThanInfluencesIsPlainProximity) {
  SkinCellField field = random_field(2, 4, 5);
  double sum = 0;
  for (double w : field_weights(field, Vec3d(0.5, 0.5, 0.5))) {
    EXPECT_GT(w, 0);
    sum += w;
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(SkinCellField, EvaluatesTheSameAtAnyThreadCountAndKeepsTheInvariants) {
  const SkinCellField field = random_field(30, 4, 6);
  Random random(9);
  std::vector<Vec3f> points;
  for (int i = 0; i < 5003; ++i) points.push_back(random_point(random).cast<float>());
  const auto run = [&] { return evaluate_field(field, points); };
  const SkinWeights one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.weights, two.weights);
  EXPECT_EQ(one.joints, two.joints);
  EXPECT_NO_THROW(check_skin_weights(one, points.size(), 30));
}

TEST(SkinCellField, RefusesBrokenFields) {
  SkinCellField field = random_field(3, 2, 1);
  field.parameters[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(check_field(field), Error);
  field = random_field(3, 2, 1);
  field.parameters.pop_back();
  EXPECT_THROW(check_field(field), Error);
  field = random_field(3, 2, 1);
  field.scale = 0;
  EXPECT_THROW(check_field(field), Error);
}

skincells::Problem random_problem(int cells, int points, int poses, std::uint64_t seed) {
  Random random(seed);
  skincells::Problem problem;
  problem.first = {0};
  for (int i = 0; i < points; ++i) {
    problem.unit_box.push_back(random_point(random).cast<float>());
    problem.rest.push_back(problem.unit_box.back() * 10.0f);
    // A ring: every point has two neighbours.
    problem.neighbour.push_back((i + points - 1) % points);
    problem.neighbour.push_back((i + 1) % points);
    problem.first.push_back(static_cast<std::uint32_t>(problem.neighbour.size()));
    if (i % 3 == 0) {
      problem.springs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(random.below(cells)),
                                 problem.rest.back() + 2 * random_point(random).cast<float>()});
    }
  }
  problem.pose_count = poses;
  for (int i = 0; i < poses * cells; ++i) {
    Affine3d t = Affine3d::Identity();
    t.translate(3 * random_point(random));
    t.rotate(Eigen::AngleAxisd(random.uniform(-0.5, 0.5), random_point(random).normalized()));
    problem.transforms.push_back(t.matrix().topRows<3>().cast<float>());
  }
  return problem;
}

void check_gradient(const skincells::Problem& problem, const skincells::LossWeights& weights, float relaxation) {
  SkinCellField field = random_field(7, 3, 21, 0.5, relaxation);
  skincells::Loss loss(problem, 7, 3);
  const std::vector<int> poses = {0, 2, 1};
  std::vector<double> gradient(field.parameters.size());
  loss.evaluate(field, weights, poses, gradient);
  double largest = 0;
  for (double g : gradient) largest = std::max(largest, std::abs(g));
  ASSERT_GT(largest, 0);
  const double here = loss.evaluate(field, weights, poses, {}).total;
  int compared = 0, kinks = 0;
  for (std::size_t i = 0; i < field.parameters.size(); ++i) {
    const float saved = field.parameters[i];
    const double step = 5e-4;
    double slope[2];
    for (int side = 0; side < 2; ++side) {
      const double signed_step = side ? step : -step;
      field.parameters[i] = static_cast<float>(saved + signed_step);
      slope[side] = (loss.evaluate(field, weights, poses, {}).total - here) / signed_step;
    }
    field.parameters[i] = saved;
    // Where the nearest site, the limit or the strongest cells change within the step, the loss has no derivative.
    if (std::abs(slope[1] - slope[0]) > 0.01 * largest) {
      ++kinks;
      continue;
    }
    const double numeric = 0.5 * (slope[0] + slope[1]);
    EXPECT_NEAR(gradient[i], numeric, 0.01 * std::abs(numeric) + 0.005 * largest) << "parameter " << i;
    compared += std::abs(numeric) > 0.02 * largest;
  }
  EXPECT_GT(compared, 50);
  EXPECT_LT(kinks, 60);
}

TEST(SkinCellsLoss, GradientOfSpringsAndSparsityMatchesFiniteDifferences) {
  check_gradient(random_problem(7, 40, 3, 31), {.smoothness = 0, .location = 1, .sparsity = 0, .stretch = 0}, 0.05f);
  check_gradient(random_problem(7, 40, 3, 32), {.smoothness = 0, .location = 0, .sparsity = 1, .stretch = 0}, 1.0f);
}

TEST(SkinCellsLoss, GradientOfSmoothnessMatchesFiniteDifferences) {
  // Poses that only translate leave the local rotation, which the gradient holds constant, really constant.
  skincells::Problem problem = random_problem(7, 40, 3, 34);
  for (skincells::Matrix34f& transform : problem.transforms) transform.leftCols<3>().setIdentity();
  check_gradient(problem, {.smoothness = 1, .location = 0, .sparsity = 0, .stretch = 0}, 0.05f);
}

TEST(SkinCellsLoss, GradientOfStretchMatchesFiniteDifferences) {
  check_gradient(random_problem(7, 40, 3, 35), {.smoothness = 0, .location = 0, .sparsity = 0, .stretch = 1}, 0.05f);
}

TEST(SkinCellsLoss, HasTheSameBitsAtAnyThreadCount) {
  const skincells::Problem problem = random_problem(9, 700, 4, 41);
  const SkinCellField field = random_field(9, 4, 42, 0.5, 0.1f);
  const std::vector<int> poses = {3, 1, 0};
  std::vector<double> gradients[2];
  double totals[2];
  for (int threads : {1, 2}) {
    skincells::Loss loss(problem, 9, 3);
    std::vector<double>& gradient = gradients[threads - 1];
    gradient.resize(field.parameters.size());
    totals[threads - 1] = with_threads(threads, [&] { return loss.evaluate(field, {}, poses, gradient).total; });
  }
  EXPECT_EQ(totals[0], totals[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
}

}  // namespace
}  // namespace sinew
