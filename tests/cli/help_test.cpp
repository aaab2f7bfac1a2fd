// What --help prints: every line fits a terminal of 80 columns, and every option says what it wants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_program.h"

namespace sinew::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The text on one line, words one space apart.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

// One byte per column.
std::string plain(std::string line) {
  for (std::size_t at = 0; (at = line.find("…", at)) != std::string::npos;) line.replace(at, 3, ".");
  return line;
}

std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

using Words = std::vector<std::string>;

Words with(Words words, const std::string& word) {
  words.push_back(word);
  return words;
}

// The words that `sinew --help` lists as commands, and those of groups (`sinew weights --help`) behind their group's.
std::vector<Words> commands(const Words& group = {}) {
  std::vector<Words> found;
  bool listing = false;
  for (const std::string& line : lines_of(run_sinew(with(group, "--help")).out)) {
    if (line.starts_with("  ") && listing && line[2] != ' ') {
      found.push_back(with(group, line.substr(2, line.find(' ', 2) - 2)));
      if (found.back() == Words{"weights"}) {
        for (const Words& words : commands({"weights"})) found.push_back(words);
      }
    }
    if (line == "commands:") listing = true;
  }
  return found;
}

TEST(Help, ListsTheCommands) {
  const std::vector<Words> all = commands();
  EXPECT_GE(all.size(), 26u);
  for (const char* name : {"rig", "bind", "make-character", "view", "weights"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), Words{name}), 1) << name;
  }
  EXPECT_EQ(std::count(all.begin(), all.end(), Words({"weights", "mirror"})), 1);
}

TEST(Help, FitsEightyColumns) {
  std::vector<Words> calls{{"--help"}};
  for (const Words& words : commands()) calls.push_back(with(words, "--help"));
  for (const Words& call : calls) {
    const ProgramResult help = run_sinew(call);
    EXPECT_EQ(help.exit_code, 0) << call.front();
    for (const std::string& line : lines_of(help.out)) EXPECT_LE(columns_of(line), 80u) << call.front() << ": " << line;
  }
}

// "  --samples N           rays per pixel": help begins in column 26, on the same line or, after a long name, the next.
TEST(Help, EveryOptionIsExplainedInLowerCase) {
  constexpr std::size_t help_column = 26;
  for (const Words& words : commands()) {
    const std::string& name = words.back();
    const std::vector<std::string> lines = lines_of(plain(run_sinew(with(words, "--help")).out));
    std::size_t options = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].starts_with("  ") || lines[i][2] == ' ') continue;
      ++options;
      const bool beside = lines[i].size() > help_column && lines[i].substr(help_column - 2, 2) == "  ";
      const std::string& line = beside || i + 1 == lines.size() ? lines[i] : lines[i + 1];
      ASSERT_GT(line.size(), help_column) << name << ": " << lines[i];
      EXPECT_TRUE(std::islower(static_cast<unsigned char>(line[help_column])) || line.substr(help_column, 4) == "JSON")
          << name << ": " << line;
    }
    EXPECT_GE(options, 6u) << name;
  }
}

TEST(Help, TheHelpCommandPrintsTheSame) {
  EXPECT_EQ(run_sinew({"help"}).out, run_sinew({"--help"}).out);
  for (const Words& words : commands()) {
    Words help = words;
    help.insert(help.begin(), "help");
    EXPECT_EQ(run_sinew(help).out, run_sinew(with(words, "--help")).out) << words.back();
  }
  const ProgramResult wrong = run_sinew({"help", "rigg"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("did you mean rig?"), std::string::npos) << wrong.err;
}

TEST(Help, IsDataWithJson) {
  const ProgramResult help = run_sinew({"help", "bind", "--json"});
  const nlohmann::json entry = nlohmann::json::parse(help.out).at("help");
  EXPECT_EQ(entry.at("usage"), "MESH -o TEXT [options]");
  const auto method = std::find_if(entry.at("options").begin(), entry.at("options").end(),
                                   [](const auto& option) { return option.at("flags").back() == "--method"; });
  ASSERT_NE(method, entry.at("options").end());
  EXPECT_GE(method->at("choices").size(), 6u);
}

// The words of a manual page as a reader sees them, near enough: escapes that the program writes are taken back.
std::string without_roff(std::string page) {
  for (const auto& [roff, text] : {std::pair<std::string, std::string>{"\\-", "-"},
                                   {"\\fB", ""},
                                   {"\\fI", ""},
                                   {"\\fR", ""},
                                   {"\\&", ""},
                                   {"\\[u2026]", "…"}}) {
    for (std::size_t at = 0; (at = page.find(roff, at)) != std::string::npos;) page.replace(at, roff.size(), text);
  }
  return page;
}

TEST(Help, EveryCommandHasAManualPage) {
  EXPECT_NE(without_roff(run_sinew({"help", "--man"}).out).find("sinew-make-character (1)"), std::string::npos);
  EXPECT_NE(without_roff(run_sinew({"help", "weights", "--man"}).out).find("sinew-weights-mirror (1)"),
            std::string::npos);
  for (const Words& typed : commands()) {
    Words help{"help"};
    std::string name = "sinew";
    for (const std::string& word : typed) {
      help.push_back(word);
      name += "-" + word;
    }
    const std::string page = run_sinew(with(help, "--man")).out;
    const std::string words = without_roff(page);
    EXPECT_NE(words.find(name + " - "), std::string::npos) << page;
    const nlohmann::json entry = nlohmann::json::parse(run_sinew(with(help, "--json")).out).at("help");
    for (const nlohmann::json& option : entry.at("options")) {
      const std::string help = option.at("help");
      EXPECT_NE(words.find(option.at("flags").back().get<std::string>()), std::string::npos) << name;
      EXPECT_NE(words.find(help.substr(0, help.find('\n'))), std::string::npos) << name << ": " << help;
    }
    for (const std::string& line : lines_of(page)) {
      for (const char c : line) EXPECT_LT(static_cast<unsigned char>(c), 0x80) << line;
      if (!line.starts_with('.')) continue;
      const std::string macro = line.substr(0, line.find(' '));
      EXPECT_TRUE(macro == ".\\\"" || macro == ".TH" || macro == ".SH" || macro == ".TP" || macro == ".br" ||
                  macro == ".BR")
          << line;
    }
  }
}

TEST(Help, StatesRangeAndDefault) {
  const std::string help = unwrapped(run_sinew({"render", "--help"}).out);
  EXPECT_NE(help.find("1 … 4096; default 16"), std::string::npos) << help;
  const std::string bind = run_sinew({"bind", "--help"}).out;
  EXPECT_NE(bind.find("usage: sinew bind MESH -o TEXT [options]"), std::string::npos) << bind;
  EXPECT_NE(bind.find("options of each method:"), std::string::npos) << bind;
  const std::string prune = run_sinew({"weights", "prune", "--help"}).out;
  EXPECT_NE(prune.find("usage: sinew weights prune IN -o TEXT [options]"), std::string::npos) << prune;
}

}  // namespace
}  // namespace sinew::test
