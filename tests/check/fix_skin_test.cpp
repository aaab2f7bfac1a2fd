#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/builtin/builtin_character.h"
#include "sinew/check/repairs.h"
#include "sinew/fix.h"
#include "sinew/io.h"
#include "tests/support/damage.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

Character person_to_break() {
  BuiltinOptions options;
  options.vertex_budget = 4000;
  return make_builtin_character(options);
}

Character blended_bar() {
  Character bar = test::bar(4, 0.25, 81, 16, 2);
  bar.weights = make_skin_weights(bar.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < bar.mesh.vertex_count(); ++vertex) {
    const double t = std::clamp((bar.mesh.positions[vertex].x() - 1.8) / 0.4, 0.0, 1.0);
    set_influences(bar.weights, vertex, {{0, 1 - t}, {1, t}});
  }
  return bar;
}

double largest_difference(const SkinWeights& a, const SkinWeights& b, int joints) {
  double worst = 0;
  for (std::size_t vertex = 0; vertex < a.vertex_count(); ++vertex) {
    for (int joint = 0; joint < joints; ++joint)
      worst = std::max<double>(worst, std::abs(a.weight_of(vertex, joint) - b.weight_of(vertex, joint)));
  }
  return worst;
}

TEST(FixSkin, ASpikeGetsTheWeightsAroundIt) {
  const Character good = blended_bar();
  Character bar = good;
  set_influences(bar.weights, 163, {{1, 1.0}});
  const FixReport report = fix_skin(bar);
  ASSERT_EQ(report.repairs.size(), 1u);
  EXPECT_EQ(report.repairs[0].outcome, RepairOutcome::repaired);
  EXPECT_EQ(report.repairs[0].vertices, std::vector<std::uint32_t>{163});
  EXPECT_TRUE(report.after.findings.empty());
  EXPECT_LT(largest_difference(bar.weights, good.weights, 2), 1e-5);
}

TEST(FixSkin, ASpikeThatKeepsSomeOfItsWeightsGetsThemBackExactly) {
  const Character good = person_to_break();
  Character person = good;
  const int hand = find_joint(good.skeleton, "LeftHand"), knee = find_joint(good.skeleton, "RightLeg");
  const CheckedSkin skin = make_checked_skin(good);
  std::uint32_t spike = 0;
  double nearest = 1e300;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const double distance = (skin.position(vertex) - good.skeleton.position(knee)).norm();
    if (distance < nearest) nearest = distance, spike = vertex;
  }
  WeightList list = weights_of(skin, spike);
  for (Influence& entry : list) entry.weight *= 0.3;
  list.push_back({static_cast<std::uint16_t>(hand), 0.7});
  for (const std::uint32_t copy : skin.copies[spike]) set_influences(person.weights, copy, list);
  EXPECT_EQ(fix_skin(person).after.findings.size(), 0u);
  EXPECT_LT(largest_difference(person.weights, good.weights, good.skeleton.joint_count()), 1e-4);
}

TEST(FixSkin, AFillIsTheGuideWhereTheWeightsAroundAreTheGuides) {
  const Character good = person_to_break();
  const CheckedSkin whole = make_checked_skin(good);
  std::vector<std::uint32_t> region;
  for (std::uint32_t vertex = 0; vertex < 400; ++vertex) region.push_back(vertex);
  const Cure cure = fill(whole, region, false, &whole.weights);
  ASSERT_FALSE(cure.weights.empty());
  for (const auto& [vertex, list] : cure.weights)
    EXPECT_LT(magnitude(difference(list, weights_of(whole, vertex))), 0.02) << vertex;
}

TEST(FixSkin, TheFaintRestOfSmearedWeightsGoes) {
  const Character good = person_to_break();
  const auto damage = test::damage_skin(good, test::DamageKind::many_influences, 2);
  ASSERT_TRUE(damage);
  Character person = good;
  person.weights = damage->weights;
  const double smeared = largest_difference(person.weights, good.weights, good.skeleton.joint_count());
  fix_skin(person);
  EXPECT_LT(largest_difference(person.weights, good.weights, good.skeleton.joint_count()), 0.4 * smeared);
}

TEST(FixSkin, VerticesWithoutWeightGetThoseAround) {
  const Character good = blended_bar();
  Character bar = good;
  for (std::uint32_t vertex = 16 * 40 + 2; vertex < 16 * 40 + 6; ++vertex) {
    for (int slot = 0; slot < 4; ++slot)
      bar.weights.weights[vertex * 4 + slot] = 0, bar.weights.joints[vertex * 4 + slot] = 0;
  }
  fix_skin(bar);
  EXPECT_EQ(count_unweighted(bar.weights), 0u);
  EXPECT_LT(largest_difference(bar.weights, good.weights, 2), 0.1);
}

TEST(FixSkin, ABlendThatBledIsUndoneExactly) {
  const Character good = person_to_break();
  const auto damage = test::damage_skin(good, test::DamageKind::bleed, 2);
  ASSERT_TRUE(damage);
  Character person = good;
  person.weights = damage->weights;
  const double broken = largest_difference(person.weights, good.weights, good.skeleton.joint_count());
  const FixReport report = fix_skin(person);
  EXPECT_LT(report.after.findings.size(), report.before.findings.size());
  EXPECT_LT(largest_difference(person.weights, good.weights, good.skeleton.joint_count()), 0.5 * broken);
}

TEST(FixSkin, WhatIsNotRepairedKeepsItsBits) {
  for (const test::DamageKind kind : {test::DamageKind::island, test::DamageKind::noise, test::DamageKind::spikes}) {
    Character person = person_to_break();
    const auto damage = test::damage_skin(person, kind, 4);
    if (!damage) continue;
    person.weights = damage->weights;
    const FixReport report = fix_skin(person);
    const SkinWeights before = with_influences(damage->weights, person.weights.influences);
    const std::size_t slots = static_cast<std::size_t>(before.influences);
    for (std::uint32_t vertex = 0; vertex < before.vertex_count(); ++vertex) {
      const bool repaired = std::any_of(report.repairs.begin(), report.repairs.end(), [&](const Repair& repair) {
        return std::binary_search(repair.vertices.begin(), repair.vertices.end(), vertex);
      });
      if (repaired) continue;
      for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots; ++slot) {
        ASSERT_EQ(before.weights[slot], person.weights.weights[slot]);
        ASSERT_EQ(before.joints[slot], person.weights.joints[slot]);
      }
    }
    check_skin_weights(person.weights, person.mesh.vertex_count(), person.skeleton.joint_count(), true);
  }
}

TEST(FixSkin, NeverLeavesMoreThanItFound) {
  const Character good = person_to_break();
  for (const test::DamageKind kind : test::all_damage_kinds()) {
    const auto damage = test::damage_skin(good, kind, 6);
    if (!damage) continue;
    Character person = good;
    person.weights = damage->weights;
    const FixReport report = fix_skin(person);
    double before = 0, after = 0;
    for (const Finding& finding : report.before.findings) before = std::max(before, finding.severity);
    for (const Finding& finding : report.after.findings) after = std::max(after, finding.severity);
    EXPECT_LE(after, before * 1.02 + 1e-4) << test::damage_name(kind);
  }
}

TEST(FixSkin, OnlyWhatIsAskedFor) {
  Character bar = blended_bar();
  set_influences(bar.weights, 163, {{1, 1.0}});
  const SkinWeights before = bar.weights;
  const FixReport report = fix_skin(bar, {.check = {.kinds = {FindingKind::bleed}}});
  EXPECT_TRUE(report.repairs.empty());
  EXPECT_EQ(bar.weights.weights, before.weights);
  EXPECT_EQ(nlohmann::json::parse(fix_json(bar, report))["findings_after"], 1);
}

TEST(FixSkin, RefusesBadOptionsAndKeepsTheCharacter) {
  Character bar = blended_bar();
  EXPECT_THROW(fix_skin(bar, {.max_repairs = 0}), Error);
  std::atomic<bool> stop{true};
  const SkinWeights before = bar.weights;
  EXPECT_THROW(fix_skin(bar, {}, Progress({}, &stop)), Error);
  EXPECT_EQ(bar.weights.weights, before.weights);
}

TEST(FixSkin, OutcomesHaveNames) {
  EXPECT_EQ(repair_outcome_name(RepairOutcome::repaired), "repaired");
  EXPECT_EQ(repair_outcome_name(RepairOutcome::improved), "improved");
  EXPECT_EQ(repair_outcome_name(RepairOutcome::left_alone), "left-alone");
}

}  // namespace
}  // namespace sinew
