// Painting: strokes become pins, and biharmonic weights follow.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/paint.h"
#include "tests/support/figure.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

const BindOptions options{.method = "biharmonic", .values = {{"resolution", 400}}, .joints = "all"};

Character bound_bar() {
  Character bar = test::bar(4, 0.25, 21, 8, 2);
  bind_character(bar, options);
  return bar;
}

BrushEdit stroke(std::uint32_t vertex, float amount, double target = 1, int joint = 1) {
  return {.strokes = {{joint, target, {vertex}, {amount}}}};
}

TEST(WeightPainter, SettlesToWhatBindingGives) {
  const Character bar = bound_bar();
  WeightPainter painter(bar, options);
  const std::vector<WeightPin> pins = painter.brush(bar.weights, {}, stroke(5, 1));
  ASSERT_EQ(pins.size(), 1u);
  const SkinWeights settled = painter.settle(pins);
  Character again = bar;
  BindOptions with_pins = options;
  with_pins.pins = pins;
  bind_character(again, with_pins);
  EXPECT_EQ(settled.joints, again.weights.joints);
  EXPECT_EQ(settled.weights, again.weights.weights);
  EXPECT_NEAR(settled.weight_of(5, 1), 1.0f, 1e-6f);
  EXPECT_NEAR(painter.near(pins).weight_of(5, 1), 1.0f, 1e-6f);
}

TEST(WeightPainter, FreesPins) {
  const Character bar = bound_bar();
  const WeightPainter painter(bar, options);
  std::vector<WeightPin> pins = painter.brush(bar.weights, {}, stroke(5, 1));
  pins = painter.brush(bar.weights, pins, stroke(9, 0.5f));
  EXPECT_EQ(pins.size(), 2u);
  EXPECT_EQ(painter.brush(bar.weights, pins, {.free = {5}}).size(), 1u);
  EXPECT_TRUE(painter.brush(bar.weights, pins, {.free_all = true}).empty());
}

// A whole weight beside a residue from rounding: taking from it must not divide by what is not there.
TEST(WeightPainter, AResidueBesideAWholeWeightIsNoTrap) {
  Character bar = bound_bar();
  const std::size_t first = 5 * static_cast<std::size_t>(bar.weights.influences);
  bar.weights.joints[first] = 1;
  bar.weights.weights[first] = 1.0f;
  bar.weights.joints[first + 1] = 0;
  bar.weights.weights[first + 1] = 1e-8f;
  WeightPainter painter(bar, options);
  for (const float amount : {0.1f, 0.5f, 1.0f}) {
    const std::vector<WeightPin> pins = painter.brush(bar.weights, {}, stroke(5, amount, 0));
    double sum = 0;
    for (const auto& [joint, weight] : pins.at(0).weights) {
      EXPECT_GE(weight, 0.0);
      sum += weight;
      if (joint == 1) {
        EXPECT_NEAR(weight, 1 - amount, 1e-6);
      }
    }
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_NO_THROW(painter.near(pins));
  }
}

TEST(WeightPainter, TakesTheNormalsOfAPointCloud) {
  Character cloud = test::bar(4, 0.25, 41, 16, 2);
  cloud.mesh.normals.clear();
  for (const Vec3f& p : cloud.mesh.positions) cloud.mesh.normals.push_back(Vec3f(0, p.y(), p.z()).normalized());
  cloud.mesh.triangles.clear();
  Character bound = cloud;
  bind_character(bound, options);
  WeightPainter painter(cloud, options);
  EXPECT_EQ(painter.settle({}).weights, bound.weights.weights) << "the same computation as binding";
}

TEST(WeightPainter, RefusesWhatCannotBe) {
  const Character bar = bound_bar();
  const WeightPainter painter(bar, options);
  const auto beyond = static_cast<std::uint32_t>(bar.mesh.vertex_count());
  EXPECT_THROW(painter.brush(bar.weights, {}, stroke(beyond, 1)), Error);
  EXPECT_THROW(painter.brush(bar.weights, {}, stroke(5, 1, 1, 99)), Error);
  EXPECT_THROW(painter.brush(bar.weights, {}, stroke(5, 1, 1.5)), Error);
  EXPECT_THROW(painter.brush(bar.weights, {}, stroke(5, std::nanf(""))), Error);
  EXPECT_THROW(painter.brush(bar.weights, {}, stroke(5, 0)), Error) << "touches nothing";
  EXPECT_THROW(painter.brush({}, {}, stroke(5, 1)), Error);
  EXPECT_THROW(WeightPainter(bar, {.method = "heat"}), Error);
}

}  // namespace
}  // namespace sinew
