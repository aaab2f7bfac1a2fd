#include "sinew/weights/bind_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "sinew/bind.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

bool has(const Warnings& warnings, const std::string& code) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == code; });
}

BindInput input_with_joints(const Character& character, const std::string& joints = "auto") {
  BindOptions options;
  options.joints = joints;
  Warnings warnings;
  return make_bind_input(character, options, warnings);
}

std::vector<int> chosen(const BindInput& input) {
  std::vector<int> list;
  for (int j = 0; j < input.joint_count(); ++j) {
    if (input.takes_weight[j]) list.push_back(j);
  }
  return list;
}

TEST(BindInput, IsWeldedAndInAUnitBox) {
  Character character = test::with_seams(test::bar(4, 0.25, 41, 8, 2));
  test::scale(character, 250.0);
  const BindInput input = input_with_joints(character);
  EXPECT_EQ(input.vertex_count(), 41u * 8 + 2);
  EXPECT_EQ(input.welded_of.size(), character.mesh.vertex_count());
  EXPECT_NEAR(bounding_diagonal(input.mesh), 1.0, 1e-6);
  EXPECT_EQ(input.components.count, 1u);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const Vec3d back = input.mesh.positions[input.welded_of[v]].cast<double>() * input.scale + input.centre;
    EXPECT_LT((back - character.mesh.positions[v].cast<double>()).norm(), 1e-4 * input.scale);
  }
}

TEST(BindInput, NormalsPointOutwardsWhateverTheWinding) {
  Character character = test::bar(4, 0.25, 21, 8, 2);
  for (bool flipped : {false, true}) {
    if (flipped) {
      for (Triangle& t : character.mesh.triangles) std::swap(t[1], t[2]);
    }
    const BindInput input = input_with_joints(character);
    for (std::size_t v = 0; v < input.vertex_count(); ++v) {
      const Vec3d p = input.mesh.positions[v].cast<double>() * input.scale + input.centre;
      if (p.x() > 0.3 && p.x() < 3.7) {
        EXPECT_GT(input.normals[v].cast<double>().dot(Vec3d(0, p.y(), p.z())), 0);
      }
    }
  }
}

TEST(BindInput, JointsAreChosenByWords) {
  const Character character = test::bar(4, 0.25, 41, 8, 3);  // Bone0 Bone1 Bone2 Tip_End
  EXPECT_EQ(chosen(input_with_joints(character)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(chosen(input_with_joints(character, "Bone1")), std::vector<int>{1});
  EXPECT_EQ(chosen(input_with_joints(character, "Bone1, Tip*")), (std::vector<int>{1, 3}));
  EXPECT_EQ(chosen(input_with_joints(character, "auto,-Bone1")), (std::vector<int>{0, 2}));
  EXPECT_EQ(chosen(input_with_joints(character, "-*1")), (std::vector<int>{0, 2}));
  EXPECT_EQ(chosen(input_with_joints(character, "all")), (std::vector<int>{0, 1, 2}));
  EXPECT_THROW(input_with_joints(character, "Nobody"), Error);
  EXPECT_THROW(input_with_joints(character, "weighted"), Error);  // there are no weights yet
  Character bound = character;
  bind_character(bound, {.method = "proximity", .max_influences = 1, .joints = "Bone2"});
  EXPECT_EQ(chosen(input_with_joints(bound, "weighted")), std::vector<int>{2});
}

TEST(BindInput, ImpossibleInputIsAnError) {
  const auto kind_of = [](const Character& character) {
    try {
      input_with_joints(character);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::failed;
  };
  Character none = test::bar();
  none.skeleton = {};
  EXPECT_EQ(kind_of(none), ErrorKind::bad_input);
  Character empty = test::bar();
  empty.mesh = {};
  EXPECT_EQ(kind_of(empty), ErrorKind::bad_input);
  Character point = test::bar();
  for (Vec3f& p : point.mesh.positions) p = Vec3f(2, 0, 0);
  EXPECT_EQ(kind_of(point), ErrorKind::bad_input);
  Character broken = test::bar();
  broken.mesh.positions[3].y() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(kind_of(broken), ErrorKind::bad_input);
  Character far = test::bar();
  for (Affine3d& rest : far.skeleton.rest) rest.translation() += Vec3d(0, 100, 0);
  EXPECT_EQ(kind_of(far), ErrorKind::bad_input);
  Character huge = test::bar();
  for (Affine3d& rest : huge.skeleton.rest) rest.translation() *= 7e5;
  EXPECT_EQ(kind_of(huge), ErrorKind::bad_input);
}

TEST(BindInput, SaysThatJointsLieOutside) {
  Character character = test::bar(4, 0.25, 41, 8, 3);
  character.skeleton.rest[2].translation() += Vec3d(0, 0.9, 0);
  BindOptions options;
  options.joints = "all";
  Warnings warnings;
  make_bind_input(character, options, warnings);
  EXPECT_TRUE(has(warnings, "joints-outside-mesh"));
}

TEST(BindInput, SaysThatAGoodPartOfTheSkeletonIsLeftOut) {
  Character character = test::bar(4, 0.25, 41, 8, 8);
  Warnings warnings;
  make_bind_input(character, {}, warnings);
  EXPECT_FALSE(has(warnings, "joints-outside-mesh"));
  for (int j = 3; j < 8; ++j) character.skeleton.rest[j].translation() += Vec3d(0, 0.9, 0);
  make_bind_input(character, {}, warnings);
  EXPECT_TRUE(has(warnings, "joints-outside-mesh"));
}

TEST(BindInput, SaysThatIslandsLieFarFromBones) {
  Character character = test::bar(4, 0.25, 41, 8, 3);
  test::append(character.mesh, test::tube(0.2, 0.1, 3, 6), Vec3f(2, 4, 0));
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  EXPECT_TRUE(has(warnings, "islands-far-from-bones"));
  EXPECT_EQ(input.components.count, 2u);
}

TEST(BindInput, PartsThatAreNotSkinnedStayOut) {
  Character character = test::bar(4, 0.25, 41, 8, 2);
  const std::size_t body = character.mesh.vertex_count(), triangles = character.mesh.triangles.size();
  test::append(character.mesh, test::tube(0.2, 0.1, 3, 6), Vec3f(2, 4, 0));
  character.parts = {{"body", "", 0, body, 0, triangles, PartBinding::skinned},
                     {"lamp", "", body, character.mesh.vertex_count() - body, triangles,
                      character.mesh.triangles.size() - triangles, PartBinding::fixed}};
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  EXPECT_TRUE(has(warnings, "part-not-bound"));
  EXPECT_EQ(input.vertex_count(), body);
  EXPECT_EQ(input.welded_of.back(), BindInput::not_bound);
  character.parts[0].binding = PartBinding::fixed;  // nothing is skinned yet: everything is bound
  EXPECT_EQ(make_bind_input(character, {}, warnings).vertex_count(), character.mesh.vertex_count());
}

TEST(MatchUnits, KnowsCommonUnitsAndLeavesTheRestAlone) {
  for (double factor : {100.0, 0.01, 1000.0, 0.001}) {
    Character character = test::bar();
    for (Affine3d& rest : character.skeleton.rest) rest.translation() *= factor;
    character.motions.push_back({"m", 30.0, character.skeleton.joint_count(), rest_pose(character.skeleton)});
    Warnings warnings;
    match_units(character, warnings);
    EXPECT_TRUE(has(warnings, "unit-mismatch")) << factor;
    EXPECT_NEAR(character.skeleton.position(1).x(), 2.0, 1e-6) << factor;
    EXPECT_NEAR(character.motions[0].transforms[1].translation.norm(), 1.96, 1e-6) << factor;
  }
  for (double factor : {1.0, 0.5, 3.0, 13.0}) {
    Character character = test::bar();
    for (Affine3d& rest : character.skeleton.rest) rest.translation() *= factor;
    Warnings warnings;
    match_units(character, warnings);
    EXPECT_TRUE(warnings.empty()) << factor;
    EXPECT_NEAR(character.skeleton.position(1).x(), 2.0 * factor, 1e-9) << factor;
  }
}

TEST(UseSkeletonOf, KeepsAttachedPartsByName) {
  Character character = test::bar(4, 0.25, 41, 8, 2), source = test::bar(4, 0.25, 41, 8, 2);
  const std::size_t body = character.mesh.vertex_count(), triangles = character.mesh.triangles.size();
  test::append(character.mesh, test::tube(0.2, 0.1, 3, 6), Vec3f(2, 0.4f, 0));
  const std::size_t all = character.mesh.vertex_count();
  character.parts = {
      {"body", "", 0, body, 0, triangles, PartBinding::skinned},
      {"sword", "", body, all - body, triangles, character.mesh.triangles.size() - triangles, PartBinding::attached}};
  character.weights = make_skin_weights(all, 1);
  for (std::size_t v = 0; v < all; ++v) set_influences(character.weights, v, {{1, 1.0}});
  std::swap(source.skeleton.names[0], source.skeleton.names[1]);
  Warnings warnings;
  Character changed = character;
  use_skeleton_of(source, changed, warnings);
  EXPECT_EQ(changed.weights.weight_of(body, 0), 1.0f);
  EXPECT_EQ(changed.weights.weight_of(0, 0), 0.0f);
  source.skeleton.names[0] = "Other";
  use_skeleton_of(source, character, warnings);
  EXPECT_TRUE(has(warnings, "part-not-attached"));
  EXPECT_THROW(use_skeleton_of(Character{}, character, warnings), Error);
}

}  // namespace
}  // namespace sinew
