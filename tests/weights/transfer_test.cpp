#include <gtest/gtest.h>

#include "sinew/weight_transfer.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

// A bar with a straight blend between two bones.
Character blended_bar(int rings = 41, int sides = 24, double radius = 0.25) {
  Character character = test::bar(4, radius, rings, sides, 2);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 2);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double t = static_cast<double>(character.mesh.positions[v].x()) / 4;
    set_influences(character.weights, v, {{0, 1 - t}, {1, t}});
  }
  return character;
}

// What a blended bar has at a place.
double blend_at(const Character& character, std::size_t v) {
  return std::clamp(static_cast<double>(character.mesh.positions[v].x()) / 4, 0.0, 1.0);
}

TEST(TransferWeights, TakesTheWeightsOfTheSurfaceBelow) {
  const Character body = blended_bar();
  Character sleeve;
  sleeve.name = "sleeve";
  sleeve.mesh = test::tube(2, 0.3, 23, 17);
  for (Vec3f& p : sleeve.mesh.positions) p.x() += 1;
  const TransferReport report = transfer_weights(body, sleeve);
  test::expect_valid_skin(sleeve, 4);
  EXPECT_EQ(sleeve.skeleton.names, body.skeleton.names);
  EXPECT_EQ(report.guessed, 0u);
  EXPECT_GE(report.matched, 21u * 17);  // the rings at its ends face outwards
  EXPECT_EQ(report.joints.by_name, 2);
  for (std::size_t v = 0; v < 23u * 17; ++v) EXPECT_NEAR(sleeve.weights.weight_of(v, 1), blend_at(sleeve, v), 0.01);
}

// A vertical card stands on the bar: what is beyond reach goes on from what is near.
TEST(TransferWeights, ContinuesWhereNothingMatches) {
  const Character body = blended_bar();
  Character coat;
  coat.name = "coat";
  coat.mesh = test::tube(4, 0.27, 41, 24);
  for (Vec3f& p : coat.mesh.positions) {  // a bulge far from the body in the middle
    const float away = 1 + 6 * std::max(0.0f, 1 - std::abs(p.x() - 2));
    p = Vec3f(p.x(), p.y() * away, p.z() * away);
  }
  const TransferReport report = transfer_weights(body, coat);
  EXPECT_GT(report.inpainted, 100u);
  EXPECT_EQ(report.guessed, 0u);
  test::expect_valid_skin(coat, 4);
  for (std::size_t v = 0; v < 41u * 24; ++v) EXPECT_NEAR(coat.weights.weight_of(v, 1), blend_at(coat, v), 0.12) << v;
}

// The nearest surface of the inner side of one leg may be the other leg: normals tell.
TEST(TransferWeights, DoesNotTakeTheOtherLeg) {
  Character body;
  body.name = "legs";
  body.mesh = test::tube(4, 0.25, 41, 24);
  const std::size_t first = body.mesh.vertex_count();
  test::append(body.mesh, test::tube(4, 0.25, 41, 24), Vec3f(0, 0.56f, 0));
  add_joint(body.skeleton, "Left", -1, Affine3d::Identity());
  add_joint(body.skeleton, "Right", -1, Affine3d(Eigen::Translation3d(0, 0.56, 0)));
  body.weights = make_skin_weights(body.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) {
    set_influences(body.weights, v, {{static_cast<std::uint16_t>(v < first ? 0 : 1), 1.0}});
  }
  Character trousers;
  trousers.name = "trousers";
  trousers.mesh = test::tube(4, 0.30, 41, 24);  // of the left leg; reaches nearly to the right one
  for (Vec3f& p : trousers.mesh.positions) p = Vec3f(p.x(), p.y(), p.z());
  const TransferReport report = transfer_weights(body, trousers);
  EXPECT_GT(report.inpainted, 40u);
  for (std::size_t v = 0; v < trousers.mesh.vertex_count(); ++v) EXPECT_EQ(trousers.weights.weight_of(v, 0), 1) << v;
}

TEST(TransferWeights, GivesLoosePiecesTheClosestWeights) {
  const Character body = blended_bar();
  Character target;
  target.name = "with a lamp";
  target.mesh = body.mesh;
  const std::size_t first = target.mesh.vertex_count();
  test::append(target.mesh, test::tube(0.1, 0.05, 3, 6), Vec3f(4.5f, 1.5f, 0));
  const TransferReport report = transfer_weights(body, target);
  EXPECT_EQ(report.guessed, target.mesh.vertex_count() - first);
  for (std::size_t v = first; v < target.mesh.vertex_count(); ++v) EXPECT_EQ(target.weights.weight_of(v, 1), 1);
}

TEST(TransferWeights, FindsJointsByNameAndMovesWeightsUp) {
  const Character body = blended_bar();
  Character target;
  target.name = "coarse";
  target.mesh = test::tube(4, 0.25, 11, 8);
  add_joint(target.skeleton, "rig:bone_0", -1, body.skeleton.rest[0]);  // Bone1 is missing
  const TransferReport report = transfer_weights(body, target);
  EXPECT_EQ(report.joints.by_name, 1);
  EXPECT_EQ(report.joints.replaced, std::vector<std::string>{"Bone1"});
  ASSERT_EQ(report.change.warnings.size(), 1u);
  EXPECT_EQ(report.change.warnings[0].code, "joints-replaced");
  for (std::size_t v = 0; v < target.mesh.vertex_count(); ++v) EXPECT_EQ(target.weights.weight_of(v, 0), 1);
}

TEST(TransferWeights, KeepsInvariantsOnRandomSkinsAndSeams) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Character body = test::random_skin(seed, 6);
    Character target = test::with_seams(test::bar(4, 0.26, 33, 11, 5));
    target.weights = {};
    transfer_weights(body, target, {.max_influences = 3});
    test::expect_valid_skin(target, 3);
    test::expect_whole_seams(target);
    EXPECT_EQ(count_unweighted(target.weights), 0u);
  }
}

TEST(TransferWeights, ChangesOnlyWhatIsSelected) {
  const Character body = blended_bar();
  Character target = test::random_skin(2);
  const SkinWeights before = target.weights;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t v = 0; v < target.mesh.vertex_count(); ++v) {
    if (target.mesh.positions[v].x() > 3) chosen.push_back(v);
  }
  transfer_weights(body, target, {.selection = {.vertices = chosen}});
  for (std::size_t v = 0; v < target.mesh.vertex_count(); ++v) {
    if (target.mesh.positions[v].x() > 3) continue;
    for (int slot = 0; slot < 4; ++slot) EXPECT_EQ(target.weights.weights[4 * v + slot], before.weights[4 * v + slot]);
  }
}

TEST(TransferWeights, GivesTheSameBitsAtAnyThreadCount) {
  const Character body = test::random_skin(1, 4);
  Character one = test::bar(4, 0.3, 33, 11, 5), two = one;
  transfer_weights(body, one, {.threads = 1});
  transfer_weights(body, two, {.threads = 2});
  EXPECT_TRUE(test::same_weights(one.weights, two.weights));
}

TEST(TransferWeights, RefusesWhatCannotBe) {
  const Character body = blended_bar();
  Character far = test::bar();
  for (Vec3f& p : far.mesh.positions) p.y() += 100;
  EXPECT_THROW(transfer_weights(body, far), Error);
  EXPECT_TRUE(far.weights.empty());
  Character target = test::bar();
  EXPECT_THROW(transfer_weights(target, far), Error) << "no weights";
  EXPECT_THROW(transfer_weights(body, target, {.max_angle = 200}), Error);
  Character other;
  other.mesh = body.mesh;
  add_joint(other.skeleton, "Tail", -1, Affine3d::Identity());
  EXPECT_THROW(transfer_weights(body, other), Error);
  Character empty;
  EXPECT_THROW(transfer_weights(body, empty), Error);
}

}  // namespace
}  // namespace sinew
