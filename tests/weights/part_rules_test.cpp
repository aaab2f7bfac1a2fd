// What a person decides about parts: by name, material or piece.
#include "sinew/weights/part_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Two bars beside each other, of one part each; the second's skin starts where the first's ends.
Character two_bars() {
  Character bar = test::bar(4, 0.25, 21, 8, 3);
  const auto vertices = static_cast<std::uint32_t>(bar.mesh.vertex_count());
  const std::size_t triangles = bar.mesh.triangles.size();
  for (std::uint32_t v = 0; v < vertices; ++v) {
    bar.mesh.positions.push_back(bar.mesh.positions[v] + Vec3f(0, 0, 0.8f));
    if (!bar.mesh.normals.empty()) bar.mesh.normals.push_back(bar.mesh.normals[v]);
    if (!bar.mesh.uvs.empty()) bar.mesh.uvs.push_back(bar.mesh.uvs[v]);
  }
  for (std::size_t t = 0; t < triangles; ++t) {
    const Triangle& from = bar.mesh.triangles[t];
    bar.mesh.triangles.push_back({from[0] + vertices, from[1] + vertices, from[2] + vertices});
  }
  bar.parts = {{"Body", "Skin", 0, vertices, 0, triangles, PartBinding::fixed},
               {"Sword", "Steel", vertices, vertices, triangles, triangles, PartBinding::fixed}};
  bar.weights = {};
  return bar;
}

BindReport bind_with(Character& character, const std::vector<PartRule>& rules) {
  return bind_character(character, {.method = "heat", .parts = rules});
}

bool is_rigid(const Character& character, const Part& part, int joint) {
  for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    if (character.weights.weight_of(v, joint) != 1) return false;
  }
  return true;
}

TEST(PartRules, RigidByNameMaterialPatternAndPiece) {
  for (const char* name : {"Sword", "Steel", "Sw*d", "#2"}) {
    Character character = two_bars();
    bind_with(character, {{PartRuleKind::rigid, name, character.skeleton.names[1]}});
    EXPECT_TRUE(is_rigid(character, character.parts[1], 1)) << name;
    EXPECT_FALSE(is_rigid(character, character.parts[0], 1)) << name;
    EXPECT_EQ(character.parts[1].binding, PartBinding::skinned);
  }
}

TEST(PartRules, RigidWithoutAJointTakesTheStrongest) {
  Character free = two_bars(), held = two_bars();
  bind_with(free, {});
  std::vector<double> sum(free.skeleton.joint_count(), 0.0);
  for (std::size_t v = free.parts[1].first_vertex; v < free.mesh.vertex_count(); ++v) {
    for (int joint = 0; joint < free.skeleton.joint_count(); ++joint) sum[joint] += free.weights.weight_of(v, joint);
  }
  bind_with(held, {{PartRuleKind::rigid, "Sword", ""}});
  EXPECT_TRUE(is_rigid(held, held.parts[1], static_cast<int>(std::max_element(sum.begin(), sum.end()) - sum.begin())));
}

TEST(PartRules, WhatIsLeftOutDoesNotChangeTheRest) {
  Character alone = test::bar(4, 0.25, 21, 8, 3);
  alone.weights = {};
  bind_character(alone, {.method = "heat"});
  for (const PartRuleKind kind : {PartRuleKind::attach, PartRuleKind::ignore}) {
    Character character = two_bars();
    const bool attached = kind == PartRuleKind::attach;
    const BindReport report = bind_with(character, {{kind, "Sword", attached ? character.skeleton.names[2] : ""}});
    EXPECT_EQ(report.vertices, alone.mesh.vertex_count());
    for (std::size_t v = 0; v < alone.mesh.vertex_count(); ++v) {
      for (int joint = 0; joint < alone.skeleton.joint_count(); ++joint) {
        ASSERT_EQ(character.weights.weight_of(v, joint), alone.weights.weight_of(v, joint));
      }
    }
    EXPECT_EQ(character.parts[0].binding, PartBinding::skinned);
    EXPECT_EQ(character.parts[1].binding, attached ? PartBinding::attached : PartBinding::fixed);
    EXPECT_EQ(is_rigid(character, character.parts[1], 2), attached);
    EXPECT_NO_THROW(check_character(character));
  }
}

TEST(PartRules, KeptWeightsStay) {
  Character character = two_bars();
  bind_with(character, {});
  const Character before = character;
  bind_character(character, {.method = "proximity", .parts = {{PartRuleKind::keep, "Sword"}}});
  bool same_body = true;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const bool sword = v >= character.parts[1].first_vertex;
    for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
      const float difference = std::abs(character.weights.weight_of(v, joint) - before.weights.weight_of(v, joint));
      if (sword) {
        ASSERT_LT(difference, 1e-6f);
      } else {
        same_body &= difference < 1e-3f;
      }
    }
  }
  EXPECT_FALSE(same_body) << "the other part was bound again";
}

TEST(PartRules, CopiesAlongASeamFollow) {
  // One closed bar in two parts: the parts share the places of a ring of vertices.
  Character bar = test::bar(4, 0.25, 21, 8, 3);
  bar.weights = {};
  const auto vertices = static_cast<std::uint32_t>(bar.mesh.vertex_count());
  const std::size_t half = bar.mesh.triangles.size() / 2;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    bar.mesh.positions.push_back(bar.mesh.positions[v]);
    if (!bar.mesh.normals.empty()) bar.mesh.normals.push_back(bar.mesh.normals[v]);
    if (!bar.mesh.uvs.empty()) bar.mesh.uvs.push_back(bar.mesh.uvs[v]);
  }
  for (std::size_t t = half; t < bar.mesh.triangles.size(); ++t) {
    for (std::uint32_t& corner : bar.mesh.triangles[t]) corner += vertices;
  }
  bar.parts = {{"A", "", 0, vertices, 0, half, PartBinding::fixed},
               {"B", "", vertices, vertices, half, bar.mesh.triangles.size() - half, PartBinding::fixed}};
  bind_with(bar, {{PartRuleKind::rigid, "B", bar.skeleton.names[0]}});
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for (int joint = 0; joint < bar.skeleton.joint_count(); ++joint) {
      ASSERT_EQ(bar.weights.weight_of(v, joint), bar.weights.weight_of(v + vertices, joint));
    }
  }
}

TEST(PartRules, ALaterRuleOverrulesAnEarlierOne) {
  Character character = two_bars();
  bind_with(character, {{PartRuleKind::rigid, "*", character.skeleton.names[0]},
                        {PartRuleKind::rigid, "Sword", character.skeleton.names[2]}});
  EXPECT_TRUE(is_rigid(character, character.parts[0], 0));
  EXPECT_TRUE(is_rigid(character, character.parts[1], 2));
}

TEST(PartRules, RefusesWhatDoesNotExistAndChangesNothing) {
  const std::string joint = two_bars().skeleton.names[0];
  const std::vector<PartRule> wrong = {{PartRuleKind::rigid, "Shield", joint}, {PartRuleKind::rigid, "Sword", "Nose"},
                                       {PartRuleKind::attach, "Sword", ""},    {PartRuleKind::ignore, "Sword", joint},
                                       {PartRuleKind::attach, "#2", joint},    {PartRuleKind::ignore, "#1", ""},
                                       {PartRuleKind::rigid, "#3", joint},     {PartRuleKind::rigid, "#0", joint},
                                       {PartRuleKind::keep, "Sword", ""}};
  for (const PartRule& rule : wrong) {
    Character character = two_bars();
    EXPECT_THROW(bind_with(character, {rule}), Error) << rule.part;
    EXPECT_TRUE(character.weights.empty());
    EXPECT_EQ(character.parts[1].binding, PartBinding::fixed);
  }
  Character character = two_bars();
  EXPECT_THROW(bind_with(character, {{PartRuleKind::ignore, "*", ""}}), Error) << "nothing is left";
}

}  // namespace
}  // namespace sinew
