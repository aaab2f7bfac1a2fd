#include "sinew/recognise.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <set>

#include "sinew/fit/recogniser.h"
#include "tests/fit/creature_shapes.h"

namespace sinew {
namespace {

void expect_whole(const RecognisedBody& body) {
  double sum = 0;
  for (const double likely : body.probabilities) {
    EXPECT_GE(likely, 0);
    sum += likely;
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(body.probability_of(body.kind), *std::max_element(body.probabilities.begin(), body.probabilities.end()));
  Mat3d axes;
  axes << body.frame.left, body.frame.up, body.frame.forward;
  EXPECT_LT((axes.transpose() * axes - Mat3d::Identity()).norm(), 1e-9);
  EXPECT_GT(axes.determinant(), 0.99);
  for (const double share : {body.up_probability, body.forward_probability, body.symmetry, body.pose_probability}) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
  }
  EXPECT_EQ(body.pose.has_value(), body.kind == CreatureKind::person);
}

TriangleMesh turned(TriangleMesh mesh, const Mat3d& turn) {
  for (Vec3f& p : mesh.positions) p = (turn * p.cast<double>()).cast<float>();
  return mesh;
}

TEST(Recognise, KnowsAPersonASnakeAndASpider) {
  for (const auto& [mesh, kind] :
       {std::pair{test::person(), CreatureKind::person}, std::pair{test::snake(), CreatureKind::snake},
        std::pair{test::spider(), CreatureKind::many_legs}}) {
    const RecognisedBody body = recognise_body(mesh);
    expect_whole(body);
    EXPECT_EQ(kind_name(body.kind), kind_name(kind));
  }
}

TEST(Recognise, APersonFacesForwardInATPose) {
  const RecognisedBody body = recognise_body(test::person());
  EXPECT_GT(body.frame.up.y(), 0.99);
  EXPECT_GT(body.frame.forward.z(), 0.99);
  EXPECT_GT(body.frame.left.x(), 0.99);
  EXPECT_GT(body.symmetry, 0.9);
  EXPECT_NEAR(body.mirror_point.x(), 0, 0.05);
  ASSERT_TRUE(body.pose.has_value());
  EXPECT_EQ(pose_name(*body.pose), "T");
}

TEST(Recognise, SizeAndPlaceDoNotMatter) {
  TriangleMesh mesh = test::person();
  const RecognisedBody one = recognise_body(mesh);
  for (Vec3f& p : mesh.positions) p = 8 * p + Vec3f(16, -4, 32);
  const RecognisedBody other = recognise_body(mesh);
  EXPECT_EQ(one.kind, other.kind);
  EXPECT_EQ(one.frame.up, other.frame.up);
  EXPECT_NEAR(one.probability_of(one.kind), other.probability_of(one.kind), 0.1);
}

TEST(Recognise, FollowsABodyThatLies) {
  const Mat3d lay = Eigen::AngleAxisd(std::acos(0.0), Vec3d::UnitX()).toRotationMatrix();  // y up becomes z up
  const RecognisedBody body = recognise_body(turned(test::person(), lay));
  expect_whole(body);
  EXPECT_GT(body.frame.up.z(), 0.99);
  EXPECT_EQ(body.kind, CreatureKind::person);
}

TEST(Recognise, WhatIsToldIsObeyed) {
  const TriangleMesh mesh = test::person();
  RecogniseOptions options;
  options.up = Vec3d(0, 0, 2);
  options.forward = Vec3d(0, -3, 0.5);
  const RecognisedBody body = recognise_body(mesh, options);
  expect_whole(body);
  EXPECT_GT(body.frame.up.z(), 0.999999);
  EXPECT_GT(body.frame.forward.dot(-Vec3d::UnitY()), 0.999999);
  EXPECT_EQ(body.up_probability, 1);
  EXPECT_EQ(body.forward_probability, 1);
}

TEST(Recognise, SameBitsAtAnyThreadCount) {
  const TriangleMesh mesh = test::spider();
  const RecognisedBody one = recognise_body(mesh, {.threads = 1});
  const RecognisedBody all = recognise_body(mesh, {.threads = 3});
  EXPECT_EQ(one.probabilities, all.probabilities);
  EXPECT_EQ(one.frame.forward, all.frame.forward);
  EXPECT_EQ(one.up_probability, all.up_probability);
  EXPECT_EQ(one.symmetry, all.symmetry);
}

TEST(Recognise, SoupsCloudsAndSheetsHaveAnAnswer) {
  const TriangleMesh mesh = test::person();
  TriangleMesh soup, cloud, sheet;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t % 10 == 0) continue;  // holes
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (const std::uint32_t corner : mesh.triangles[t]) soup.positions.push_back(mesh.positions[corner]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  cloud.positions = mesh.positions;
  sheet.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const TriangleMesh& shape : {soup, cloud, sheet}) expect_whole(recognise_body(shape));
  EXPECT_EQ(recognise_body(soup).kind, CreatureKind::person);
}

TEST(Recognise, RefusesBadInput) {
  EXPECT_THROW(recognise_body(TriangleMesh{}), Error);
  EXPECT_THROW(recognise_body(Character{}), Error);
  TriangleMesh point;
  point.positions = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  point.triangles = {{0, 1, 2}};
  EXPECT_THROW(recognise_body(point), Error);
  const TriangleMesh mesh = test::star(3);
  EXPECT_THROW(recognise_body(mesh, {.cells = 10}), Error);
  EXPECT_THROW(recognise_body(mesh, {.up = Vec3d(NAN, 0, 0)}), Error);
  EXPECT_THROW(recognise_body(mesh, {.up = Vec3d(0, 1, 0), .forward = Vec3d(0, 2, 0)}), Error);
}

TEST(Recognise, CanBeStopped) {
  const std::atomic<bool> stop = true;
  try {
    recognise_body(test::star(3), {}, Progress({}, &stop));
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::cancelled);
  }
}

TEST(Recognise, EveryKindAndPoseHasANameOfItsOwn) {
  std::set<std::string_view> names, words, poses;
  for (int k = 0; k < creature_kind_count; ++k) {
    names.insert(kind_name(static_cast<CreatureKind>(k)));
    words.insert(kind_in_words(static_cast<CreatureKind>(k)));
  }
  for (int p = 0; p < rest_pose_count; ++p) poses.insert(pose_name(static_cast<RestPose>(p)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(creature_kind_count));
  EXPECT_EQ(words.size(), static_cast<std::size_t>(creature_kind_count));
  EXPECT_EQ(poses.size(), static_cast<std::size_t>(rest_pose_count));
}

TEST(Recogniser, AFileOfAnotherKindIsRefused) {
  EXPECT_THROW(Recogniser(NetworkFile{}), Error);
  NetworkFile file;
  const BoostedTrees trees =
      train_boosted_trees({2, {0, 1, 1, 0}}, std::vector<int>{0, 1}, std::vector<double>{1, 1}, {.rounds = 1});
  for (const char* name : {"up", "forward", "kind", "pose"}) trees.write(file, name);
  EXPECT_THROW(Recogniser{file}, Error);  // trees of two features
}

TEST(Recogniser, FeaturesOfMirroredBodiesAreTheSame) {
  TriangleMesh mesh = test::person(), mirrored = mesh;
  for (Vec3f& p : mirrored.positions) p.x() = -p.x();
  for (Triangle& triangle : mirrored.triangles) std::swap(triangle[1], triangle[2]);
  MeshViews one(mesh, nullptr), other(mirrored, nullptr);
  const SeenBody a(one, 96), b(other, 96);
  const std::vector<float> first = kind_features(a, {}, 1), second = kind_features(b, {}, 1);
  ASSERT_EQ(first.size(), static_cast<std::size_t>(kind_feature_count));
  int differ = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(std::isfinite(first[i]));
    differ += std::abs(first[i] - second[i]) > 0.05;
  }
  EXPECT_LE(differ, kind_feature_count / 20);  // voxels are not mirrored to the last one
}

}  // namespace
}  // namespace sinew
