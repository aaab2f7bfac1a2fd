// What goes out comes back: fresh files, untouched files, and files of which one thing was changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using test::sample_character;

void expect_same_mesh(const Character& a, const Character& b, float tolerance) {
  ASSERT_EQ(a.mesh.vertex_count(), b.mesh.vertex_count());
  EXPECT_EQ(a.mesh.triangles, b.mesh.triangles);
  for (std::size_t i = 0; i < a.mesh.vertex_count(); ++i) {
    ASSERT_LE((a.mesh.positions[i] - b.mesh.positions[i]).norm(), tolerance) << i;
    ASSERT_LE((a.mesh.normals[i] - b.mesh.normals[i]).norm(), 1e-5f) << i;
    ASSERT_EQ(a.mesh.uvs[i], b.mesh.uvs[i]) << i;
    ASSERT_EQ(a.mesh.colors[i], b.mesh.colors[i]) << i;
  }
}

void expect_same_weights(const Character& a, const Character& b, double tolerance) {
  const int joints = a.skeleton.joint_count();
  const Eigen::MatrixXd difference = densify(a.weights, joints) - densify(b.weights, joints);
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), tolerance);
}

// Order of joints may differ between characters; poses are compared by what they do to the mesh.
double worst_difference(const Character& a, const Character& b, std::size_t motion_a, std::size_t motion_b) {
  const Motion& first = a.motions[motion_a];
  const Motion& second = b.motions[motion_b];
  EXPECT_EQ(first.frame_count(), second.frame_count());
  EXPECT_DOUBLE_EQ(first.frames_per_second, second.frames_per_second);
  double worst = 0;
  for (int frame = 0; frame < std::min(first.frame_count(), second.frame_count()); frame += 3) {
    const std::vector<Vec3d> x = test::posed_positions(a, frame_pose(first, frame));
    const std::vector<Vec3d> y = test::posed_positions(b, frame_pose(second, frame));
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) worst = std::max(worst, (x[i] - y[i]).norm());
  }
  return worst;
}

class GltfRoundTrip : public testing::TestWithParam<std::string> {
 protected:
  test::TemporaryFolder folder_;
  std::filesystem::path file(const std::string& stem) const { return folder_ / (stem + GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Containers, GltfRoundTrip, testing::Values(".glb", ".gltf"));

TEST_P(GltfRoundTrip, AFreshCharacterComesBack) {
  const Character made = sample_character();
  EXPECT_TRUE(save_character(made, file("fresh")).empty());
  const Character read = load_character(file("fresh"));
  EXPECT_TRUE(read.warnings.empty()) << read.warnings[0].message;
  ASSERT_EQ(read.parts.size(), 3u);
  // Attached parts hang below their joint, so the order of parts follows the scene: box, tube, disc.
  EXPECT_EQ(read.parts[0].binding, PartBinding::attached);
  EXPECT_EQ(read.parts[1].name, "tube");
  EXPECT_EQ(read.parts[1].material, "tube paint");
  EXPECT_EQ(read.parts[1].binding, PartBinding::skinned);
  EXPECT_EQ(read.parts[2].binding, PartBinding::fixed);
  ASSERT_EQ(read.skeleton.joint_count(), made.skeleton.joint_count());
  for (int joint = 0; joint < made.skeleton.joint_count(); ++joint) {
    EXPECT_EQ(read.skeleton.names[joint], made.skeleton.names[joint]);
    EXPECT_EQ(read.skeleton.parents[joint], made.skeleton.parents[joint]);
    EXPECT_EQ(read.skeleton.kinds[joint], made.skeleton.kinds[joint]);
    EXPECT_LE((read.skeleton.rest[joint].matrix() - made.skeleton.rest[joint].matrix()).norm(), 1e-5);
  }
  for (const Part& part : made.parts) {
    const auto other =
        std::find_if(read.parts.begin(), read.parts.end(), [&](const Part& p) { return p.name == part.name; });
    ASSERT_NE(other, read.parts.end());
    ASSERT_EQ(other->vertex_count, part.vertex_count);
    for (std::size_t i = 0; i < part.vertex_count; ++i) {
      const std::size_t a = part.first_vertex + i, b = other->first_vertex + i;
      ASSERT_LE((made.mesh.positions[a] - read.mesh.positions[b]).norm(), 1e-5f);
      for (int joint = 0; joint < made.skeleton.joint_count(); ++joint) {
        ASSERT_NEAR(made.weights.weight_of(a, joint), read.weights.weight_of(b, joint), 1e-6);
      }
    }
  }
}

TEST_P(GltfRoundTrip, NothingChangedMeansTheSameBytes) {
  save_character(sample_character(), file("input"));
  const Character read = load_character(file("input"));
  std::filesystem::create_directories(folder_ / "elsewhere");
  const std::filesystem::path output = folder_ / "elsewhere" / ("input" + GetParam());
  EXPECT_TRUE(save_character(read, output).empty());
  EXPECT_EQ(test::read_file(output), test::read_file(file("input")));
  const Character again = load_character(output);
  expect_same_mesh(read, again, 0.0f);
}

TEST_P(GltfRoundTrip, ChangedWeightsAreTheOnlyThingThatChanges) {
  save_character(sample_character(), file("input"));
  Character character = load_character(file("input"));
  for (const Part& part : character.parts) {
    if (part.binding != PartBinding::skinned) continue;
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      set_influences(
          character.weights, v,
          {{static_cast<std::uint16_t>(1 + v % 6), 0.75}, {static_cast<std::uint16_t>(1 + (v + 1) % 6), 0.25}});
    }
  }
  save_character(character, file("output"));
  const Character read = load_character(file("output"));
  EXPECT_TRUE(read.warnings.empty()) << read.warnings[0].message;
  expect_same_mesh(character, read, 0.0f);
  expect_same_weights(character, read, 1e-7);
  EXPECT_LE(worst_difference(character, read, 0, 0), 1e-9);
  // What only the old weights used is gone: the file does not grow.
  if (GetParam() == ".glb") {
    EXPECT_LE(test::read_file(file("output")).size(), test::read_file(file("input")).size() + 16);
  }
}

TEST_P(GltfRoundTrip, ChangedPositionsComeBack) {
  save_character(sample_character(), file("input"));
  Character character = load_character(file("input"));
  for (Vec3f& position : character.mesh.positions) position *= 1.25f;
  save_character(character, file("output"));
  const Character read = load_character(file("output"));
  EXPECT_TRUE(read.warnings.empty()) << read.warnings[0].message;
  expect_same_mesh(character, read, 1e-6f);
  expect_same_weights(character, read, 0.0);
}

TEST_P(GltfRoundTrip, OtherVerticesRebuildThePrimitive) {
  save_character(sample_character(), file("input"));
  Character character = load_character(file("input"));
  // Drop the last part's triangles and vertices but the first three.
  Part& last = character.parts.back();
  last.vertex_count = 3;
  last.triangle_count = 1;
  const std::size_t vertices = last.first_vertex + 3;
  character.mesh.positions.resize(vertices);
  character.mesh.normals.resize(vertices);
  character.mesh.uvs.resize(vertices);
  character.mesh.colors.resize(vertices);
  character.mesh.triangles.resize(last.first_triangle);
  const auto first = static_cast<std::uint32_t>(last.first_vertex);
  character.mesh.triangles.push_back({first, first + 1, first + 2});
  character.weights.joints.resize(vertices * character.weights.influences);
  character.weights.weights.resize(vertices * character.weights.influences);
  save_character(character, file("output"));
  const Character read = load_character(file("output"));
  expect_same_mesh(character, read, 1e-6f);
  EXPECT_EQ(read.parts.back().material, "disc paint");
}

TEST_P(GltfRoundTrip, MotionsAreAddedReplacedAndRemoved) {
  save_character(sample_character(), file("input"));
  Character character = load_character(file("input"));
  Motion slow = character.motions[0];
  slow.name = "slow";
  slow.frames_per_second = 24;
  character.motions.push_back(slow);
  save_character(character, file("two"));
  Character two = load_character(file("two"));
  ASSERT_EQ(two.motions.size(), 2u);
  EXPECT_EQ(two.motions[1].name, "slow");
  EXPECT_DOUBLE_EQ(two.motions[1].frames_per_second, 24);
  EXPECT_LE(worst_difference(character, two, 0, 0), 1e-9);
  EXPECT_LE(worst_difference(character, two, 1, 1), 1e-5);
  two.motions.erase(two.motions.begin());
  for (Transform& key : two.motions[0].transforms) key.translation *= 1.5;
  save_character(two, file("one"));
  const Character one = load_character(file("one"));
  ASSERT_EQ(one.motions.size(), 1u);
  EXPECT_LE(worst_difference(two, one, 0, 0), 1e-5);
}

TEST_P(GltfRoundTrip, AMovedSkeletonAndAnotherSkeletonComeBack) {
  save_character(sample_character(), file("input"));
  const Character original = load_character(file("input"));
  for (const bool rename : {false, true}) {
    SCOPED_TRACE(rename);
    Character character = original;
    for (Affine3d& rest : character.skeleton.rest) rest.translation() += Vec3d(0.1, 0.2, 0.3);
    if (rename) {
      for (std::string& name : character.skeleton.names) name = "other " + name;
    }
    save_character(character, file("output"));
    const Character read = load_character(file("output"));
    ASSERT_EQ(read.skeleton.names, character.skeleton.names);
    for (std::size_t joint = 0; joint < read.skeleton.names.size(); ++joint) {
      EXPECT_LE((read.skeleton.rest[joint].matrix() - character.skeleton.rest[joint].matrix()).norm(), 1e-5);
    }
    ASSERT_EQ(read.motions.size(), 1u);
    EXPECT_EQ(read.mesh.vertex_count(), character.mesh.vertex_count());
    EXPECT_EQ(std::count_if(read.parts.begin(), read.parts.end(),
                            [](const Part& p) { return p.binding == PartBinding::attached; }),
              1);
  }
}

// Twist joints and the like: nodes, skins and channels of the others stay as they are.
TEST_P(GltfRoundTrip, AddedJointsComeBackBesideTheOthers) {
  save_character(sample_character(), file("before"));
  Character edited = load_character(file("before"));
  const int old_count = edited.skeleton.joint_count(), parent = old_count / 2;
  const int added = add_joint(edited.skeleton, "added", parent,
                              edited.skeleton.rest[parent] * Affine3d(Eigen::Translation3d(0.1, 0.2, 0)));
  const Transform rest = rest_pose(edited.skeleton)[added];
  for (Motion& motion : edited.motions) {
    std::vector<Transform> transforms;
    for (int frame = 0; frame < motion.frame_count(); ++frame) {
      const auto begin = motion.transforms.begin() + static_cast<std::ptrdiff_t>(frame) * old_count;
      transforms.insert(transforms.end(), begin, begin + old_count);
      transforms.push_back(rest);
      transforms.back().rotation = Quatd(Eigen::AngleAxisd(0.1 * frame, Vec3d::UnitY()));
    }
    motion.transforms = std::move(transforms);
    motion.joint_count = edited.skeleton.joint_count();
  }
  const Part& tube = *std::find_if(edited.parts.begin(), edited.parts.end(),
                                   [](const Part& part) { return part.binding == PartBinding::skinned; });
  for (std::size_t v = tube.first_vertex; v < tube.first_vertex + tube.vertex_count; v += 3) {
    set_influences(edited.weights, v, {{static_cast<std::uint16_t>(added), 0.5}, {1, 0.5}});
  }
  EXPECT_TRUE(save_character(edited, file("after")).empty());
  const Character read = load_character(file("after"));
  ASSERT_EQ(read.skeleton.joint_count(), old_count + 1);
  ASSERT_EQ(read.motions.size(), edited.motions.size());
  for (std::size_t i = 0; i < read.motions.size(); ++i) EXPECT_LT(worst_difference(edited, read, i, i), 1e-4);
  if (GetParam() != ".gltf") return;
  const auto json = [&](const char* stem) { return nlohmann::json::parse(test::read_file(file(stem))); };
  const nlohmann::json before = json("before"), after = json("after");
  ASSERT_EQ(after["nodes"].size(), before["nodes"].size() + 1);
  for (std::size_t i = 0; i < before["nodes"].size(); ++i) {
    EXPECT_EQ(after["nodes"][i]["name"], before["nodes"][i]["name"]);
  }
  for (std::size_t i = 0; i < before["animations"].size(); ++i) {
    EXPECT_EQ(after["animations"][i]["channels"].size(), before["animations"][i]["channels"].size() + 1);
  }
}

TEST_P(GltfRoundTrip, ANewSkeletonThatNothingFollowsYetComesBack) {
  for (const bool had_one : {false, true}) {
    SCOPED_TRACE(had_one);
    Character unbound = sample_character();
    const Skeleton skeleton = unbound.skeleton;
    unbound.motions.clear();
    unbound.weights = {};
    for (Part& part : unbound.parts) part.binding = PartBinding::fixed;
    Character bare = unbound;
    bare.skeleton = {};
    save_character(had_one ? sample_character() : bare, file("input"));
    Character character = load_character(file("input"));
    character.skeleton = skeleton;
    for (std::string& name : character.skeleton.names) name = "fitted " + name;
    character.motions.clear();
    character.weights = {};
    for (Part& part : character.parts) part.binding = PartBinding::fixed;
    save_character(character, file("output"));
    const Character read = load_character(file("output"));
    EXPECT_EQ(read.skeleton.names, character.skeleton.names);
    EXPECT_FALSE(read.has_skin());
  }
}

TEST(GltfRoundTripOptions, ManyInfluencesSurviveAndCanBeLimitedAndRounded) {
  test::TemporaryFolder folder;
  const Character made = sample_character(7, 12);
  save_character(made, folder / "seven.glb");
  Character seven = load_character(folder / "seven.glb");
  EXPECT_EQ(seven.weights.influences, 8);
  SaveOptions options;
  options.max_influences = 3;
  save_character(seven, folder / "three.glb", options);
  EXPECT_EQ(load_character(folder / "three.glb").weights.influences, 4);
  const SkinWeights three = with_influences(seven.weights, 3);
  const Character limited = load_character(folder / "three.glb");
  EXPECT_LE((densify(three, 13) - densify(limited.weights, 13)).cwiseAbs().maxCoeff(), 1e-6);
  options.max_influences = 0;
  options.quantise_weights = true;
  save_character(seven, folder / "bytes.glb", options);
  const Character bytes = load_character(folder / "bytes.glb");
  EXPECT_TRUE(bytes.warnings.empty()) << bytes.warnings[0].message;
  EXPECT_LE((densify(seven.weights, 13) - densify(bytes.weights, 13)).cwiseAbs().maxCoeff(), 1.0 / 255);
}

TEST(GltfRoundTripOptions, BetweenContainers) {
  test::TemporaryFolder folder;
  save_character(sample_character(), folder / "a.glb");
  const Character a = load_character(folder / "a.glb");
  save_character(a, folder / "b.gltf");
  const Character b = load_character(folder / "b.gltf");
  expect_same_mesh(a, b, 0.0f);
  save_character(b, folder / "c.glb");
  const Character c = load_character(folder / "c.glb");
  expect_same_mesh(a, c, 0.0f);
  EXPECT_LE(worst_difference(a, c, 0, 0), 0.0);
}

}  // namespace
}  // namespace sinew
