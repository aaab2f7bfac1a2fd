// What `sinew completion` prints: bash completes by it, and zsh and fish can read it where they are installed.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

std::string script_for(const std::string& shell) {
  const ProgramResult result = run_sinew({"completion", shell});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

// What bash offers for the last of `words`, as it comes from the line: --option=value is three words.
std::vector<std::string> offered(const std::vector<std::string>& words) {
  std::string line = script_for("bash") + "COMP_WORDS=(";
  for (const std::string& word : words) line += " '" + word + "'";
  line += " )\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_sinew\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  const ProgramResult result = run_program("/bin/bash", {"--norc", "-c", line});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::vector<std::string> offers;
  std::istringstream lines(result.out);
  for (std::string offer; std::getline(lines, offer);) {
    if (!offer.empty()) offers.push_back(offer);
  }
  return offers;
}

using Words = std::vector<std::string>;

TEST(Completion, BashOffersCommandsOptionsAndChoices) {
  EXPECT_EQ(offered({"sinew", "make"}), Words{"make-character"});
  EXPECT_EQ(offered({"sinew", "--ver"}), Words{"--version"});
  EXPECT_EQ(offered({"sinew", "bind", "--max-inf"}), Words{"--max-influences"});
  EXPECT_EQ(offered({"sinew", "bind", "mesh.glb", "--method", "bih"}), Words{"biharmonic"});
  EXPECT_EQ(offered({"sinew", "bind", "-m", "bih"}), Words{"biharmonic"});
  EXPECT_EQ(offered({"sinew", "bind", "--method", "=", "bih"}), Words{"biharmonic"});
  EXPECT_GE(offered({"sinew", "bind", "--method", "="}).size(), 6u);
  EXPECT_EQ(offered({"sinew", "make-character", "--kind", "qu"}), Words{"quadruped"});
  EXPECT_EQ(offered({"sinew", "help", "ret"}), Words{"retarget"});
  EXPECT_EQ(offered({"sinew", "completion", ""}), (Words{"bash", "fish", "zsh"}));
}

TEST(Completion, BashLeavesFilesToItself) {
  EXPECT_EQ(offered({"sinew", "bind", "he"}), Words{});
  EXPECT_EQ(offered({"sinew", "bind", "--skeleton", "he"}), Words{});
  EXPECT_EQ(offered({"sinew", "nonsense", "--"}), Words{});
}

TEST(Completion, EveryShellHearsOfEveryOption) {
  std::vector<std::string> flags;
  std::istringstream words(run_sinew({"bind", "--help"}).out);
  for (std::string word; words >> word;) {
    if (word.starts_with("--") && word.size() > 3 && std::isalpha(static_cast<unsigned char>(word[2]))) {
      flags.push_back(word.substr(2, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") - 2));
    }
  }
  EXPECT_GT(flags.size(), 20u);
  for (const char* shell : {"bash", "fish", "zsh"}) {
    const std::string script = script_for(shell);
    for (const std::string& flag : flags) EXPECT_NE(script.find(flag), std::string::npos) << shell << ": " << flag;
  }
  EXPECT_EQ(run_sinew({"completion", "tcsh"}).exit_code, 2);
}

// Parses the script without running it.
void expect_readable(const std::string& program, const std::string& shell) {
  const TemporaryFolder folder;
  const std::string file = (folder / "script").string();
  std::ofstream(file) << script_for(shell);
  const ProgramResult result = run_program(program, {"-n", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST(Completion, ZshReadsIt) {
  if (!std::ifstream("/usr/bin/zsh")) GTEST_SKIP() << "zsh is not installed";
  expect_readable("/usr/bin/zsh", "zsh");
}

TEST(Completion, FishReadsIt) {
  if (!std::ifstream("/usr/bin/fish")) GTEST_SKIP() << "fish is not installed";
  expect_readable("/usr/bin/fish", "fish");
}

}  // namespace
}  // namespace sinew::test
