// What every registered method must do, whatever it is. A new method is tested here by being registered.
#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/weights/method.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  const WeightMethod& method() const { return find_weight_method(GetParam()); }
  // With values that make a slow method quick; what is tested here holds for any.
  BindOptions quick() const {
    BindOptions options;
    options.method = GetParam();
    if (GetParam() == "biharmonic") options.values = {{"resolution", 1200}};
    return options;
  }
};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const WeightMethod& method : weight_methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Weights, EveryMethod, testing::ValuesIn(method_names()),
                         [](const auto& tested) { return tested.param; });

// Tubes in a row with noise, a hole, a flipped and a doubled triangle, and an island: nothing a method may fall over.
Character messy_character(std::uint64_t seed) {
  Random random(seed);
  Character character = test::bar(4, 0.3, 24, 9, 2 + static_cast<int>(random.below(3)));
  test::append(character.mesh, test::tube(0.3, 0.05, 3, 5), Vec3f(1.5f, 0.5f, 0));
  for (Vec3f& p : character.mesh.positions) {
    for (int axis = 0; axis < 3; ++axis) p[axis] += static_cast<float>(random.uniform(-0.02, 0.02));
  }
  auto& triangles = character.mesh.triangles;
  triangles.erase(triangles.begin() + 30, triangles.begin() + 36);
  std::swap(triangles[50][0], triangles[50][1]);
  triangles.push_back(triangles[60]);
  triangles.push_back({triangles[70][0], triangles[70][1], triangles[200][2]});
  return character;
}

TEST_P(EveryMethod, SaysWhatItIs) {
  EXPECT_FALSE(method().summary.empty());
  EXPECT_TRUE(method().solve);
  for (const MethodOption& option : method().options) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    const bool text = std::holds_alternative<std::string>(option.default_value);
    EXPECT_EQ(text, !option.choices.empty()) << option.name << ": what is not a choice is an input, not an option";
    EXPECT_EQ(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << option.name;
    EXPECT_NO_THROW(checked_options(method(), {{option.name, option.default_value}})) << option.name;
    EXPECT_EQ(parse_option(option, format_option(option.default_value)), option.default_value) << option.name;
  }
  EXPECT_THROW(checked_options(method(), {{"no-such-option", 1.0}}), Error);
}

TEST_P(EveryMethod, GivesValidWeightsToMessyInput) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Character character = messy_character(seed);
    for (int influences : {1, 2, 4}) {
      BindOptions options = quick();
      options.max_influences = influences;
      Character bound = character;
      const BindReport report = bind_character(bound, options);
      EXPECT_NO_THROW(check_character(bound));
      EXPECT_EQ(report.unweighted, 0u);
      EXPECT_EQ(count_unweighted(bound.weights), 0u);
      EXPECT_LE(report.max_influences, influences);
      for (std::size_t i = 0; i < bound.weights.weights.size(); ++i) {
        if (bound.weights.weights[i] > 0) {
          EXPECT_EQ(bound.skeleton.kinds[bound.weights.joints[i]], JointKind::joint);
        }
      }
    }
  }
}

TEST_P(EveryMethod, IsTheSameAtAnyThreadCount) {
  Character one = messy_character(7), two = one;
  with_threads(1, [&] { bind_character(one, quick()); });
  with_threads(2, [&] { bind_character(two, quick()); });
  EXPECT_EQ(one.weights.joints, two.weights.joints);
  EXPECT_EQ(one.weights.weights, two.weights.weights);
}

TEST_P(EveryMethod, DoesNotDependOnTheUnit) {
  Character reference = test::bar(4, 0.25, 41, 12, 3);
  bind_character(reference, quick());
  for (double factor : {0.001, 0.37, 100.0, 10000.0}) {
    Character scaled = test::bar(4, 0.25, 41, 12, 3);
    test::scale(scaled, factor);
    bind_character(scaled, quick());
    const auto a = densify(reference.weights, 4), b = densify(scaled.weights, 4);
    // Hundreds of steps of a non-convex optimiser let round-off grow; everything else is a direct solve.
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), GetParam() == "skincells" ? 2e-2 : 2e-3) << factor;
    EXPECT_LT((a - b).cwiseAbs().mean(), 2e-3) << factor;
  }
}

TEST_P(EveryMethod, GivesSeamVerticesTheSameWeights) {
  const Character whole = messy_character(3);
  Character split = test::with_seams(whole);
  bind_character(split, quick());
  std::map<std::array<float, 3>, std::size_t> first;
  for (std::size_t v = 0; v < split.mesh.vertex_count(); ++v) {
    const Vec3f& p = split.mesh.positions[v];
    const std::size_t other = first.try_emplace({p.x(), p.y(), p.z()}, v).first->second;
    for (int slot = 0; slot < split.weights.influences; ++slot) {
      ASSERT_EQ(split.weights.joints[v * 4 + slot], split.weights.joints[other * 4 + slot]);
      ASSERT_EQ(split.weights.weights[v * 4 + slot], split.weights.weights[other * 4 + slot]);
    }
  }
}

TEST_P(EveryMethod, FollowsTheNearestBoneFarFromJoints) {
  Character character = test::bar(4, 0.2, 81, 12, 2);
  bind_character(character, quick());
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const float x = character.mesh.positions[v].x();
    if (x < 1) {
      EXPECT_GT(character.weights.weight_of(v, 0), 0.9f) << x;
    }
    if (x > 3) {
      EXPECT_GT(character.weights.weight_of(v, 1), 0.9f) << x;
    }
  }
}

TEST_P(EveryMethod, AnswersPointCloudsWithWeightsOrAClearError) {
  Character character = test::bar();
  character.mesh.triangles.clear();
  try {
    bind_character(character, quick());
    EXPECT_EQ(count_unweighted(character.weights), 0u);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    EXPECT_FALSE(error.advice().empty());
    EXPECT_TRUE(character.weights.empty());
  }
}

TEST_P(EveryMethod, KeepsTheWeightsOfAttachedParts) {
  Character character = test::bar();
  const std::size_t body = character.mesh.vertex_count(), body_triangles = character.mesh.triangles.size();
  test::append(character.mesh, test::tube(0.2, 0.05, 3, 5), Vec3f(2, 1, 0));
  const std::size_t all = character.mesh.vertex_count();
  character.parts = {{"body", "", 0, body, 0, body_triangles, PartBinding::skinned},
                     {"sword", "", body, all - body, body_triangles, character.mesh.triangles.size() - body_triangles,
                      PartBinding::attached}};
  character.weights = make_skin_weights(all, 2);
  for (std::size_t v = 0; v < all; ++v) set_influences(character.weights, v, {{1, 1.0}});
  bind_character(character, quick());
  EXPECT_NO_THROW(check_character(character));
  EXPECT_GT(character.weights.weight_of(0, 0), 0.9f);
  for (std::size_t v = body; v < all; ++v) EXPECT_EQ(character.weights.weight_of(v, 1), 1.0f);
}

}  // namespace
}  // namespace sinew
