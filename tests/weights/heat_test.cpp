#include "sinew/weights/heat/heat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/bind.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Far from its ends a tube of radius r with two bones on its axis is one-dimensional: w'' = c (w − p) / r², so
// w = 1 − ½ exp(−√c x / r) beyond the joint.
TEST(Heat, IsTheKnownExponentialOnATube) {
  const double radius = 0.25, joint = 2.0;
  Character character = test::bar(4, radius, 161, 24, 2);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  for (double strength : {0.3, 1.0, 4.0}) {
    const SkinWeights weights = heat_weights(input, {strength}, {}, warnings);
    double worst = 0;
    for (std::size_t v = 0; v < input.vertex_count(); ++v) {
      const double x = input.mesh.positions[v].x() * input.scale + input.centre.x() - joint;
      if (std::abs(x) > 1.2) continue;
      const double decay = 0.5 * std::exp(-std::sqrt(strength) * std::abs(x) / radius);
      worst = std::max(worst, std::abs(weights.weight_of(v, 1) - (x > 0 ? 1 - decay : decay)));
    }
    EXPECT_LT(worst, 0.02) << strength;
  }
}

TEST(Heat, DoesNotLookThroughOwnSurface) {
  // Two parallel fingers of one U-shaped piece: the vertices between them are nearer to the other finger's bone than
  // fingers are thick, but must not follow it.
  Character character = test::bar(4, 0.3, 81, 16, 1);
  TriangleMesh other = test::tube(4, 0.3, 81, 16);
  const auto first = static_cast<std::uint32_t>(character.mesh.positions.size());
  test::append(character.mesh, other, Vec3f(0, 0.65f, 0));
  character.mesh.triangles.push_back({0, 1, first});  // joined at one end
  Affine3d rest = Affine3d::Identity();
  rest.translation() = Vec3d(0.04, 0.65, 0);
  const int joint = add_joint(character.skeleton, "Second", -1, rest);
  rest.translation() = Vec3d(3.9, 0.65, 0);
  add_joint(character.skeleton, "Second_End", joint, rest, JointKind::end);
  bind_character(character, {.method = "heat"});
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (character.mesh.positions[v].x() < 1) continue;
    EXPECT_GT(character.weights.weight_of(v, v < first ? 0 : joint), 0.99f) << v;
  }
}

TEST(Heat, SumsToOneBeforeNormalising) {
  // With four or fewer joints nothing is cut, so equal mixtures at the joint prove that no heat leaks away.
  Character character = test::bar(4, 0.25, 81, 16, 2);
  bind_character(character, {.method = "heat"});
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (std::abs(character.mesh.positions[v].x() - 2.0f) < 1e-4f) {
      EXPECT_NEAR(character.weights.weight_of(v, 0), 0.5, 0.03);
    }
  }
}

TEST(Heat, SpreadsOverATriangleSoup) {
  // Every triangle on its own and moved a little: weights must still pass smoothly from bone to bone.
  Character soup = test::with_seams(test::bar(4, 0.25, 81, 16, 2));
  Random random(4);
  for (std::size_t t = 0; t < soup.mesh.triangles.size(); ++t) {
    const Vec3f shift = 0.004f * Vec3d(random.normal(), random.normal(), random.normal()).cast<float>();
    for (int corner = 0; corner < 3; ++corner) soup.mesh.positions[3 * t + corner] += shift;
  }
  bind_character(soup, {.method = "heat"});
  for (std::size_t v = 0; v < soup.mesh.vertex_count(); ++v) {
    const double x = soup.mesh.positions[v].x() - 2.0;
    if (std::abs(x) > 1.0) continue;
    const double decay = 0.5 * std::exp(-std::sqrt(5.0) * std::abs(x) / 0.25);
    EXPECT_NEAR(soup.weights.weight_of(v, 1), x > 0 ? 1 - decay : decay, 0.2);
  }
}

TEST(Heat, SmallPiecesMoveAsOne) {
  Character character = test::bar(4, 0.25, 41, 12, 4);
  const std::size_t body = character.mesh.vertex_count();
  test::append(character.mesh, test::tube(0.1, 0.05, 3, 6), Vec3f(2.0f, 0.5f, 0));  // a bolt right above a joint
  bind_character(character, {.method = "heat"});
  for (std::size_t v = body; v < character.mesh.vertex_count(); ++v) {
    EXPECT_EQ(character.weights.weights[4 * v], 1.0f);
    EXPECT_EQ(character.weights.joints[4 * v], character.weights.joints[4 * body]);
  }
}

// A button beside the elbow moves with the cloth under it, not with one bone alone.
TEST(Heat, SmallPiecesFollowWhatTheyLieOn) {
  Character character = test::bar();
  const std::size_t skin = character.mesh.vertex_count();
  test::append(character.mesh, test::tube(0.06, 0.02, 3, 6), Vec3f(2.05f, 0, 0.26f));
  bind_character(character, {.method = "heat"});
  const std::vector<Vec3f>& positions = character.mesh.positions;
  for (std::size_t v = skin; v < positions.size(); ++v) {
    std::size_t below = 0;
    for (std::size_t s = 0; s < skin; ++s) {
      if ((positions[s] - positions[v]).norm() < (positions[below] - positions[v]).norm()) below = s;
    }
    EXPECT_NEAR(character.weights.weight_of(v, 1), character.weights.weight_of(below, 1), 0.1);
    EXPECT_LT(character.weights.weight_of(v, 1), 0.95);
  }
}

TEST(Heat, FlatPiecesHaveNoSide) {
  // The same card of hair with both windings, and shifted by a hair's breadth: one answer.
  std::vector<SkinWeights> answers;
  for (int variant = 0; variant < 3; ++variant) {
    Character character = test::bar(4, 0.25, 41, 12, 4);
    const auto first = static_cast<std::uint32_t>(character.mesh.vertex_count());
    for (float x : {0.5f, 3.5f}) {
      for (float y : {0.4f, 0.8f}) character.mesh.positions.push_back(Vec3f(x, y, variant == 2 ? 1e-6f : 0.0f));
    }
    character.mesh.triangles.push_back({first, first + 1, first + 2});
    character.mesh.triangles.push_back({first + 1, first + 3, first + 2});
    if (variant == 1) {
      for (std::size_t t = character.mesh.triangles.size() - 2; t < character.mesh.triangles.size(); ++t) {
        std::swap(character.mesh.triangles[t][0], character.mesh.triangles[t][1]);
      }
    }
    bind_character(character, {.method = "heat"});
    answers.push_back(character.weights);
  }
  for (const SkinWeights& answer : answers) {
    EXPECT_LT((densify(answer, 5) - densify(answers[0], 5)).cwiseAbs().maxCoeff(), 1e-3);
  }
}

TEST(Heat, OnACloudIsNearToHeatOnItsMesh) {
  Character mesh = test::bar(4, 0.25, 81, 24, 4);
  Character cloud = mesh;
  cloud.mesh.triangles.clear();
  cloud.mesh.normals.clear();
  bind_character(mesh, {.method = "heat"});
  bind_character(cloud, {.method = "heat"});
  const Eigen::MatrixXd difference = densify(mesh.weights, 5) - densify(cloud.weights, 5);
  EXPECT_LT(difference.cwiseAbs().rowwise().sum().mean(), 0.05);
}

}  // namespace
}  // namespace sinew
