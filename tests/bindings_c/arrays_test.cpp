// Characters of the C interface from arrays and back, and every array that cannot be.
#include <cmath>
#include <limits>

#include "sinew/pose_mesh.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct Triangle3 {
  float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::uint32_t corners[3] = {0, 1, 2};
  sinew_mesh_arrays arrays{};

  Triangle3(const Triangle3&) = delete;  // it points into itself
  Triangle3() {
    arrays.struct_size = sizeof arrays;
    arrays.vertex_count = 3;
    arrays.positions = positions;
    arrays.triangle_count = 1;
    arrays.triangles = corners;
  }
  sinew_status set(sinew_result* result) const {
    sinew_character* character = nullptr;
    EXPECT_EQ(sinew_character_create("t", &character, nullptr), SINEW_OK);
    const CharacterHandle owner(character);
    return sinew_set_mesh(character, &arrays, result);
  }
};

TEST(CArrays, AMeshComesBackAsItWasGiven) {
  const Character from = bar(4, 0.25, 21, 8, 2);
  const CharacterHandle character = through_arrays(from);
  const sinew_mesh_arrays mesh = mesh_of(character);
  ASSERT_EQ(mesh.vertex_count, from.mesh.vertex_count());
  ASSERT_EQ(mesh.triangle_count, from.mesh.triangles.size());
  for (std::size_t v = 0; v < mesh.vertex_count; ++v) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(mesh.positions[3 * v + i], from.mesh.positions[v][static_cast<int>(i)]);
  }
  for (std::size_t t = 0; t < mesh.triangle_count; ++t) EXPECT_EQ(mesh.triangles[3 * t], from.mesh.triangles[t][0]);
  EXPECT_EQ(mesh.uvs, nullptr);

  sinew_skeleton_arrays skeleton{};
  skeleton.struct_size = sizeof skeleton;
  ASSERT_EQ(sinew_get_skeleton(character.get(), &skeleton, nullptr), SINEW_OK);
  ASSERT_EQ(skeleton.joint_count, from.skeleton.names.size());
  for (std::size_t j = 0; j < skeleton.joint_count; ++j) {
    EXPECT_EQ(skeleton.names[j], from.skeleton.names[j]);
    EXPECT_EQ(skeleton.parents[j], from.skeleton.parents[j]);
    EXPECT_EQ(skeleton.kinds[j], static_cast<int>(from.skeleton.kinds[j]));
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(skeleton.rest[16 * j + static_cast<std::size_t>(i)], from.skeleton.rest[j].data()[i]);
  }
}

TEST(CArrays, MeshesThatCannotBeAreRefused) {
  const ResultHandle result = new_result();
  EXPECT_EQ(Triangle3().set(result.get()), SINEW_OK) << message_of(result);
  Triangle3 wrong;
  wrong.positions[4] = not_a_number;
  EXPECT_EQ(wrong.set(result.get()), SINEW_MESH_INVALID);
  EXPECT_NE(message_of(result).find("vertex 1"), std::string::npos);
  Triangle3 outside;
  outside.corners[2] = 3;
  EXPECT_EQ(outside.set(result.get()), SINEW_MESH_INVALID);
  Triangle3 without;
  without.arrays.positions = nullptr;
  EXPECT_EQ(without.set(result.get()), SINEW_ARGUMENT_INVALID);
  Triangle3 corners_missing;
  corners_missing.arrays.triangles = nullptr;
  EXPECT_EQ(corners_missing.set(result.get()), SINEW_ARGUMENT_INVALID);
  Triangle3 large;
  large.arrays.vertex_count = SIZE_MAX;
  EXPECT_EQ(large.set(result.get()), SINEW_TOO_LARGE);
  Triangle3 normals;
  const float infinite[9] = {0, 0, 1, 0, 0, std::numeric_limits<float>::infinity(), 0, 0, 1};
  normals.arrays.normals = infinite;
  EXPECT_EQ(normals.set(result.get()), SINEW_MESH_INVALID);
}

TEST(CArrays, PartsCoverTheMeshInOrder) {
  const ResultHandle result = new_result();
  Triangle3 mesh;
  sinew_part part{"skin", "leather", 0, 3, 0, 1, SINEW_PART_SKINNED};
  mesh.arrays.part_count = 1;
  mesh.arrays.parts = &part;
  EXPECT_EQ(mesh.set(result.get()), SINEW_OK) << message_of(result);
  part.vertex_count = 2;
  EXPECT_EQ(mesh.set(result.get()), SINEW_MESH_INVALID);
  part.vertex_count = 3;
  part.first_vertex = 1;
  EXPECT_EQ(mesh.set(result.get()), SINEW_MESH_INVALID);
  part.first_vertex = 0;
  part.binding = 7;
  EXPECT_EQ(mesh.set(result.get()), SINEW_ARGUMENT_INVALID);
  part.binding = SINEW_PART_FIXED;
  part.name = part.material = nullptr;
  EXPECT_EQ(mesh.set(result.get()), SINEW_OK) << message_of(result);
}

TEST(CArrays, SkeletonsThatCannotBeAreRefused) {
  const ResultHandle result = new_result();
  const CharacterHandle character = c_bar();
  const char* names[2] = {"root", "tip"};
  std::int32_t parents[2] = {-1, 0};
  double rest[32] = {};
  for (const std::size_t at : {0u, 5u, 10u, 15u}) rest[at] = rest[16 + at] = 1;
  std::uint8_t kinds[2] = {SINEW_JOINT, SINEW_JOINT_END};
  sinew_skeleton_arrays arrays{sizeof arrays, 2, names, parents, rest, kinds};
  const auto set = [&] { return sinew_set_skeleton(character.get(), &arrays, result.get()); };
  EXPECT_EQ(set(), SINEW_OK) << message_of(result);
  parents[1] = 1;
  EXPECT_EQ(set(), SINEW_SKELETON_INVALID);
  parents[1] = -2;
  EXPECT_EQ(set(), SINEW_SKELETON_INVALID);
  parents[1] = 0;
  rest[16] = 0;
  EXPECT_EQ(set(), SINEW_SKELETON_INVALID);
  rest[16] = std::nan("");
  EXPECT_EQ(set(), SINEW_SKELETON_INVALID);
  rest[16] = 1;
  rest[19] = 0.5;
  EXPECT_EQ(set(), SINEW_SKELETON_INVALID);
  EXPECT_NE(std::string(sinew_result_advice(result.get())).find("column"), std::string::npos);
  rest[19] = 0;
  kinds[0] = 3;
  EXPECT_EQ(set(), SINEW_ARGUMENT_INVALID);
  kinds[0] = 0;
  names[1] = nullptr;
  EXPECT_EQ(set(), SINEW_ARGUMENT_INVALID);
  names[1] = "tip";
  arrays.joint_count = 70'000;
  EXPECT_EQ(set(), SINEW_TOO_LARGE);
  arrays.joint_count = 2;
  arrays.parents = nullptr;
  EXPECT_EQ(set(), SINEW_ARGUMENT_INVALID);
  sinew_skeleton_arrays kept{};
  kept.struct_size = sizeof kept;
  ASSERT_EQ(sinew_get_skeleton(character.get(), &kept, nullptr), SINEW_OK);
  EXPECT_STREQ(kept.names[1], "tip");
}

TEST(CArrays, ValidWeightsAreTakenBitForBitAndOthersPutRight) {
  const ResultHandle result = new_result();
  const CharacterHandle character = c_bar();
  ASSERT_EQ(sinew_bind(character.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  const std::vector<float> bound = weights_copied(character);
  sinew_weight_arrays arrays = weights_of(character);
  std::vector<std::uint16_t> joints(arrays.joints, arrays.joints + bound.size());
  arrays.joints = joints.data();
  arrays.weights = bound.data();
  ASSERT_EQ(sinew_set_weights(character.get(), &arrays, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(weights_copied(character), bound);

  std::vector<float> doubled = bound;
  for (float& weight : doubled) weight *= 2;
  arrays.weights = doubled.data();
  ASSERT_EQ(sinew_set_weights(character.get(), &arrays, result.get()), SINEW_OK) << message_of(result);
  const std::vector<float> normalised = weights_copied(character);
  for (std::size_t i = 0; i < bound.size(); ++i) EXPECT_NEAR(normalised[i], bound[i], 1e-6f);

  const auto refused = [&](std::size_t at, float weight, std::uint16_t joint) {
    std::vector<float> wrong = bound;
    std::vector<std::uint16_t> wrong_joints = joints;
    wrong[at] = weight;
    wrong_joints[at] = joint;
    arrays.weights = wrong.data();
    arrays.joints = wrong_joints.data();
    return sinew_set_weights(character.get(), &arrays, result.get());
  };
  EXPECT_EQ(refused(5, not_a_number, 0), SINEW_WEIGHTS_INVALID);
  EXPECT_EQ(refused(5, -0.1f, 0), SINEW_WEIGHTS_INVALID);
  EXPECT_EQ(refused(5, 0.5f, 99), SINEW_WEIGHTS_INVALID);
  arrays.influences = 0;
  EXPECT_EQ(sinew_set_weights(character.get(), &arrays, result.get()), SINEW_ARGUMENT_INVALID);
  arrays.influences = 33;
  EXPECT_EQ(sinew_set_weights(character.get(), &arrays, result.get()), SINEW_ARGUMENT_INVALID);
  arrays.influences = 4;
  arrays.vertex_count -= 1;
  EXPECT_EQ(sinew_set_weights(character.get(), &arrays, result.get()), SINEW_WEIGHTS_INVALID);
  EXPECT_EQ(weights_copied(character), normalised);
  ASSERT_EQ(sinew_set_weights(character.get(), nullptr, result.get()), SINEW_OK);
  EXPECT_EQ(weights_of(character).vertex_count, 0u);
}

TEST(CArrays, MotionsAndPosesComeBackAndMoveTheMesh) {
  const ResultHandle result = new_result();
  const Character from = bar(4, 0.25, 21, 8, 2);
  const CharacterHandle character = through_arrays(from);
  ASSERT_EQ(sinew_bind(character.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  const std::size_t joints = from.skeleton.names.size();
  std::vector<sinew_joint_transform> frames(2 * joints);
  ASSERT_EQ(sinew_rest_pose(character.get(), frames.data(), joints, result.get()), SINEW_OK) << message_of(result);
  std::copy_n(frames.begin(), joints, frames.begin() + static_cast<std::ptrdiff_t>(joints));
  double* bent = frames[joints + 1].rotation;
  bent[0] = 0, bent[1] = 0, bent[2] = std::sin(0.5), bent[3] = std::cos(0.5);
  sinew_motion_arrays motion{sizeof motion, "bend", 10, 2, joints, frames.data()};
  ASSERT_EQ(sinew_add_motion(character.get(), &motion, result.get()), SINEW_OK) << message_of(result);

  sinew_motion_arrays read{};
  read.struct_size = sizeof read;
  ASSERT_EQ(sinew_get_motion(character.get(), 0, &read, result.get()), SINEW_OK);
  EXPECT_STREQ(read.name, "bend");
  EXPECT_EQ(read.frame_count, 2u);
  EXPECT_EQ(read.transforms[joints + 1].rotation[2], bent[2]);

  std::vector<sinew_joint_transform> pose(joints);
  ASSERT_EQ(sinew_sample_motion(character.get(), 0, 0.1, 0, pose.data(), joints, result.get()), SINEW_OK);
  const std::size_t vertices = from.mesh.vertex_count();
  std::vector<float> posed(3 * vertices), other(3 * vertices);
  ASSERT_EQ(sinew_pose_vertices(character.get(), pose.data(), joints, SINEW_LINEAR_BLEND, posed.data(), nullptr,
                                vertices, result.get()),
            SINEW_OK)
      << message_of(result);
  ASSERT_EQ(sinew_pose_vertices(character.get(), pose.data(), joints, SINEW_DUAL_QUATERNIONS, other.data(), nullptr,
                                vertices, result.get()),
            SINEW_OK);
  EXPECT_NE(posed, other);
  float moved = 0;
  for (std::size_t i = 0; i < posed.size(); ++i)
    moved = std::max(moved, std::abs(posed[i] - mesh_of(character).positions[i]));
  EXPECT_GT(moved, 0.5f);

  std::vector<double> globals(16 * joints);
  std::vector<float> matrices(16 * joints);
  ASSERT_EQ(sinew_pose_joints(character.get(), frames.data(), joints, globals.data(), result.get()), SINEW_OK);
  EXPECT_NEAR(globals[16 + 12], from.skeleton.rest[1].translation().x(), 1e-12);
  ASSERT_EQ(sinew_pose_matrices(character.get(), frames.data(), joints, matrices.data(), result.get()), SINEW_OK);
  EXPECT_NEAR(matrices[16], 1.0f, 1e-6f);
  ASSERT_EQ(sinew_remove_motion(character.get(), 0, result.get()), SINEW_OK);
  EXPECT_EQ(sinew_remove_motion(character.get(), 0, result.get()), SINEW_MOTION_UNKNOWN);
}

TEST(CArrays, MotionsAndPosesThatCannotBeAreRefused) {
  const ResultHandle result = new_result();
  const CharacterHandle character = c_bar();
  const std::size_t joints = 3;
  std::vector<sinew_joint_transform> pose(joints);
  ASSERT_EQ(sinew_rest_pose(character.get(), pose.data(), joints, nullptr), SINEW_OK);
  EXPECT_EQ(sinew_rest_pose(character.get(), nullptr, joints, nullptr), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_rest_pose(character.get(), pose.data(), joints - 1, nullptr), SINEW_ARGUMENT_INVALID);
  sinew_motion_arrays motion{sizeof motion, nullptr, 10, 1, joints, pose.data()};
  const auto add = [&] { return sinew_add_motion(character.get(), &motion, result.get()); };
  EXPECT_EQ(add(), SINEW_OK) << message_of(result);
  motion.frames_per_second = std::nan("");
  EXPECT_EQ(add(), SINEW_MOTION_INVALID);
  motion.frames_per_second = 10;
  motion.frame_count = 0;
  EXPECT_EQ(add(), SINEW_MOTION_INVALID);
  motion.frame_count = SIZE_MAX / 2;
  EXPECT_EQ(add(), SINEW_MOTION_INVALID);
  motion.frame_count = 1;
  motion.joint_count = 2;
  EXPECT_EQ(add(), SINEW_MOTION_INVALID);
  motion.joint_count = joints;
  motion.transforms = nullptr;
  EXPECT_EQ(add(), SINEW_ARGUMENT_INVALID);
  motion.transforms = pose.data();
  pose[2].rotation[0] = pose[2].rotation[1] = pose[2].rotation[2] = pose[2].rotation[3] = 0;
  EXPECT_EQ(add(), SINEW_MOTION_INVALID);
  std::vector<float> positions(3 * mesh_of(character).vertex_count);
  EXPECT_EQ(sinew_pose_vertices(character.get(), pose.data(), joints, 0, positions.data(), nullptr,
                                positions.size() / 3, result.get()),
            SINEW_WEIGHTS_MISSING);
  EXPECT_EQ(sinew_sample_motion(character.get(), 0, std::nan(""), 0, pose.data(), joints, result.get()),
            SINEW_FRAME_UNKNOWN);
  EXPECT_EQ(sinew_sample_motion(character.get(), 5, 0, 0, pose.data(), joints, result.get()), SINEW_MOTION_UNKNOWN);
}

TEST(CArrays, TheMirrorOfAFigureIsFound) {
  sinew_character* made = nullptr;
  ASSERT_EQ(sinew_builtin_skeleton("adult", &made, nullptr), SINEW_OK);
  const CharacterHandle adult(made);
  sinew_skeleton_arrays skeleton{};
  skeleton.struct_size = sizeof skeleton;
  ASSERT_EQ(sinew_get_skeleton(adult.get(), &skeleton, nullptr), SINEW_OK);
  std::vector<std::int32_t> mirror(skeleton.joint_count);
  double plane[4];
  ASSERT_EQ(sinew_mirror_joints(adult.get(), mirror.data(), mirror.size(), plane, nullptr), SINEW_OK);
  EXPECT_NEAR(std::abs(plane[0]), 1, 1e-6);
  bool found = false;
  for (std::size_t j = 0; j < skeleton.joint_count; ++j) {
    if (std::string(skeleton.names[j]) != "LeftArm") continue;
    found = true;
    EXPECT_STREQ(skeleton.names[mirror[j]], "RightArm");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(sinew_builtin_skeleton("dragon", &made, nullptr), SINEW_CHOICE_UNKNOWN);
}

}  // namespace
}  // namespace sinew::test
