// Pictures in the colours of the file: base colours and textures of glTF materials.
#include "sinew/asset/materials.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/draw/image.h"
#include "sinew/draw/paint.h"
#include "sinew/io.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// A square with u from left to right, v from top to bottom.
Character square() {
  Character character;
  character.name = "square";
  character.mesh.positions = {Vec3f(0, 1, 0), Vec3f(1, 1, 0), Vec3f(0, 0, 0), Vec3f(1, 0, 0)};
  character.mesh.uvs = {Vec2f(0, 0), Vec2f(1, 0), Vec2f(0, 1), Vec2f(1, 1)};
  character.mesh.triangles = {{0, 2, 1}, {1, 2, 3}};
  Part part;
  part.name = "square";
  part.material = "tiles";
  part.vertex_count = 4;
  part.triangle_count = 2;
  character.parts.push_back(part);
  return character;
}

// The square as a file whose material is `material`, with red.png:
// a picture that is red on the left, green on the right.
Character with_material(const test::TemporaryFolder& folder, const nlohmann::json& material) {
  save_character(square(), folder / "square.gltf");
  nlohmann::json file = nlohmann::json::parse(test::read_file(folder / "square.gltf"));
  file["materials"][0]["pbrMetallicRoughness"] = material;
  file["textures"] = {{{"source", 0}}};
  file["images"] = {{{"uri", "red.png"}}};
  test::write_file(folder / "square.gltf", file.dump());
  Image image(8, 8, {255, 0, 0});
  fill_rectangle(image, 4, 0, 4, 8, {0, 255, 0});
  write_png(image, folder / "red.png");
  return load_character(folder / "square.gltf");
}

// The colour at a place of the square, without the part that paint leaves for light: the red and green of (1, 1, 1)
// would be equal.
Color color_at(const Character& character, float u, float v) {
  Warnings warnings;
  const Paint paint = paint_materials(character, warnings);
  if (u + v <= 1) return paint({{0, 2, 1}, Vec3f(1 - u - v, v, u)});
  return paint({{1, 2, 3}, Vec3f(1 - v, 1 - u, u + v - 1)});
}

TEST(Materials, TexturesLieWhereTheirCoordinatesSay) {
  const test::TemporaryFolder folder;
  const Character character = with_material(folder, {{"baseColorTexture", {{"index", 0}}}});
  for (float v : {0.2f, 0.8f}) {
    EXPECT_GT(color_at(character, 0.25f, v).x(), 0.5f);
    EXPECT_EQ(color_at(character, 0.25f, v).y(), 0.0f);
    EXPECT_GT(color_at(character, 0.75f, v).y(), 0.5f);
    EXPECT_EQ(color_at(character, 0.75f, v).x(), 0.0f);
  }
}

TEST(Materials, TransformsOfTexturesCount) {
  const test::TemporaryFolder folder;
  const nlohmann::json half = {{"KHR_texture_transform", {{"offset", {0.5, 0}}}}};
  const Character character = with_material(folder, {{"baseColorTexture", {{"index", 0}, {"extensions", half}}}});
  EXPECT_GT(color_at(character, 0.25f, 0.5f).y(), 0.5f);
  EXPECT_GT(color_at(character, 0.75f, 0.5f).x(), 0.5f);  // repeats
}

TEST(Materials, BaseColourMultipliesTexture) {
  const test::TemporaryFolder folder;
  const Character plain = with_material(folder, {{"baseColorTexture", {{"index", 0}}}});
  const Color red = color_at(plain, 0.25f, 0.5f);
  const Character half =
      with_material(folder, {{"baseColorTexture", {{"index", 0}}}, {"baseColorFactor", {0.5, 1, 1, 1}}});
  EXPECT_NEAR(color_at(half, 0.25f, 0.5f).x(), 0.5f * red.x(), 1e-5f);
}

TEST(Materials, WithoutALookItIsClay) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(color_at(square(), 0.5f, 0.2f), clay_color());
  EXPECT_EQ(color_at(with_material(folder, {{"baseColorFactor", {0.8, 0.8, 0.8, 1}}}), 0.5f, 0.2f), clay_color());
}

TEST(Materials, ImagesThatCannotBeReadCountAsAbsent) {
  const test::TemporaryFolder folder;
  const Character character =
      with_material(folder, {{"baseColorTexture", {{"index", 0}}}, {"baseColorFactor", {0, 0, 1, 1}}});
  const std::string png = test::read_file(folder / "red.png");
  test::write_file(folder / "red.png", png.substr(0, png.size() / 2));
  EXPECT_GT(color_at(character, 0.25f, 0.5f).z(), 0.5f);
  Warnings warnings;
  test::write_file(folder / "red.png", "no picture");
  paint_materials(character, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "texture");
  std::filesystem::remove(folder / "red.png");
  const Materials materials = read_materials(character);
  EXPECT_EQ(materials.warnings.size(), 1u);
  EXPECT_NO_THROW(color_at(character, 0.25f, 0.5f));
}

}  // namespace
}  // namespace sinew
