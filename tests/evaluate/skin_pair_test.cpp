#include "sinew/evaluate/skin_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/weight_comparison.h"
#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;
using test::bent;

// The same character with its vertices in another order.
Character shuffled(const Character& character, std::uint64_t seed) {
  const std::size_t count = character.mesh.vertex_count();
  std::vector<std::uint32_t> new_index(count);
  std::iota(new_index.begin(), new_index.end(), 0u);
  Random random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(new_index[i - 1], new_index[random.below(i)]);
  Character result = character;
  const int influences = character.weights.influences;
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    const std::size_t to = new_index[vertex];
    result.mesh.positions[to] = character.mesh.positions[vertex];
    if (!character.mesh.normals.empty()) result.mesh.normals[to] = character.mesh.normals[vertex];
    for (int slot = 0; slot < influences; ++slot) {
      result.weights.joints[to * influences + slot] = character.weights.joints[vertex * influences + slot];
      result.weights.weights[to * influences + slot] = character.weights.weights[vertex * influences + slot];
    }
  }
  for (Triangle& triangle : result.mesh.triangles) {
    for (std::uint32_t& corner : triangle) corner = new_index[corner];
  }
  return result;
}

TEST(SkinPair, NamesAreNormalised) {
  EXPECT_EQ(normalised_joint_name("mixamorig:Left_Arm"), "leftarm");
  EXPECT_EQ(normalised_joint_name("mixamorig1:LeftArm"), "leftarm");
  EXPECT_EQ(normalised_joint_name("mixamorig_LeftArm"), "leftarm");
  EXPECT_EQ(normalised_joint_name("rig|left.arm"), "leftarm");
  EXPECT_EQ(normalised_joint_name("Bip01 L UpperArm"), "bip01lupperarm");
  EXPECT_EQ(normalised_joint_name("odd:"), "odd");
  EXPECT_EQ(normalised_joint_name(""), "");
}

TEST(SkinPair, ExactNamesComeFirstAndNoJointIsUsedTwice) {
  Skeleton a, b;
  for (const char* name : {"Arm", "arm", "leg", "leg"}) add_joint(a, name, -1, Affine3d::Identity());
  for (const char* name : {"arm", "ARM", "leg", "tail"}) add_joint(b, name, -1, Affine3d::Identity());
  const JointMatch match = match_joints(a, b);
  EXPECT_EQ(match.truth_of, (std::vector<int>{1, 0, 2, -1}));
  EXPECT_EQ(match.exact, 2);
  EXPECT_EQ(match.normalised, 1);
}

TEST(SkinPair, OrderAndNamesDoNotMatter) {
  const Character truth = bar(21, 0.5);
  Character candidate = bar(21, 1.2);
  const std::vector<Pose> poses = {bent(truth.skeleton, 70), bent(truth.skeleton, -30)};
  const SkinPair plain = pair_skins(candidate, truth);
  EXPECT_TRUE(plain.vertices.same_order);

  candidate = shuffled(candidate, 5);
  candidate.skeleton.names = {"mixamorig:Root", "BEND"};
  const SkinPair changed = pair_skins(candidate, truth);
  EXPECT_FALSE(changed.vertices.same_order);
  EXPECT_EQ(changed.vertices.on_vertex, truth.mesh.vertex_count());
  EXPECT_EQ(changed.joints.normalised, 2);

  const WeightComparison a = compare_weights(plain), b = compare_weights(changed);
  EXPECT_GT(a.l1, 0.05);
  EXPECT_DOUBLE_EQ(a.l1, b.l1);
  EXPECT_DOUBLE_EQ(a.precision, b.precision);
  EXPECT_DOUBLE_EQ(a.recall, b.recall);
  EXPECT_DOUBLE_EQ(a.dominant, b.dominant);
  const DeformationComparison c = compare_deformation(plain, poses), d = compare_deformation(changed, poses);
  EXPECT_GT(c.ade, 1e-3);
  // The matched weights have more slots, and skinning adds in float.
  EXPECT_NEAR(c.ade, d.ade, 1e-8);
  EXPECT_NEAR(c.mde, d.mde, 1e-8);
  EXPECT_NEAR(c.els, d.els, 1e-8);
  EXPECT_NEAR(c.chamfer, d.chamfer, 1e-8);
}

TEST(SkinPair, AFinerMeshTakesInterpolatedWeights) {
  // A ramp is linear between rings, so interpolating on triangles is exact where the rings do not straddle its ends.
  const SkinPair pair = pair_skins(bar(11, 2.0), bar(101, 2.0));
  EXPECT_FALSE(pair.vertices.same_order);
  EXPECT_GT(pair.vertices.on_surface, pair.vertices.on_vertex);
  EXPECT_LT(pair.vertices.max_distance, 1e-6);
  EXPECT_LT(compare_weights(pair).l1_max, 1e-5);
  EXPECT_TRUE(pair.warnings.empty());
}

TEST(SkinPair, CoincidentVerticesAreToldApartByTheirNormals) {
  Character truth = bar(5, 0.5);
  const std::size_t count = truth.mesh.vertex_count();
  truth.mesh.normals.assign(count, Vec3f::UnitY());
  // A second, inner shell at the same place that belongs wholly to the root.
  Character inner = truth;
  truth.mesh.positions.insert(truth.mesh.positions.end(), inner.mesh.positions.begin(), inner.mesh.positions.end());
  truth.mesh.normals.insert(truth.mesh.normals.end(), count, -Vec3f::UnitY());
  SkinWeights weights = make_skin_weights(2 * count, 4);
  std::copy(inner.weights.joints.begin(), inner.weights.joints.end(), weights.joints.begin());
  std::copy(inner.weights.weights.begin(), inner.weights.weights.end(), weights.weights.begin());
  for (std::size_t vertex = count; vertex < 2 * count; ++vertex) set_influences(weights, vertex, {{0, 1.0}});
  truth.weights = weights;
  EXPECT_EQ(compare_weights(pair_skins(shuffled(truth, 9), truth)).l1, 0.0);
}

TEST(SkinPair, OnlySkinnedPartsCount) {
  Character truth = bar(5);
  const std::size_t count = truth.mesh.vertex_count(), triangles = truth.mesh.triangles.size();
  truth.parts = {{"body", "", 0, count, 0, triangles, PartBinding::skinned},
                 {"sword", "", count, 3, triangles, 1, PartBinding::attached}};
  for (int corner = 0; corner < 3; ++corner) truth.mesh.positions.push_back(Vec3f(50, 0.1f * corner, 0));
  const auto first = static_cast<std::uint32_t>(count);
  truth.mesh.triangles.push_back({first, first + 1, first + 2});
  truth.weights.joints.resize(4 * (count + 3));
  truth.weights.weights.resize(4 * (count + 3));
  check_character(truth);
  const SkinnedSurface surface = skinned_surface(truth);
  EXPECT_EQ(surface.mesh.vertex_count(), count);
  EXPECT_EQ(surface.mesh.triangles.size(), triangles);
  EXPECT_EQ(surface.left_out, 3u);
  const SkinPair pair = pair_skins(bar(5), truth);
  EXPECT_TRUE(pair.vertices.same_order);
  EXPECT_NEAR(pair.diagonal, std::sqrt(4.0 + 0.04 + 0.04), 1e-6);
  ASSERT_EQ(pair.warnings.size(), 1u);
  EXPECT_EQ(pair.warnings[0].code, "parts-left-out");
}

TEST(SkinPair, BadInputIsRefused) {
  const auto kind_of = [](const Character& candidate, const Character& truth) {
    try {
      pair_skins(candidate, truth);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::failed;
  };
  Character renamed = bar();
  renamed.skeleton.names = {"a", "b"};
  EXPECT_EQ(kind_of(renamed, bar()), ErrorKind::bad_input);
  Character bare = bar();
  bare.weights = {};
  EXPECT_EQ(kind_of(bare, bar()), ErrorKind::bad_input);
  EXPECT_EQ(kind_of(bar(), bare), ErrorKind::bad_input);
  Character centimetres = bar();
  for (Vec3f& position : centimetres.mesh.positions) position *= 100;
  EXPECT_EQ(kind_of(centimetres, bar()), ErrorKind::bad_input);
  Character point = bar();
  for (Vec3f& position : point.mesh.positions) position.setZero();
  EXPECT_EQ(kind_of(bar(), point), ErrorKind::bad_input);
}

}  // namespace
}  // namespace sinew
