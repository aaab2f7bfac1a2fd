#include <gtest/gtest.h>

#include <set>

#include "sinew/asset/file_format.h"
#include "sinew/asset/summary.h"
#include "sinew/io.h"
#include "tests/asset/samples.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

TEST(File, ContentDecidesBeforeTheExtension) {
  for (const test::Sample& sample : test::samples()) {
    const auto proper = format_of_extension(sample.name);
    ASSERT_TRUE(proper);
    for (const char* wrong : {"wrong.glb", "wrong.bvh", "wrong"}) {
      LoadOptions options;
      options.name = wrong;
      const Character read = read_character(std::as_bytes(std::span(sample.bytes)), options);
      EXPECT_EQ(read.format, proper) << sample.name << " as " << wrong;
      EXPECT_FALSE(read.name.empty());
    }
  }
  EXPECT_EQ(format_of_extension("a.GLTF"), FileFormat::gltf);
  EXPECT_EQ(format_of_extension("folder.obj/a.vrm"), FileFormat::glb);
  EXPECT_EQ(format_of_extension("a.doc"), std::nullopt);
  EXPECT_EQ(format_of_content(std::as_bytes(std::span(std::string_view("glTF....")))), FileFormat::glb);
}

Character two_bones() {
  Character c;
  c.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  c.mesh.triangles = {{0, 1, 2}};
  add_joint(c.skeleton, "a", -1, Affine3d::Identity());
  add_joint(c.skeleton, "b", 0, Affine3d(Eigen::Translation3d(0, 1, 0)));
  c.weights = make_skin_weights(3, 2);
  for (std::size_t i = 0; i < 3; ++i) set_influences(c.weights, i, {{0, 0.75}, {1, 0.25}});
  Motion motion;
  motion.name = "still";
  motion.joint_count = 2;
  motion.transforms = rest_pose(c.skeleton);
  c.motions = {motion};
  return c;
}

TEST(File, SavesEveryFormatAndSaysWhatIsLost) {
  const test::TemporaryFolder folder;
  const Character c = two_bones();
  using Codes = std::set<std::string>;
  const Codes all{"lost-weights", "lost-skeleton", "lost-motions"};
  for (const auto& [name, lost] : {std::pair<const char*, Codes>{"a.obj", all},
                                   {"a.stl", all},
                                   {"a.off", all},
                                   {"a.ply", {"lost-motions"}},
                                   {"a.bvh", {"lost-mesh", "lost-weights"}},
                                   {"a.glb", {}}}) {
    EXPECT_EQ(test::codes(save_character(c, folder / name)), lost) << name;
    const Character back = load_character(folder / name);
    EXPECT_EQ(back.mesh.positions.size(), std::string(name) == "a.bvh" ? 0u : 3u) << name;
    EXPECT_EQ(back.skeleton.joint_count(), lost.contains("lost-skeleton") ? 0 : 2) << name;
    EXPECT_EQ(back.has_skin(), !lost.contains("lost-weights")) << name;
    EXPECT_EQ(back.motions.size(), lost.contains("lost-motions") ? 0u : 1u) << name;
  }
}

TEST(File, LimitsInfluencesOnRequest) {
  const test::TemporaryFolder folder;
  save_character(two_bones(), folder / "a.ply", {.max_influences = 1});
  EXPECT_EQ(load_character(folder / "a.ply").weights.influences, 1);
}

TEST(File, RefusesOutputsThatMakeNoSense) {
  const test::TemporaryFolder folder;
  const auto kind = [&](const Character& c, const std::string& name) {
    try {
      save_character(c, folder / name);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::gate;
  };
  EXPECT_EQ(kind(two_bones(), "a.dae"), ErrorKind::usage);
  EXPECT_EQ(kind(two_bones(), "a.doc"), ErrorKind::usage);
  EXPECT_EQ(kind(two_bones(), "nowhere/a.obj"), ErrorKind::failed);
  Character bare = two_bones();
  bare.skeleton = {};
  bare.weights = {};
  bare.motions.clear();
  EXPECT_EQ(kind(bare, "a.bvh"), ErrorKind::usage);
  Character bones = two_bones();
  bones.mesh = {};
  bones.weights = {};
  EXPECT_EQ(kind(bones, "a.obj"), ErrorKind::usage);
}

TEST(File, GuessesTheUnitByTheSizeOfACharacter) {
  Character c = two_bones();
  EXPECT_EQ(guess_unit(c), LengthUnit::metres);
  for (Vec3f& p : c.mesh.positions) p *= 170;
  EXPECT_EQ(guess_unit(c), LengthUnit::centimetres);
  for (Vec3f& p : c.mesh.positions) p *= 10;
  EXPECT_EQ(guess_unit(c), LengthUnit::millimetres);
  c.skeleton = {};
  EXPECT_EQ(guess_unit(c), LengthUnit::unknown);
}

// COLLADA: unit and up axis of the file are applied, bind pose and animation are understood.
TEST(File, Collada) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "a.dae", test::collada_sample());
  const Character c = load_character(folder / "a.dae");
  ASSERT_EQ(c.mesh.vertex_count(), 4u);
  EXPECT_NEAR(bounding_box(c.mesh).max().y(), 1.0, 1e-6);  // 100 cm along Z become 1 m along Y
  const int lower = find_joint(c.skeleton, "Lower"), upper = find_joint(c.skeleton, "Upper");
  ASSERT_GE(lower, 0);
  ASSERT_GE(upper, 0);
  EXPECT_TRUE(c.skeleton.position(upper).isApprox(Vec3d(0, 0.5, 0), 1e-6));
  EXPECT_EQ(c.skeleton.parents[upper], lower);
  EXPECT_NEAR(c.skeleton.rest[upper].linear().determinant(), 1.0, 1e-6);
  const SkinSummary skin = summarise_skin(c);
  EXPECT_EQ(skin.most_influences, 2);
  EXPECT_EQ(skin.used_joints, 2);
  EXPECT_EQ(skin.unweighted_vertices, 0u);
  ASSERT_EQ(c.motions.size(), 1u);
  EXPECT_NEAR(c.motions[0].duration(), 1.0, 1e-6);
  // At the end the upper joint has turned a quarter about the file's Z, which is Y here.
  const auto moved = skinning_transforms(c.skeleton, frame_pose(c.motions[0], c.motions[0].frame_count() - 1));
  EXPECT_TRUE((moved[upper] * Vec3d(0.1, 1, 0)).isApprox(Vec3d(0, 1, -0.1), 1e-5));
  EXPECT_EQ(test::codes(c.warnings), (std::set<std::string>{"unit-converted", "up-axis-converted"}));
}

}  // namespace
}  // namespace sinew
