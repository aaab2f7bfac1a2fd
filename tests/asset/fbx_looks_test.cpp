// Materials, pictures and shape keys of FBX and COLLADA files.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sinew/asset/materials.h"
#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

std::vector<std::byte> look_bytes(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

std::string look_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A sample with two materials, two pictures and two shape keys.
Character dressed_character() {
  Character character = test::sample_character(4, 3);
  auto source = std::make_shared<LookSource>();
  Materials& looks = source->materials;
  looks.images = {{"skin picture", look_bytes("\x89PNG skin")}, {"bumps", look_bytes("\x89PNG bumps")}};
  Material skin;
  skin.name = "skin";
  skin.base.image = 0;
  skin.normal.image = 1;
  skin.metallic = 0;
  skin.roughness = 0.5f;
  Material glass;
  glass.name = "glass";
  glass.base_color = Vec3f(0.2f, 0.4f, 0.6f);
  glass.alpha = 0.25f;
  glass.alpha_mode = AlphaMode::blend;
  glass.emissive = Vec3f(0.5f, 0.25f, 0);
  glass.metallic = 0.75f;
  glass.roughness = 0.25f;
  looks.materials = {skin, glass};
  looks.of_part = {0, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) character.parts[i].material = i == 0 ? "skin" : "glass";
  for (const auto& [name, first] : {std::pair<const char*, std::uint32_t>{"smile", 3}, {"blink", 40}}) {
    ShapeKey key;
    key.name = name;
    for (std::uint32_t v = first; v < first + 20; ++v) {
      key.vertices.push_back(v);
      key.offsets.emplace_back(0.01f * static_cast<float>(v - first + 1), 0.02f, -0.03f);
      key.normals.push_back(Vec3f::Zero());
    }
    source->shape_keys.push_back(std::move(key));
  }
  source->vertex_count = character.mesh.vertex_count();
  character.source = std::move(source);
  return character;
}

const Material* look_named(const Materials& looks, const std::string& name) {
  for (const Material& material : looks.materials) {
    if (material.name == name) return &material;
  }
  return nullptr;
}

void expect_dressed(const Character& character) {
  const Materials looks = read_materials(character);
  ASSERT_EQ(looks.materials.size(), 2u);
  EXPECT_EQ(looks.images.size(), 2u);
  const Material *skin = look_named(looks, "skin"), *glass = look_named(looks, "glass");
  ASSERT_TRUE(skin && glass);
  EXPECT_EQ(skin->base_color, Vec3f::Ones());
  EXPECT_EQ(skin->alpha, 1.0f);
  EXPECT_EQ(look_text(looks.images.at(static_cast<std::size_t>(skin->base.image)).bytes), "\x89PNG skin");
  EXPECT_EQ(looks.images.at(static_cast<std::size_t>(skin->base.image)).name, "skin picture");
  EXPECT_EQ(look_text(looks.images.at(static_cast<std::size_t>(skin->normal.image)).bytes), "\x89PNG bumps");
  EXPECT_TRUE(skin->base.uv_to_image.isIdentity(1e-6f));
  EXPECT_NEAR(skin->roughness, 0.5f, 1e-4f);
  EXPECT_NEAR(skin->metallic, 0.0f, 1e-6f);
  EXPECT_LT((glass->base_color - Vec3f(0.2f, 0.4f, 0.6f)).norm(), 1e-6f);
  EXPECT_LT((glass->emissive - Vec3f(0.5f, 0.25f, 0)).norm(), 1e-6f);
  EXPECT_NEAR(glass->alpha, 0.25f, 1e-6f);
  EXPECT_EQ(glass->alpha_mode, AlphaMode::blend);
  EXPECT_NEAR(glass->roughness, 0.25f, 1e-4f);
  EXPECT_NEAR(glass->metallic, 0.75f, 1e-6f);
}

// Every vertex that a key of `before` moves is at its place in `after` and is moved alike.
void expect_same_shapes(const Character& before, const Character& after) {
  const ShapeKeys was = read_shape_keys(before), is = read_shape_keys(after);
  EXPECT_EQ(is.lost, 0u);
  ASSERT_EQ(is.keys.size(), was.keys.size());
  for (const ShapeKey& key : was.keys) {
    const auto same =
        std::find_if(is.keys.begin(), is.keys.end(), [&](const ShapeKey& k) { return k.name == key.name; });
    ASSERT_NE(same, is.keys.end()) << key.name;
    for (std::size_t i = 0; i < key.vertices.size(); ++i) {
      const Vec3f place = before.mesh.positions[key.vertices[i]];
      bool found = false;
      for (std::size_t k = 0; k < same->vertices.size() && !found; ++k) {
        found = (after.mesh.positions[same->vertices[k]] - place).norm() < 1e-5f &&
                (same->offsets[k] - key.offsets[i]).norm() < 1e-5f;
      }
      EXPECT_TRUE(found) << key.name << ", vertex " << key.vertices[i];
    }
  }
}

TEST(FbxLooks, ComeBackFromFbxAndGoOnToGlb) {
  const Character character = dressed_character();
  const WrittenCharacter fbx = write_character(character, FileFormat::fbx);
  for (const bool isolate : {false, true}) {
    const Character again = read_character(fbx.bytes, {.name = "a.fbx", .isolate = isolate});
    for (const Warning& warning : again.warnings) EXPECT_NE(warning.code, "material") << warning.message;
    expect_dressed(again);
    expect_same_shapes(character, again);
    const Character glb = read_character(write_character(again, FileFormat::glb).bytes);
    expect_dressed(glb);
    expect_same_shapes(character, glb);
    const Character twice = read_character(write_character(again, FileFormat::fbx).bytes, {.name = "b.fbx"});
    expect_dressed(twice);
    expect_same_shapes(character, twice);
  }
}

TEST(FbxLooks, GoToObj) {
  const test::TemporaryFolder folder;
  const Character again = read_character(write_character(dressed_character(), FileFormat::fbx).bytes);
  save_character(again, folder / "a.obj");
  const Materials looks = read_materials(load_character(folder / "a.obj"));
  EXPECT_EQ(looks.materials.size(), 2u);
  EXPECT_EQ(looks.images.size(), 2u);
}

// Vertices at one place that a shape moves apart stay two.
TEST(FbxLooks, LipsThatTouchStayTwo) {
  Character character = test::sample_character(4, 3);
  TriangleMesh mesh;
  mesh.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0), Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, -1, 0)};
  mesh.triangles = {{0, 1, 2}, {3, 5, 4}};
  character = {};
  character.mesh = mesh;
  Part part;
  part.name = "mouth";
  part.vertex_count = 6;
  part.triangle_count = 2;
  character.parts = {part};
  auto source = std::make_shared<LookSource>();
  ShapeKey open;
  open.name = "open";
  open.vertices = {3, 4};
  open.offsets = {Vec3f(0, -0.5f, 0), Vec3f(0, -0.5f, 0)};
  source->shape_keys = {open};
  source->materials.of_part = {-1};
  source->vertex_count = 6;
  character.source = source;
  const Character again = read_character(write_character(character, FileFormat::fbx).bytes);
  EXPECT_EQ(again.mesh.vertex_count(), 6u);
  expect_same_shapes(character, again);
}

constexpr const char* dressed_collada = R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset>
  <library_images><image id="i"><init_from>textures/skin%20a.png</init_from></image>
    <image id="j"><init_from>file:///C:/art/gone.png</init_from></image></library_images>
  <library_effects><effect id="e"><profile_COMMON>
    <newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
    <newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
    <newparam sid="u"><surface type="2D"><init_from>j</init_from></surface></newparam>
    <newparam sid="v"><sampler2D><source>u</source></sampler2D></newparam>
    <technique sid="common"><phong><emission><texture texture="v" texcoord="UV"/></emission>
      <diffuse><texture texture="t" texcoord="UV"/></diffuse></phong></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="m" name="skin"><instance_effect url="#e"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
      <accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
      <param name="Z" type="float"/></accessor></technique_common></source>
    <source id="w"><float_array id="wa" count="6">0 0 1 0 0 1</float_array><technique_common>
      <accessor source="#wa" count="3" stride="2"><param name="S" type="float"/><param name="T" type="float"/>
      </accessor></technique_common></source>
    <vertices id="x"><input semantic="POSITION" source="#p"/></vertices>
    <triangles material="m" count="1"><input semantic="VERTEX" source="#x" offset="0"/>
      <input semantic="TEXCOORD" source="#w" offset="1" set="0"/><p>0 0 1 1 2 2</p></triangles></mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="v0"><node id="n"><instance_geometry url="#g"><bind_material><technique_common>
    <instance_material symbol="m" target="#m"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/>
    </instance_material></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#v0"/></scene></COLLADA>)";

TEST(FbxLooks, PicturesBesideTheFileAreFoundOrNamed) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "a.dae", dressed_collada);
  std::filesystem::create_directory(folder / "textures");
  test::write_file(folder / "textures/skin a.png", "\x89PNG skin");
  for (const bool isolate : {false, true}) {
    const Character character = load_character(folder / "a.dae", {.isolate = isolate});
    const Materials looks = read_materials(character);
    ASSERT_EQ(looks.materials.size(), 1u);
    ASSERT_EQ(looks.images.size(), 1u) << "one is missing";
    EXPECT_EQ(looks.materials[0].name, "skin");
    EXPECT_EQ(look_text(looks.images.at(static_cast<std::size_t>(looks.materials[0].base.image)).bytes),
              "\x89PNG skin");
    EXPECT_LT(looks.materials[0].glow.image, 0);
    const auto named = std::count_if(character.warnings.begin(), character.warnings.end(), [](const Warning& warning) {
      return warning.code == "material" && warning.message.find("gone.png") != std::string::npos;
    });
    EXPECT_EQ(named, 1);
  }
  // From memory no file is opened.
  const std::string text = dressed_collada;
  EXPECT_TRUE(read_materials(read_character(std::as_bytes(std::span(text)), {.name = "a.dae"})).images.empty());
}

}  // namespace
}  // namespace sinew
