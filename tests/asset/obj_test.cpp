#include "sinew/asset/plain/obj.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Character parse_obj(const std::string& text) {
  Character character = read_obj(std::as_bytes(std::span(text)));
  check_character(character);
  return character;
}

std::string obj_error_of(const std::string& text) {
  try {
    parse_obj(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    return error.what();
  }
  return {};
}

TEST(Obj, KeepsVertexOrderWithoutSeams) {
  const Character c =
      parse_obj("# tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 4 3 2\nf 1 2 3\nf -4 -3 -1\nf 1 4 3\n");
  ASSERT_EQ(c.mesh.vertex_count(), 4u);
  EXPECT_EQ(c.mesh.positions[3], Vec3f(0, 0, 1));
  ASSERT_EQ(c.mesh.triangles.size(), 4u);
  EXPECT_EQ(c.mesh.triangles[0], (Triangle{3, 2, 1}));
  EXPECT_EQ(c.mesh.triangles[2], (Triangle{0, 1, 3}));  // negative indices count from the last vertex
}

TEST(Obj, SplitsVerticesOnlyWhereAttributesDiffer) {
  const Character c = parse_obj(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
      "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n"
      "f 1/1 2/2 3/3\nf 1/1 3/5 4/4\n");
  EXPECT_EQ(c.mesh.vertex_count(), 5u);  // only vertex 3 has two texture coordinates
  ASSERT_EQ(c.mesh.uvs.size(), 5u);
  EXPECT_EQ(c.mesh.uvs[0], Vec2f(0, 1));  // v is turned: down in Sinew, up in OBJ
  EXPECT_TRUE(c.mesh.normals.empty());
}

TEST(Obj, ReadsEveryKindOfCorner) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
  EXPECT_EQ(parse_obj(vertices + "f 1 2 3\n").mesh.normals.size(), 0u);
  EXPECT_EQ(parse_obj(vertices + "f 1/1 2/1 3/1\n").mesh.uvs.size(), 3u);
  EXPECT_EQ(parse_obj(vertices + "f 1//1 2//1 3//1\n").mesh.normals.size(), 3u);
  const Character both = parse_obj(vertices + "f 1/1/1 2/1/1 3/-1/-1\n");
  EXPECT_EQ(both.mesh.normals[2], Vec3f(0, 0, 1));
  EXPECT_EQ(both.mesh.vertex_count(), 3u);
}

TEST(Obj, GroupsAndMaterialsBecomeParts) {
  const Character c = parse_obj(
      "o body\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nusemtl cloth\nf 2 3 4\ng hat brim\nf 1 2 4\n");
  ASSERT_EQ(c.parts.size(), 3u);
  EXPECT_EQ(c.parts[0].name, "body");
  EXPECT_EQ(c.parts[0].material, "skin");
  EXPECT_EQ(c.parts[1].material, "cloth");
  EXPECT_EQ(c.parts[2].name, "hat brim");
  EXPECT_EQ(c.mesh.vertex_count(), 9u);  // parts do not share vertices
}

TEST(Obj, KeepsIsolatedVerticesInTheirPlace) {
  const Character c = parse_obj("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 5 5 5\nv 0 1 0\nf 2 3 5\n");
  ASSERT_EQ(c.mesh.vertex_count(), 5u);
  EXPECT_EQ(c.mesh.positions[0], Vec3f(9, 9, 9));
  EXPECT_EQ(c.mesh.positions[3], Vec3f(5, 5, 5));
  EXPECT_EQ(c.mesh.triangles[0], (Triangle{1, 2, 4}));
}

// The area of a concave polygon survives its triangulation, and no triangle turns over.
TEST(Obj, CutsConcavePolygonsWithoutTurningOver) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const int corners = 4 + static_cast<int>(random.below(12));
    std::string text, face = "f";
    std::vector<Vec3d> outline;
    // A star-shaped polygon in a slanted plane.
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * 3.14159265358979 * i / corners, radius = random.uniform(0.2, 2.0);
      outline.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.5 * radius * std::cos(angle));
      text += "v " + std::to_string(outline.back().x()) + " " + std::to_string(outline.back().y()) + " " +
              std::to_string(outline.back().z()) + "\n";
      face += " " + std::to_string(i + 1);
    }
    Vec3d expected = Vec3d::Zero();
    for (int i = 0; i < corners; ++i) expected += outline[i].cross(outline[(i + 1) % corners]);
    const Character c = parse_obj(text + face + "\n");
    ASSERT_EQ(c.mesh.triangles.size(), static_cast<std::size_t>(corners - 2));
    double area = 0;
    for (const Triangle& t : c.mesh.triangles) {
      const Vec3d a = c.mesh.positions[t[0]].cast<double>();
      const Vec3d cross = (c.mesh.positions[t[1]].cast<double>() - a).cross(c.mesh.positions[t[2]].cast<double>() - a);
      EXPECT_GT(cross.dot(expected), -1e-5);
      area += cross.norm();
    }
    EXPECT_NEAR(area, expected.norm(), 1e-4);
  }
}

TEST(Obj, ReadsVertexColoursContinuationsAndOddLineEnds) {
  const Character c = parse_obj("v 0 0 0 1 0 0\r\nv 1 0 0 0 1 0\r\nv 0 1 0 \\\r\n 0 0 1\rf 1 2 3");
  ASSERT_EQ(c.mesh.colors.size(), 3u);
  EXPECT_EQ(c.mesh.colors[0], Vec4f(1, 0, 0, 1));
  EXPECT_EQ(c.mesh.colors[2], Vec4f(0, 0, 1, 1));
  EXPECT_EQ(c.mesh.triangles.size(), 1u);
}

TEST(Obj, RefusesWhatDoesNotFit) {
  EXPECT_NE(obj_error_of("v 0 0 0\nf 1 2 3\n").find("line 2"), std::string::npos);
  EXPECT_NE(obj_error_of("v 0 0\n").find("three numbers"), std::string::npos);
  EXPECT_NE(obj_error_of("v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 0\n").find("vertex 0"), std::string::npos);
  EXPECT_NE(obj_error_of("v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1/1 2/1 3/1\n").find("texture coordinate"), std::string::npos);
  EXPECT_NE(obj_error_of("v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 x\n").find("'x'"), std::string::npos);
  EXPECT_NE(obj_error_of("").find("no vertices"), std::string::npos);
  EXPECT_NE(obj_error_of("# nothing\n").find("no vertices"), std::string::npos);
}

TEST(Obj, WarnsOfIgnoredElements) {
  const Character c = parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nf 1 2\nf 1 2 3\n");
  ASSERT_EQ(c.warnings.size(), 2u);
  EXPECT_EQ(c.warnings[0].code, "ignored-elements");
  EXPECT_EQ(c.warnings[1].code, "short-polygons");
}

// Writing and reading gives back the same triangles in space, with their attributes, bit for bit.
TEST(Obj, RoundTrip) {
  const Character before = parse_obj(
      "g a\nusemtl red\nv 0.1 0.2 0.3\nv 1 0 0\nv 1 1 0\nv 0 1 1e-7\n"
      "vt 0 0\nvt 1 0.25\nvt 1 1\nvt 0 1\nvn 0 0 1\nvn 0 1 0\n"
      "f 1/1/1 2/2/1 3/3/1 4/4/2\ng b\nf 1/1/2 3/2/2 4/4/2\n");
  const Character after = parse_obj(write_obj(before));
  ASSERT_EQ(after.mesh.triangles.size(), before.mesh.triangles.size());
  ASSERT_EQ(after.parts.size(), before.parts.size());
  EXPECT_EQ(after.parts[1].name, "b");
  EXPECT_EQ(after.parts[1].material, "red");
  for (std::size_t t = 0; t < before.mesh.triangles.size(); ++t) {
    for (int c = 0; c < 3; ++c) {
      const std::uint32_t x = before.mesh.triangles[t][c], y = after.mesh.triangles[t][c];
      EXPECT_EQ(before.mesh.positions[x], after.mesh.positions[y]);
      EXPECT_EQ(before.mesh.uvs[x], after.mesh.uvs[y]);
      EXPECT_EQ(before.mesh.normals[x], after.mesh.normals[y]);
    }
  }
  // Seams stay closed: the file lists each position once.
  const std::string text = write_obj(before);
  std::size_t vertices = 0;
  for (std::size_t at = text.find("\nv "); at != std::string::npos; at = text.find("\nv ", at + 1)) ++vertices;
  EXPECT_EQ(vertices, 4u);
}

}  // namespace
}  // namespace sinew
