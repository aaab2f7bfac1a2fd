#include <gtest/gtest.h>

#include <cmath>

#include "apps/torch/training_data/bone_pairs.h"
#include "apps/torch/training_data/training_example.h"
#include "apps/torch/training_data/training_variants.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/error.h"
#include "tests/learn/box_figure.h"

namespace sinew {
namespace {

TEST(TrainingBodyTest, StandsInBodySpace) {
  const TrainingBody body = make_training_body(test::box_figure());
  double low = 1e9, high = -1e9;
  for (const Vec3f& p : body.mesh.positions) {
    low = std::min<double>(low, p.y());
    high = std::max<double>(high, p.y());
  }
  EXPECT_NEAR(low, 0, 1e-5);
  EXPECT_NEAR(high, 1, 1e-5);
  check_skin_weights(body.weights, body.mesh.positions.size(), body.graph.count());
  // Body coordinates of the left hand are to the left, of a foot near the ground.
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
    const JointIdentity& joint = body.identities[body.weights.joints[v * 4]];
    if (joint.role == JointRole::forearm && joint.side == BodySide::left) {
      EXPECT_GT(body.coordinates[v].x(), 0.2);
    }
    if (joint.role == JointRole::shin) {
      EXPECT_LT(body.coordinates[v].y(), 0.4);
    }
  }
}

TEST(TrainingBodyTest, AnotherPoseHasTheSameBodyCoordinates) {
  const Character character = test::box_figure();
  Random random(5);
  const Character moved = in_other_rest_pose(character, false, random);
  EXPECT_GT((moved.skeleton.position(find_joint(moved.skeleton, "LeftHand")) -
             character.skeleton.position(find_joint(character.skeleton, "LeftHand")))
                .norm(),
            0.02);
  const TrainingBody a = make_training_body(character), b = make_training_body(moved);
  double mean = 0;
  for (std::size_t v = 0; v < a.coordinates.size(); ++v) {
    mean += (a.coordinates[v] - b.coordinates[v]).norm() / static_cast<double>(a.coordinates.size());
  }
  EXPECT_LT(mean, 0.03);
}

// Every triangle cut into four; each has its own corners.
Character in_four(const Character& character) {
  Character result = character;
  result.mesh.positions.clear();
  result.mesh.triangles.clear();
  std::vector<Influence> owner;
  for (const Triangle& t : character.mesh.triangles) {
    const auto at = [&](int k) { return character.mesh.positions[t[k]]; };
    const std::array<Vec3f, 3> half = {0.5f * (at(0) + at(1)), 0.5f * (at(1) + at(2)), 0.5f * (at(2) + at(0))};
    for (const auto& corners : {std::array{at(0), half[0], half[2]}, std::array{half[0], at(1), half[1]},
                                std::array{half[2], half[1], at(2)}, std::array{half[0], half[1], half[2]}}) {
      const auto first = static_cast<std::uint32_t>(result.mesh.positions.size());
      result.mesh.triangles.push_back({first, first + 1, first + 2});
      for (const Vec3f& p : corners) {
        result.mesh.positions.push_back(p);
        owner.push_back({character.weights.joints[std::size_t{t[0]} * 4], 1.0});
      }
    }
  }
  result.weights = make_skin_weights(owner.size(), 4);
  for (std::size_t v = 0; v < owner.size(); ++v) set_influences(result.weights, v, {owner[v]});
  return result;
}

// Bones and skin grow together: where a place lies on the body stays the same.
TEST(TrainingBodyTest, OtherProportionsHaveTheSameBodyCoordinates) {
  const Character character = test::box_figure();
  const TrainingBody before = make_training_body(character);
  double changed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const TrainingBody after = make_training_body(in_other_proportions(character, random));
    double mean = 0;
    for (std::size_t v = 0; v < before.coordinates.size(); ++v) {
      mean += (before.coordinates[v] - after.coordinates[v]).norm() / static_cast<double>(before.coordinates.size());
    }
    EXPECT_LT(mean, 0.06) << seed;
    for (int j = 0; j < before.graph.count(); ++j) {
      changed = std::max(changed, (before.graph.positions[j] - after.graph.positions[j]).norm());
    }
  }
  EXPECT_GT(changed, 0.05);
}

TEST(TrainingBodyTest, AnotherMeshKeepsShapeWeightsAndCoordinates) {
  const TrainingBody before = make_training_body(in_four(in_four(in_four(test::box_figure()))));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(seed);
    TrainingBody body = before;
    change_mesh(body, random);
    const std::size_t count = body.mesh.positions.size();
    EXPECT_LT(count, before.mesh.positions.size() * 7 / 10);
    EXPECT_GE(count, 200u);
    ASSERT_EQ(body.mesh.normals.size(), count);
    ASSERT_EQ(body.coordinates.size(), count);
    check_mesh(body.mesh);
    check_skin_weights(body.weights, count, body.graph.count());
    const AABBf a = bounding_box(before.mesh), b = bounding_box(body.mesh);
    EXPECT_LT((a.min() - b.min()).norm() + (a.max() - b.max()).norm(), 0.1f);
  }
}

TEST(TrainingBodyTest, WhatIsNoPersonIsRefused) {
  Character lying = test::box_figure();
  for (Vec3f& p : lying.mesh.positions) p = Vec3f(p.x(), 0.1f * p.y(), p.z());
  Character bare = test::box_figure();
  bare.weights = {};
  EXPECT_THROW(make_training_body(lying), Error);
  EXPECT_THROW(make_training_body(bare), Error);
}

// Every lesson keeps its promises: true weights move the places to the true skin, and the chain poses the joints.
TEST(TrainingExampleTest, LessonsAreTrue) {
  TrainingBody body = make_training_body(test::box_figure());
  body.features = NetMatrix::Ones(static_cast<Eigen::Index>(body.mesh.positions.size()), 4);
  int with_weights = 0, without = 0, symmetric = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    ExampleOptions options;
    options.places = 64;
    const TrainingExample e = make_example(body, options, random);
    const int n = e.target.count();
    ASSERT_EQ(e.source.count(), n);
    ASSERT_EQ(e.turns.rows(), n);
    ASSERT_EQ(e.pairs.rows(), 64 * n);
    symmetric += !e.partners.empty();
    Eigen::VectorXf rest(3 * n);
    for (int j = 0; j < n; ++j) rest.segment<3>(3 * j) = e.target.positions[j].cast<float>();
    const Eigen::VectorXf posed = e.chain * rest;
    for (int j = 0; j < n; ++j) {
      const int parent = e.target.parents[j];
      if (parent < 0) continue;
      EXPECT_LT(parent, j);
      const double before = (e.target.positions[j] - e.target.positions[parent]).norm();
      EXPECT_NEAR((posed.segment<3>(3 * j) - posed.segment<3>(3 * parent)).norm(), before, 1e-4);
    }
    if (e.weights.size() == 0) {
      ++without;
      continue;
    }
    ++with_weights;
    for (Eigen::Index i = 0; i < e.inputs.rows(); ++i) {
      EXPECT_NEAR(e.weights.row(i).sum(), 1, 1e-4);
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      for (int j = 0; j < n; ++j) {
        const Eigen::Matrix3f turn =
            Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(e.turns.row(j).data());
        const Eigen::Vector3f p = e.inputs.row(i).head<3>().transpose();
        sum += e.weights(i, j) * (turn * (p - rest.segment<3>(3 * j)) + posed.segment<3>(3 * j));
      }
      EXPECT_LT((sum - e.posed.row(i).transpose()).norm(), 1e-4);
    }
  }
  EXPECT_GT(with_weights, 5);
  EXPECT_GT(without, 3);
  EXPECT_GT(symmetric, 5);
}

TEST(BonePairsTest, MeasureDistanceToBones) {
  NetMatrix place(1, 3);
  place << 0, 0.5, 0.2f;
  const std::vector<Bone> bones = {{0, Vec3d(0, 0, 0), Vec3d(0, 1, 0)}, {1, Vec3d(0, 0.5, 0.5), Vec3d(0, 0.5, 0.5)}};
  const NetMatrix pairs = bone_pairs(place, bones);
  EXPECT_NEAR(pairs(0, 0), 2, 1e-5);  // 10 × distance
  EXPECT_NEAR(pairs(0, 1), 0, 1e-5);  // nearest of all
  EXPECT_NEAR(pairs(0, 2), 0.5, 1e-5);
  EXPECT_NEAR(pairs(1, 0), 3, 1e-5);
  EXPECT_NEAR(pairs(1, 1), 1, 1e-5);
  EXPECT_EQ(pairs(1, 3), 1);  // a point
}

}  // namespace
}  // namespace sinew
