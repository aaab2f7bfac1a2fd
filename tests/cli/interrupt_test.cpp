// Ctrl-C: a command stops, says so, leaves no half output and ends as a program that Ctrl-C ended.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Runs a command that would take minutes and interrupts it once it listens to Ctrl-C and has begun.
test::ProgramResult interrupted(const std::vector<std::string>& command) {
  const char* script =
      "\"$@\" & child=$!; "
      "until (( 0x$(awk '/^SigCgt/ { print $2 }' /proc/$child/status) & 2 )); do sleep 0.01; done; "
      "sleep 0.5; kill -INT $child; wait $child";
  std::vector<std::string> arguments = {"-c", script, "bash", SINEW_PROGRAM};
  arguments.insert(arguments.end(), command.begin(), command.end());
  return test::run_program("/bin/bash", arguments);
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Interrupt, EndsLongCommandsWithoutHalfOutputs) {
  const test::TemporaryFolder folder;
  const std::string hero = (folder / "hero.glb").string(), output = (folder / "out.glb").string();
  ASSERT_EQ(test::run_sinew({"make-character", hero, "--vertices", "3000"}).exit_code, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"bind", hero, "-o", output, "--method", "skincells", "--steps", "100000", "--fit-steps", "100000"},
      {"make-character", output, "--vertices", "500000"},
      {"evaluate", hero, hero, "--random-poses", "100000", "--intersection-poses", "100000"},
      {"render", hero, "-o", (folder / "out.png").string(), "--samples", "1000", "--size", "4000x4000"}};
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command[0]);
    std::vector<std::string> with_json = command;
    with_json.push_back("--json");
    const test::ProgramResult result = interrupted(with_json);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_NE(result.err.find("error: stopped on request"), std::string::npos) << result.err;
    const nlohmann::json answer = nlohmann::json::parse(result.out, nullptr, false);
    ASSERT_TRUE(answer.is_object()) << result.out;
    EXPECT_EQ(answer["ok"], false);
    EXPECT_EQ(answer["error"]["code"], "cancelled");
    EXPECT_EQ(files_in(folder.path()), std::set<std::string>{"hero.glb"});
  }
}

}  // namespace
}  // namespace sinew
