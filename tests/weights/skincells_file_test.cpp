// The .skincells file: what is written comes back, and no damage gets past the reader.
#include "sinew/weights/skincells/skincells_file.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/error.h"
#include "sinew/weights/skincells/skincells.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

SkinCellField small_field() {
  Random random(5);
  SkinCellField field;
  field.max_influences = 3;
  field.sites_per_cell = 12;
  field.origin = Vec3d(0.1, -2, 3);
  field.scale = 0.7;
  for (int cell = 0; cell < 6; ++cell) {
    field.joints.push_back(cell * 2);
    field.joint_names.push_back("joint number " + std::to_string(cell));
    for (int site = 0; site < field.sites_per_cell; ++site) {
      for (int axis = 0; axis < 3; ++axis) field.parameters.push_back(static_cast<float>(random.uniform(-1, 1)));
      for (int entry = 0; entry < 6; ++entry) field.parameters.push_back(static_cast<float>(random.uniform(1, 40)));
      field.parameters.push_back(static_cast<float>(random.uniform(-3, 1)));
    }
    field.parameters.push_back(0.0f);
    field.parameters.push_back(static_cast<float>(random.uniform(0, 2)));
  }
  round_field(field);
  return field;
}

TEST(SkinCellFile, ComesBackAsItWas) {
  const SkinCellField field = small_field(), back = read_field(write_field(field));
  EXPECT_EQ(back.parameters, field.parameters);
  EXPECT_EQ(back.joints, field.joints);
  EXPECT_EQ(back.joint_names, field.joint_names);
  EXPECT_EQ(back.origin, field.origin);
  EXPECT_EQ(back.scale, field.scale);
  EXPECT_EQ(back.max_influences, field.max_influences);
  EXPECT_EQ(field_from_text(field_to_text(field)).parameters, field.parameters);
}

TEST(SkinCellFile, TakesLessThanThreeTenthsOfAKilobytePerJoint) {
  const SkinCellField field = small_field();
  EXPECT_LT(write_field(field).size(), 300u * static_cast<std::size_t>(field.cell_count()));
}

TEST(SkinCellFile, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = write_field(small_field());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(read_field(std::span(bytes).first(length)), Error) << length;
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(read_field(longer), Error);
}

TEST(SkinCellFile, EveryFlippedBitIsRefused) {
  std::vector<std::byte> bytes = write_field(small_field());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<std::byte>(1 << bit);
      EXPECT_THROW(read_field(bytes), Error) << at << " bit " << bit;
      bytes[at] ^= static_cast<std::byte>(1 << bit);
    }
  }
}

TEST(SkinCellFile, JointsAreFoundByNameInAnotherSkeleton) {
  const SkinCellField field = small_field();
  Skeleton skeleton;
  for (int joint = 5; joint >= 0; --joint) {
    add_joint(skeleton, field.joint_names[joint], 4 - joint, Affine3d::Identity());
  }
  EXPECT_EQ(match_field(field, skeleton).joints, (std::vector<int>{5, 4, 3, 2, 1, 0}));
  skeleton.names[2] = "another";
  EXPECT_THROW(match_field(field, skeleton), Error);
}

TEST(SkinCellFile, AppliedToItsOwnMeshGivesTheWeightsOfTheBind) {
  Character character = test::bar(4, 0.25, 31, 8, 3);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  SkinCellsOptions options;
  options.fit_steps = 60;
  options.pose_steps = 20;
  options.random_poses = 16;
  const SkinCellField field = read_field(write_field(optimise_skincells(input, options)));
  const SkinWeights bound = to_character_weights(character, input, skincells_weights(input, field));
  const FieldReport report = apply_field(field, character);
  EXPECT_EQ(report.vertices, character.mesh.vertex_count());
  EXPECT_TRUE(report.warnings.empty());
  ASSERT_EQ(character.weights.weights.size(), bound.weights.size());
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    for (int joint : field.joints) {
      EXPECT_NEAR(character.weights.weight_of(v, joint), bound.weight_of(v, joint), 2e-3);
    }
  }
  for (Vec3f& p : character.mesh.positions) p *= 100.0f;  // another unit
  EXPECT_FALSE(apply_field(field, character).warnings.empty());
}

}  // namespace
}  // namespace sinew
