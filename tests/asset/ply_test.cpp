#include "sinew/asset/plain/ply.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "sinew/asset/plain/ply_document.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

Character parse_ply(const std::string& text) {
  Character character = read_ply(std::as_bytes(std::span(text)));
  check_character(character);
  return character;
}

std::string write(const Character& character) {
  Warnings warnings;
  return write_ply(character, {}, warnings);
}

std::string ply_error_of(const std::string& text) {
  try {
    parse_ply(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const std::string ascii_square =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty uchar red\nproperty double z\n"
    "property float x\nproperty float y\nproperty uchar green\nproperty uchar blue\nproperty int label\n"
    "element face 1\nproperty float quality\nproperty list uchar uint vertex_index\nelement extra 2\n"
    "property list int short numbers\nend_header\n"
    "255 0 0 0 0 0 7\n0 0 1 0 255 0 8\n0 0 1 1 0 255 -9\n128 0.25 0 1 128 128 10\n"
    "0.5 4 0 1 2 3\n0\n3 1 -2 3\n";

TEST(Ply, ReadsAnyOrderAndType) {
  const Character c = parse_ply(ascii_square);
  ASSERT_EQ(c.mesh.vertex_count(), 4u);
  EXPECT_EQ(c.mesh.positions[3], Vec3f(0, 1, 0.25f));
  EXPECT_EQ(c.mesh.triangles.size(), 2u);
  EXPECT_EQ(c.mesh.colors[1], Vec4f(0, 1, 0, 1));
  EXPECT_NEAR(c.mesh.colors[3][0], 0.2158605f, 1e-6);  // sRGB 128/255
}

// All three encodings of one document hold the same, and going through a Character changes no byte.
TEST(Ply, EncodingsAgreeAndNothingIsLost) {
  const PlyDocument document = read_ply_document(std::as_bytes(std::span(ascii_square)));
  EXPECT_EQ(write_ply_document(document), ascii_square);
  for (const PlyEncoding encoding : {PlyEncoding::ascii, PlyEncoding::little_endian, PlyEncoding::big_endian}) {
    PlyDocument encoded = document;
    encoded.encoding = encoding;
    const std::string bytes = write_ply_document(encoded);
    const Character character = parse_ply(bytes);
    EXPECT_EQ(character.mesh.positions, parse_ply(ascii_square).mesh.positions);
    EXPECT_EQ(character.mesh.triangles, parse_ply(ascii_square).mesh.triangles);
    EXPECT_EQ(write(character), bytes);
  }
}

TEST(Ply, ChangesOnlyWhatChanged) {
  Character c = parse_ply(ascii_square);
  c.mesh.positions[0].x() = 5;
  const std::string after = write(c);
  std::string expected = ascii_square;
  expected.replace(expected.find("255 0 0 0"), 9, "255 0 5 0");
  EXPECT_EQ(after, expected);
}

TEST(Ply, ReadsTriangleStrips) {
  const Character c = parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n8 0 1 2 3 -1 2 3 4\n");
  ASSERT_EQ(c.mesh.triangles.size(), 3u);
  EXPECT_EQ(c.mesh.triangles[0], (Triangle{0, 1, 2}));
  EXPECT_EQ(c.mesh.triangles[1], (Triangle{2, 1, 3}));
  EXPECT_EQ(c.mesh.triangles[2], (Triangle{2, 3, 4}));
}

std::string splats(std::size_t count) {
  std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(count) + "\n";
  int properties = 0;
  const auto add = [&](const std::string& name) {
    text += "property float " + name + "\n";
    ++properties;
  };
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"}) add(name);
  for (int i = 0; i < 45; ++i) add("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) add(name);
  text += "end_header\n";
  Random random(5);
  for (std::size_t i = 0; i < count; ++i) {
    for (int p = 0; p < properties; ++p) {
      const auto value = p >= 3 && p < 6 ? 0.0f : static_cast<float>(random.normal());
      text.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  return text;
}

TEST(Ply, GaussianSplatsKeepEveryPropertyAndGainWeights) {
  const std::string before = splats(50);
  Character c = parse_ply(before);
  EXPECT_EQ(c.mesh.vertex_count(), 50u);
  EXPECT_TRUE(c.mesh.normals.empty());  // all zero means none
  EXPECT_EQ(c.mesh.colors.size(), 50u);
  EXPECT_EQ(write(c), before);

  Affine3d rest = Affine3d::Identity();
  add_joint(c.skeleton, "root joint", -1, rest);
  rest.translate(Vec3d(0.1, 0.2, 0.3)).rotate(Eigen::AngleAxisd(0.4, Vec3d::UnitX()));
  add_joint(c.skeleton, "tip", 0, rest, JointKind::end);
  c.weights = make_skin_weights(50, 2);
  for (std::size_t i = 0; i < 50; ++i) set_influences(c.weights, i, {{0, 1.0 + static_cast<double>(i)}, {1, 2.0}});
  const Character after = parse_ply(write(c));
  EXPECT_EQ(after.weights.joints, c.weights.joints);
  EXPECT_EQ(after.weights.weights, c.weights.weights);
  EXPECT_EQ(after.skeleton.names, c.skeleton.names);
  EXPECT_EQ(after.skeleton.parents, c.skeleton.parents);
  EXPECT_EQ(after.skeleton.kinds, c.skeleton.kinds);
  EXPECT_EQ(after.skeleton.rest[1].matrix(), c.skeleton.rest[1].matrix());
  EXPECT_EQ(after.mesh.positions, c.mesh.positions);
  // Taking the skin away again gives the first file back.
  Character bare = after;
  bare.skeleton = {};
  bare.weights = {};
  EXPECT_EQ(write(bare), before);
}

TEST(Ply, WritesAMeshThatCameFromElsewhere) {
  Character c;
  c.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  c.mesh.normals.assign(3, Vec3f(0, 0, 1));
  c.mesh.uvs = {{0, 0}, {1, 0.25f}, {0, 1}};
  c.mesh.colors.assign(3, Vec4f(0, 1, 0, 1));
  c.mesh.triangles = {{0, 1, 2}};
  const Character after = parse_ply(write(c));
  EXPECT_EQ(after.mesh.positions, c.mesh.positions);
  EXPECT_EQ(after.mesh.normals, c.mesh.normals);
  EXPECT_EQ(after.mesh.uvs, c.mesh.uvs);
  EXPECT_EQ(after.mesh.colors, c.mesh.colors);
  EXPECT_EQ(after.mesh.triangles, c.mesh.triangles);
}

TEST(Ply, SaysSoWhenPropertiesAreLost) {
  Character c = parse_ply(splats(10));
  c.mesh.positions.pop_back();
  c.mesh.colors.pop_back();
  Warnings warnings;
  write_ply(c, {}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "lost-properties");
}

TEST(Ply, RefusesWhatDoesNotFit) {
  const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n";
  EXPECT_NE(ply_error_of(head + "end_header\n0 0\n0 0\n0 0\n").find("x, y and z"), std::string::npos);
  EXPECT_NE(ply_error_of("ply\nformat ascii 1.0\nend_header\n").find("'vertex'"), std::string::npos);
  EXPECT_NE(ply_error_of("ply\nformat quantum 1.0\nend_header\n").find("quantum"), std::string::npos);
  EXPECT_NE(ply_error_of("ply\nelement vertex 99999999999999\n").find("limit"), std::string::npos);
  EXPECT_NE(
      ply_error_of("ply\nformat binary_little_endian 1.0\nelement vertex 100000000\nproperty float x\nend_header\nab")
          .find("ends before"),
      std::string::npos);
  const std::string face = head +
                           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_NE(ply_error_of(face + "3 0 1 3\n").find("vertex 3"), std::string::npos);
  EXPECT_NE(ply_error_of(face + "3 0 1 -1\n").find("vertex -1"), std::string::npos);
  EXPECT_NE(ply_error_of(face + "3 0 1\n").find("ends before"), std::string::npos);
  EXPECT_NE(ply_error_of(face + "3 0 1 soup\n").find("not a number"), std::string::npos);
}

}  // namespace
}  // namespace sinew
