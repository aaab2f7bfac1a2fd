// "-" for standard input and output, in every command that reads or writes characters, fields or pictures.
#include <gtest/gtest.h>

#include "sinew/draw/image.h"
#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult made = run_sinew({"make-character", file("hero.glb"), "--vertices", "1500"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    hero_ = read_file(folder_ / "hero.glb");
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // What the command writes to standard output, given the hero on its standard input.
  std::string piped(const std::vector<std::string>& arguments) const {
    const ProgramResult result = run_sinew_on(hero_, arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments[0] << ": " << result.err;
    EXPECT_FALSE(result.err.empty()) << arguments[0] << " reports on stderr";
    return result.out;
  }

  TemporaryFolder folder_;
  std::string hero_;
};

TEST_F(Streams, TheSameBytesAsFiles) {
  EXPECT_EQ(run_sinew({"make-character", "-", "--vertices", "1500"}).out, hero_);
  for (const char* format : {"glb", "obj", "ply", "stl", "off", "bvh"}) {
    const std::string output = file(std::string("out.") + format);
    ASSERT_EQ(run_sinew({"convert", file("hero.glb"), output}).exit_code, 0);
    std::string written = read_file(output);
    // Materials of an OBJ file are in a file beside it, and standard output has nothing beside it.
    const std::string materials = "mtllib out.mtl\n";
    if (const std::size_t at = written.find(materials); at != std::string::npos) written.erase(at, materials.size());
    EXPECT_TRUE(piped({"convert", "-", "-", "--to", format}) == written) << format;
  }
  EXPECT_EQ(piped({"convert", "-", "-"}), hero_) << "GLB unless told otherwise";
}

TEST_F(Streams, GltfHoldsEverythingInOneFile) {
  const std::string gltf = piped({"convert", "-", "-", "--to", "gltf"});
  const Character read = read_character(bytes_of(gltf)), hero = read_character(bytes_of(hero_));
  EXPECT_EQ(read.mesh.positions, hero.mesh.positions);
  EXPECT_EQ(read.motions.size(), hero.motions.size());
}

TEST_F(Streams, EveryCommandThatMakesACharacter) {
  Character bare = read_character(bytes_of(hero_));
  bare.skeleton = {};
  bare.weights = {};
  bare.motions.clear();
  for (Part& part : bare.parts) part.binding = PartBinding::fixed;
  save_character(bare, file("bare.obj"));
  const std::vector<std::vector<std::string>> commands = {
      {"bind", "-", "-o", "-", "--method", "proximity"},
      {"bind", file("bare.obj"), "--skeleton", "-", "-o", "-", "--method", "proximity"},
      {"fit", file("bare.obj"), "--skeleton", "-", "-o", "-"},
      {"rig", file("bare.obj"), "--motion", "-", "-o", "-", "--method", "proximity"},
      {"retarget", "-", file("hero.glb"), "-o", "-"},
      {"retarget", file("hero.glb"), "-", "-o", "-"},
      {"lod", "-", "-o", "-", "--levels", "2"},
      {"pose", "-", "-o", "-", "--frame", "3"},
  };
  for (const auto& command : commands) {
    const Character made = read_character(bytes_of(piped(command)));
    EXPECT_FALSE(made.skeleton.empty()) << command[0];
    EXPECT_EQ(made.format, FileFormat::glb);
  }
  EXPECT_FALSE(read_character(bytes_of(piped({"pose", "-", "-o", "-", "--frame", "3", "--to", "obj"}))).has_skin());
}

TEST_F(Streams, FieldsAndPictures) {
  const std::string field = file("hero.skincells");
  ASSERT_EQ(run_sinew({"bind", file("hero.glb"), "-o", file("bound.glb"), "--method", "skincells", "--fit-steps", "20",
                       "--steps", "2", "--random-poses", "4", "--sites", "2", "--field", field})
                .exit_code,
            0);
  const ProgramResult applied = run_sinew_on(read_file(field), {"field", "-", file("hero.glb"), "-o", "-"});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_TRUE(read_character(bytes_of(applied.out)).has_skin());
  const Image picture = decode_image(bytes_of(piped({"render", "-", "-o", "-", "--size", "40x30", "--samples", "1"})));
  EXPECT_EQ(picture.width, 40);
  EXPECT_EQ(picture.height, 30);
}

TEST_F(Streams, ReadersOnly) {
  const ProgramResult info = run_sinew_on(hero_, {"info", "-", "--quick", "--json"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("\"glTF\""), std::string::npos);
  EXPECT_NE(info.out.find("\"bytes\": " + std::to_string(hero_.size())), std::string::npos) << info.out.substr(0, 300);
  const ProgramResult measured =
      run_sinew_on(hero_, {"evaluate", "-", file("hero.glb"), "--random-poses", "0", "--poses-per-motion", "1"});
  EXPECT_EQ(measured.exit_code, 0) << measured.err;
}

TEST_F(Streams, WhatCannotBe) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const ProgramResult result = run_sinew_on(hero_, arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[0];
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  };
  refused({"convert", "-", "-", "--json"}, "--json");
  refused({"convert", "-", file("out.glb"), "--to", "glb"}, "--to");
  refused({"convert", "-", "-", "--to", "dae"}, "dae");
  refused({"retarget", "-", "-", "-o", file("out.glb")}, "only once");
  refused({"retarget", "-", file("hero.glb"), "-o", "-", "--write-map", "-"}, "only one output");
  refused({"lod", "-", "-o", "-", "--separate"}, "--separate");
  EXPECT_EQ(run_sinew({"convert", "-", "-"}).exit_code, 3) << "nothing on standard input";
  const ProgramResult garbage = run_sinew_on("Dear Sir or Madam,\n", {"convert", "-", "-"});
  EXPECT_EQ(garbage.exit_code, 3);
  EXPECT_NE(garbage.err.find("'stdin'"), std::string::npos) << garbage.err;
  EXPECT_TRUE(garbage.out.empty());
}

}  // namespace
}  // namespace sinew::test
