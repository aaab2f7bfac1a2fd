#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// Runs the built program; stdout goes to `output`.
int run_make_character(const std::string& arguments, const std::filesystem::path& output) {
  const std::string command =
      std::string(SINEW_PROGRAM) + " make-character " + arguments + " > '" + output.string() + "' 2>/dev/null";
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(MakeCharacterCommand, WritesACharacterThatComesBackWhole) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "toon.glb", answer = folder / "answer.json";
  ASSERT_EQ(run_make_character(file.string() + " --kind toon --vertices 1500 --seed 5 --json", answer), 0);
  const auto json = nlohmann::json::parse(test::read_file(answer));
  EXPECT_TRUE(json["ok"]);
  const Character character = load_character(file);
  EXPECT_EQ(character.mesh.vertex_count(), json["characters"][0]["vertices"]);
  EXPECT_NEAR(static_cast<double>(character.mesh.vertex_count()), 1500, 75);
  EXPECT_TRUE(character.has_skin());
  EXPECT_EQ(count_unweighted(character.weights), 0u);
  EXPECT_EQ(character.motions.size(), 2u);
  EXPECT_GE(find_joint(character.skeleton, "LeftHandThumb1"), 0);
  EXPECT_TRUE(character.warnings.empty());
}

TEST(MakeCharacterCommand, MakesADataSetInAFolder) {
  const test::TemporaryFolder folder;
  const std::filesystem::path answer = folder / "answer.txt";
  ASSERT_EQ(
      run_make_character((folder / "set").string() + " --count 2 --vertices 1000 --seed 40 --garment bare", answer), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "set/adult_00040.glb"));
  EXPECT_TRUE(std::filesystem::exists(folder / "set/adult_00041.glb"));
}

TEST(MakeCharacterCommand, WrongUsageIsExitCodeTwo) {
  const test::TemporaryFolder folder;
  const std::filesystem::path answer = folder / "answer.txt";
  EXPECT_EQ(run_make_character((folder / "a.glb").string() + " --vertices 12", answer), 2);
  EXPECT_EQ(run_make_character((folder / "a.glb").string() + " --kind dragon", answer), 2);
  EXPECT_EQ(run_make_character((folder / "a.glb").string() + " --count 3", answer), 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.glb"));
}

}  // namespace
}  // namespace sinew
