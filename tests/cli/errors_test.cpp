// What a user reads who mistyped something, and what a program reads with --json.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::ProgramResult;
using test::run_sinew;

void expect_error(const std::vector<std::string>& arguments, int exit_code, const std::vector<std::string>& texts) {
  const ProgramResult result = run_sinew(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  for (const std::string& text : texts) {
    EXPECT_NE(result.err.find(text), std::string::npos) << "no '" << text << "' in: " << result.err;
  }
}

// Two bones in a box, with a motion.
Character small_character() {
  Character character;
  character.name = "small";
  for (int corner = 0; corner < 8; ++corner) {
    character.mesh.positions.push_back(
        Vec3f(corner & 1 ? 1.2f : -0.2f, corner & 2 ? 0.2f : -0.2f, corner & 4 ? 0.2f : -0.2f));
  }
  character.mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  add_joint(character.skeleton, "rig:Shoulder", -1, Affine3d::Identity(), JointKind::joint);
  Affine3d rest = Affine3d::Identity();
  rest.translation() = Vec3d(0.5, 0, 0);
  add_joint(character.skeleton, "rig:Elbow", 0, rest, JointKind::joint);
  character.weights = make_skin_weights(8, 1);
  for (std::size_t v = 0; v < 8; ++v) set_influences(character.weights, v, {{0, 1.0}});
  character.parts = {{"small", "", 0, 8, 0, 12, PartBinding::skinned}};
  character.motions = {{"walk", 30.0, 2, std::vector<Transform>(4)}};
  return character;
}

class Errors : public testing::Test {
 protected:
  Errors() {
    test::write_file(mesh_, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    save_character(small_character(), character_);
  }

  test::TemporaryFolder folder_;
  std::string mesh_ = (folder_ / "mesh.obj").string(), character_ = (folder_ / "small.glb").string(),
              output_ = (folder_ / "out.glb").string(), picture_ = (folder_ / "out.png").string();
};

TEST_F(Errors, AMistypedCommandGetsASuggestion) {
  expect_error({"rigg"}, 2, {"error: 'rigg' is not a command", "did you mean rig?"});
  expect_error({"cnvert", mesh_, output_}, 2, {"did you mean convert?"});
  expect_error({"xyzzy"}, 2, {"'xyzzy' is not a command", "sinew --help"});
  expect_error({}, 2, {"no command", "sinew --help"});
}

TEST_F(Errors, AMistypedOptionGetsASuggestion) {
  expect_error({"bind", mesh_, "-o", output_, "--metod", "heat"}, 2,
               {"bind has no option --metod", "did you mean --method?"});
  expect_error({"bind", mesh_, "-o", output_, "--metod=heat"}, 2, {"no option --metod\n", "did you mean --method?"});
  // Also where something else is missing.
  expect_error({"bind", "--ouput", output_, mesh_}, 2, {"did you mean --output?"});
  expect_error({"info", mesh_, "--zzz"}, 2, {"no option --zzz", "sinew info --help"});
  expect_error({"convert", mesh_, output_, "more"}, 2, {"'more' is one word too many"});
}

TEST_F(Errors, WhatIsMissingOrOutOfRangeIsNamed) {
  expect_error({"bind", mesh_}, 2, {"--output", "sinew bind --help"});
}

TEST_F(Errors, NumbersOutOfRangeAreToldWithTheRange) {
  expect_error({"render", mesh_, "-o", picture_, "--samples", "0"}, 2, {"error: --samples must be 1 … 4096, got 0\n"});
  expect_error({"lod", mesh_, "-o", output_, "--ratio", "1.5"}, 2, {"--ratio must be ", ", got 1.5"});
  expect_error({"info", mesh_, "--threads", "-1"}, 2, {"--threads must be 0 or more, got -1"});
  expect_error({"bind", mesh_, "-o", output_, "--max-influences", "40"}, 2,
               {"error: --max-influences must be 1 … 16, got 40\n"});
}

TEST_F(Errors, WhatIsNotANumberIsTold) {
  expect_error({"render", mesh_, "-o", picture_, "--samples", "many"}, 2,
               {"error: --samples must be a whole number, got 'many'"});
  expect_error({"info", mesh_, "--threads", "1.5"}, 2, {"--threads must be a whole number, got '1.5'"});
  expect_error({"bind", mesh_, "-o", output_, "--seed", "-3"}, 2,
               {"--seed must be a whole number, 0 or more, got '-3'"});
  expect_error({"lod", mesh_, "-o", output_, "--ratio", "half"}, 2, {"--ratio must be a number, got 'half'"});
  // A mistyped option is still the first thing that is told.
  expect_error({"render", mesh_, "-o", picture_, "--samples", "many", "--modee", "parts"}, 2, {"no option --modee"});
}

TEST_F(Errors, AMistypedChoiceGetsASuggestion) {
  expect_error({"fit", mesh_, "-o", output_, "--builtin", "adlt"}, 2,
               {"'adlt' is not a choice of --builtin", "did you mean adult? there are: adult, mitten, quadruped"});
  expect_error({"bind", mesh_, "-o", output_, "--method", "biharmonik"}, 2,
               {"'biharmonik' is not a weight method", "did you mean biharmonic?", "(--method)"});
  expect_error({"bind", mesh_, "-o", output_, "--method", "neural"}, 2,
               {"'neural' was retired", "use auto", "(--method)"});
  expect_error({"render", mesh_, "-o", picture_, "--mode", "wieghts"}, 2, {"did you mean weights?"});
  expect_error({"render", mesh_, "-o", picture_, "--view", "frnt"}, 2, {"did you mean front?"});
}

TEST_F(Errors, MistypedJointsMotionsAndMeasuresGetASuggestion) {
  expect_error({"render", character_, "-o", picture_, "--mode", "weights", "--joint", "Elbwo"}, 2,
               {"has no joint 'Elbwo'", "did you mean rig:Elbow?"});
  expect_error({"bind", character_, "-o", output_, "--joints", "Sholder"}, 2, {"did you mean rig:Shoulder?"});
  expect_error({"render", character_, "-o", picture_, "--motion", "wakl"}, 2, {"did you mean walk? there are: walk"});
  expect_error({"pose", character_, "-o", output_, "--motion", "wakl"}, 2, {"did you mean walk?"});
  expect_error({"bind", character_, "-o", output_, "--require", "coverag=1"}, 2,
               {"did you mean coverage?", "(--require)"});
}

TEST_F(Errors, WhatTheLibraryRefusesIsToldWithTheFlag) {
  expect_error({"bind", character_, "-o", output_, "--method", "atlas", "--softness", "-1"}, 2,
               {"must be 0 … ", "got -1 (--softness)"});
  expect_error({"bind", mesh_, "-o", output_}, 3, {"bind '" + mesh_ + "': there is no skeleton", "--skeleton FILE"});
  expect_error({"bind", character_, "-o", output_, "--method", "heat", "--power", "2"}, 2,
               {"method 'heat' has no option 'power' (--power)"});
  expect_error({"pose", mesh_, "-o", output_}, 3, {"sinew bind"});
}

TEST_F(Errors, JsonHasTheCode) {
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_sinew(arguments);
    const json object = json::parse(result.out, nullptr, false);
    EXPECT_FALSE(object.is_discarded()) << result.out << result.err;
    EXPECT_FALSE(object.value("ok", true));
    return object.value("error", json::object());
  };
  const json missing = error_of({"info", "--json", (folder_ / "missing.obj").string()});
  EXPECT_EQ(missing["code"], "file-not-found");
  EXPECT_EQ(missing["kind"], "bad_input");
  EXPECT_NE(missing["message"].get<std::string>().find("missing.obj"), std::string::npos);
  EXPECT_TRUE(missing["advice"].is_string());

  EXPECT_EQ(error_of({"rigg", "--json"})["code"], "command-unknown");
  EXPECT_EQ(error_of({"bind", mesh_, "--json", "--metod", "heat"})["code"], "option-unknown");
  EXPECT_EQ(error_of({"bind", mesh_, "--json"})["code"], "option-missing");
  EXPECT_EQ(error_of({"fit", mesh_, "-o", output_, "--json", "--builtin", "adlt"})["code"], "choice-unknown");
  EXPECT_EQ(error_of({"bind", mesh_, "-o", output_, "--json"})["code"], "skeleton-missing");
  EXPECT_EQ(error_of({"bind", character_, "-o", output_, "--json", "--require", "coverage=2"})["code"], "gate-not-met");
  const json range = error_of({"bind", character_, "-o", output_, "--json", "--max-influences", "40"});
  EXPECT_EQ(range["code"], "option-out-of-range");
  EXPECT_EQ(range["kind"], "usage");
}

TEST_F(Errors, HelpIsNoError) {
  const ProgramResult help = run_sinew({"bind", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("--method"), std::string::npos);
  EXPECT_EQ(run_sinew({"--version"}).exit_code, 0);
}

}  // namespace
}  // namespace sinew
