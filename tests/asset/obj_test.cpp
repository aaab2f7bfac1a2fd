#include "sinew/asset/plain/obj.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sinew/asset/materials.h"
#include "sinew/base/random.h"
#include "sinew/io.h"
#include "tests/support/test_files.h"

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

std::string text_of_obj(const Character& character) {
  Output output;
  return write_obj(character, {}, output);
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
  const Character after = parse_obj(text_of_obj(before));
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
  const std::string text = text_of_obj(before);
  std::size_t vertices = 0;
  for (std::size_t at = text.find("\nv "); at != std::string::npos; at = text.find("\nv ", at + 1)) ++vertices;
  EXPECT_EQ(vertices, 4u);
}

// --- Materials

const char* boxes =
    "mtllib boxes.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
    "g a\nusemtl skin\nf 1/1 2/2 3/3\ng b\nusemtl glass\nf 1/1 3/3 2/2\ng c\nusemtl unknown\nf 3/3 2/2 1/1\n";
const char* boxes_mtl =
    "# made by hand\nnewmtl skin\nKd 0.8 0.8 0.8\nNs 250\nmap_Kd -s 1 1 1 -clamp on maps\\skin colour.png\n"
    "map_Bump -bm 0.5 /home/me/bumps.png\nmap_Ke glow.jpg\nnewmtl glass\nKd 0.1 0.2 0.3\nd 0.25\nPm 1\n"
    "newmtl not used\nmap_Kd nowhere.png\n";

Character textured_boxes(const test::TemporaryFolder& folder) {
  test::write_file(folder / "boxes.obj", boxes);
  test::write_file(folder / "boxes.mtl", boxes_mtl);
  std::filesystem::create_directory(folder / "maps");
  test::write_file(folder / "maps/skin colour.png", "\x89PNG colour");
  test::write_file(folder / "bumps.png", "\x89PNG bumps");
  test::write_file(folder / "glow.jpg", "\xff\xd8\xff glow");
  return load_character(folder / "boxes.obj");
}

std::string obj_bytes_as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void expect_boxes(const Materials& looks) {
  ASSERT_EQ(looks.of_part, (std::vector<int>{0, 1, -1}));
  ASSERT_EQ(looks.materials.size(), 2u) << "what no part uses is left alone";
  ASSERT_EQ(looks.images.size(), 3u);
  const Material &skin = looks.materials[0], &glass = looks.materials[1];
  EXPECT_EQ(skin.base_color, Vec3f::Ones()) << "the picture says it all";
  EXPECT_NEAR(skin.roughness, 0.5f, 1e-6f);
  EXPECT_EQ(obj_bytes_as_text(looks.images.at(skin.base.image).bytes), "\x89PNG colour");
  EXPECT_EQ(obj_bytes_as_text(looks.images.at(skin.normal.image).bytes), "\x89PNG bumps");
  EXPECT_EQ(obj_bytes_as_text(looks.images.at(skin.glow.image).bytes), "\xff\xd8\xff glow");
  EXPECT_EQ(skin.emissive, Vec3f::Ones());
  EXPECT_NEAR(glass.base_color.y(), 0.2f, 1e-6f);
  EXPECT_EQ(glass.alpha, 0.25f);
  EXPECT_EQ(glass.alpha_mode, AlphaMode::blend);
  EXPECT_EQ(glass.metallic, 1.0f);
}

TEST(ObjMaterials, AreReadWithTheirPictures) {
  const test::TemporaryFolder folder;
  const Character character = textured_boxes(folder);
  EXPECT_TRUE(character.warnings.empty());
  expect_boxes(read_materials(character));
}

TEST(ObjMaterials, GoToGlbAndGltfAndBackToObj) {
  const test::TemporaryFolder folder;
  const Character character = textured_boxes(folder);
  save_character(character, folder / "out.glb");
  const Character glb = load_character(folder / "out.glb");
  const Materials looks = read_materials(glb);
  ASSERT_EQ(looks.of_part.size(), 3u);
  EXPECT_EQ(looks.images.size(), 3u);
  EXPECT_EQ(looks.materials.size(), 3u) << "the one that is a name only too";
  EXPECT_EQ(looks.materials[0].name, "skin");
  EXPECT_EQ(obj_bytes_as_text(looks.images.at(looks.materials[0].normal.image).bytes), "\x89PNG bumps");
  std::filesystem::create_directory(folder / "g");
  save_character(character, folder / "g/out.gltf");
  EXPECT_EQ(read_materials(load_character(folder / "g/out.gltf")).images.size(), 3u);
  std::filesystem::create_directory(folder / "o");
  save_character(glb, folder / "o/my hero.obj");
  EXPECT_TRUE(std::filesystem::exists(folder / "o/my_hero.mtl"));
  const Character again = load_character(folder / "o/my hero.obj");
  EXPECT_TRUE(again.warnings.empty());
  const Materials last = read_materials(again);
  ASSERT_EQ(last.of_part, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(last.images.size(), 3u);
  EXPECT_EQ(obj_bytes_as_text(last.images.at(last.materials[0].base.image).bytes), "\x89PNG colour");
  EXPECT_EQ(last.materials[1].alpha, 0.25f);
  EXPECT_NEAR(last.materials[0].roughness, 0.5f, 1e-5f);
}

TEST(ObjMaterials, ThatAreMissingAreNamedOnce) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "a.obj",
                   "mtllib a.mtl\nmtllib ../../etc/passwd\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl s\nf 1 2 3\n");
  Character character = load_character(folder / "a.obj");
  ASSERT_EQ(character.warnings.size(), 2u) << "a.mtl, and passwd, which is looked for beside the file";
  EXPECT_EQ(character.warnings[0].code, "material");
  EXPECT_NE(character.warnings[1].message.find("'passwd'"), std::string::npos);
  test::write_file(folder / "a.mtl",
                   "newmtl s\nmap_Kd gone.png\nmap_Ke gone.png\nKd nan 1 x\nKd\nNs -5\nd 7\nmap_Kd -s 1\n");
  character = load_character(folder / "a.obj");
  EXPECT_EQ(character.parts[0].material, "s");
  EXPECT_EQ(read_materials(character).images.size(), 0u);
  // From memory no file is opened.
  const std::string text = test::read_file(folder / "a.obj");
  EXPECT_TRUE(read_character(std::as_bytes(std::span(text))).warnings.empty());
}

// Cut off or with one byte changed: never a crash.
TEST(ObjMaterials, SurviveDamage) {
  const std::string mtl = boxes_mtl;
  LoadOptions options;
  std::string damaged;
  options.resolve = [&](const std::string& name) -> std::optional<std::vector<std::byte>> {
    const std::string& bytes = name == "boxes.mtl" ? damaged : mtl;
    const auto view = std::as_bytes(std::span(bytes));
    return std::vector<std::byte>(view.begin(), view.end());
  };
  const std::string obj = boxes;
  for (std::size_t i = 0; i < mtl.size(); ++i) {
    damaged = mtl.substr(0, i);
    EXPECT_NO_THROW(read_character(std::as_bytes(std::span(obj)), options));
    damaged = mtl;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_NO_THROW(read_character(std::as_bytes(std::span(obj)), options));
  }
}

TEST(ObjMaterials, WithoutLooksThereIsNoFileBeside) {
  Character character;
  character.mesh.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0)};
  character.mesh.triangles = {{0, 1, 2}};
  Part part;
  part.material = "red";
  part.vertex_count = 3;
  part.triangle_count = 1;
  character.parts = {part};
  const WrittenCharacter written = write_character(character, FileFormat::obj);
  EXPECT_TRUE(written.beside.empty());
  EXPECT_NE(obj_bytes_as_text(written.bytes).find("usemtl red"), std::string::npos);
}

}  // namespace
}  // namespace sinew
