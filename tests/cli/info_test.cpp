#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

const char* const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// A triangle with a morph target, an extension and extras.
const char* const extended_triangle =
    R"({"asset": {"version": "2.0", "extras": {"made": "by hand"}}, "extensionsUsed": ["KHR_lights_punctual"],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]}], "weights": [0],
             "extras": {"targetNames": ["Smile"]}}],
 "nodes": [{"name": "lamp", "extras": {"x": 1}}, {"mesh": 0}], "scenes": [{"nodes": [0, 1]}], "scene": 0})";

TEST(InfoCommand, SaysWhatAFileHolds) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", tetrahedron);
  const ProgramResult result = run_sinew({"info", folder / "a.obj"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.err.empty()) << result.err;
  for (const char* words : {"Wavefront OBJ", "4 vertices", "4 triangles", "1 piece, watertight", "none"}) {
    EXPECT_NE(result.out.find(words), std::string::npos) << words << " in " << result.out;
  }
}

TEST(InfoCommand, JsonIsOneObject) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", std::string(tetrahedron) + "v 9 9 9\nf 1 2 2\n");
  const ProgramResult result = run_sinew({"info", "--json", folder / "a.obj"});
  EXPECT_EQ(result.exit_code, 0);
  const nlohmann::json object = nlohmann::json::parse(result.out);
  EXPECT_TRUE(object["ok"].get<bool>());
  const nlohmann::json& file = object["files"][0];
  EXPECT_EQ(file["mesh"]["triangles"], 5);
  EXPECT_EQ(file["surface"]["isolated_vertices"], 1);
  EXPECT_EQ(file["surface"]["degenerate_triangles"], 1);
  EXPECT_EQ(file["surface"]["intersecting_triangles"], 0);
  EXPECT_TRUE(file["surface"]["watertight"].get<bool>());
  EXPECT_EQ(file["file_warnings"].size(), 2u);
}

TEST(InfoCommand, SaysWhatAFileLooksLikeAndWhoseNamesItHas) {
  const TemporaryFolder folder;
  const std::string made = folder / "made.glb";
  ASSERT_EQ(run_sinew({"make-character", made, "--vertices", "1000", "--quiet"}).exit_code, 0);
  const ProgramResult text = run_sinew({"info", made, "--quick"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("names as in HumanIK"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("materials"), std::string::npos) << text.out;
  const nlohmann::json file = nlohmann::json::parse(run_sinew({"info", made, "--quick", "--json"}).out)["files"][0];
  EXPECT_EQ(file["skeleton"]["convention"], "HumanIK");
  EXPECT_GT(file["materials"].size(), 0u);
  EXPECT_NEAR(file["size_metres"][1].get<double>(), 1.7, 0.4);
  for (const char* list : {"textures", "morphs", "extensions", "extras"}) EXPECT_TRUE(file[list].is_array()) << list;

  // A quad with a picture.
  write_file(folder / "quad.obj",
             "mtllib quad.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
             "usemtl skin\nf 1/1 2/2 3/3 4/4\n");
  write_file(folder / "quad.mtl", "newmtl skin\nmap_Kd face.png\n");
  write_file(folder / "face.png", std::string("\x89PNG\r\n\x1a\n", 8) + "rubbish");
  const nlohmann::json quad =
      nlohmann::json::parse(run_sinew({"info", folder / "quad.obj", "--quick", "--json"}).out)["files"][0];
  EXPECT_EQ(quad["materials"], nlohmann::json::array({"skin"}));
  ASSERT_EQ(quad["textures"].size(), 1u);
  EXPECT_EQ(quad["textures"][0]["format"], "png");
  EXPECT_FALSE(quad.contains("size_metres"));  // nobody knows how large it is
  write_file(folder / "extended.gltf", extended_triangle);
  const ProgramResult extended = run_sinew({"info", folder / "extended.gltf", "--quick"});
  EXPECT_EQ(extended.exit_code, 0) << extended.err;
  for (const char* words : {"KHR_lights_punctual", "1: Smile", "node 'lamp'", "asset", "mesh 0"}) {
    EXPECT_NE(extended.out.find(words), std::string::npos) << words << " in " << extended.out;
  }
}

TEST(InfoCommand, BadInputIsCodeThreeAndOneHelpfulLine) {
  const TemporaryFolder folder;
  write_file(folder / "bad.obj", "v 0 0 0\nf 1 2 3\n");
  const ProgramResult result = run_sinew({"info", folder / "bad.obj"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(result.out.empty());
  EXPECT_NE(result.err.find("bad.obj': line 2: a face uses vertex 2, but there are 1 so far"), std::string::npos)
      << result.err;
  EXPECT_EQ(run_sinew({"info", folder / "missing.obj"}).exit_code, 3);
  EXPECT_EQ(run_sinew({"info"}).exit_code, 2);
}

TEST(InfoCommand, OneBadFileDoesNotHideTheOthers) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", tetrahedron);
  write_file(folder / "bad.obj", "v 0 0\n");
  const ProgramResult text = run_sinew({"info", folder / "bad.obj", folder / "a.obj"});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.out.find("watertight"), std::string::npos);
  EXPECT_NE(text.err.find("bad.obj"), std::string::npos);
  const ProgramResult json = run_sinew({"info", "--json", folder / "bad.obj", folder / "a.obj"});
  EXPECT_EQ(json.exit_code, 3);
  const nlohmann::json object = nlohmann::json::parse(json.out);
  EXPECT_FALSE(object["ok"].get<bool>());
  EXPECT_TRUE(object["files"][0].contains("error"));
  EXPECT_EQ(object["files"][1]["mesh"]["vertices"], 4);
}

// Every file of the data folder is read, with sensible words.
TEST(InfoCommand, ReadsTheWholeDataFolder) {
  if (data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  std::vector<std::string> arguments{"info", "--json", "--quick"};
  for (const char* folder : {"characters", "messy", "motion/cmu", "motion/makehuman", "motion/misc",
                             "motion/animated_drawings", "motion/rocketbox", "motion/kaykit"}) {
    for (const auto& file : data_files(folder, {".glb", ".fbx", ".obj", ".ply", ".off", ".pcd", ".bvh"})) {
      arguments.push_back(file);
    }
  }
  ASSERT_GT(arguments.size(), 50u);
  const ProgramResult result = run_sinew(arguments, 300);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace sinew::test
