#include "help_formatter.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace sinew::cli {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t help_column = 26;

// Columns of a terminal: code points, for help texts hold "…" and "°".
std::size_t columns_of(const std::string& text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

// Breaks `text` between words so that no line is wider than `width`; its own line ends stay.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string line;
    for (std::string word; words >> word;) {
      if (!line.empty() && columns_of(line) + 1 + columns_of(word) > width) {
        lines.push_back(line);
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    lines.push_back(line);
  }
  return lines;
}

// "  LEFT        help that goes on\n              below itself"
std::string entry(const std::string& left, const std::string& help) {
  std::string text = "  " + left;
  std::size_t column = columns_of(text);
  if (column + 2 > help_column) {
    text += '\n';
    column = 0;
  }
  for (const std::string& line : wrapped(help, line_width - help_column)) {
    text += std::string(help_column - column, ' ') + line + '\n';
    column = 0;
  }
  return text;
}

// "-o, --output TEXT"
std::string left_of(const OptionEntry& option) {
  std::string text;
  for (const std::string& flag : option.flags) text += (text.empty() ? "" : ", ") + flag;
  return text + (text.empty() || option.value.empty() ? "" : " ") + option.value;
}

std::string section(const std::string& heading, const std::vector<OptionEntry>& options) {
  std::string text = options.empty() ? "" : "\n" + heading + ":\n";
  for (const OptionEntry& option : options) text += entry(left_of(option), option.help);
  return text;
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    return help_text(entry_of(*app, name));
  }
};

}  // namespace

std::string help_text(const CommandEntry& command) {
  std::string text;
  for (const std::string& line : wrapped(command.description, line_width)) text += line + '\n';
  text += "usage: " + command.name + " " + command.usage + '\n';
  text += section("arguments", command.arguments);
  for (const OptionGroup& group : command.groups) text += section(group.heading, group.options);
  if (!command.commands.empty()) text += "\ncommands:\n";
  for (const CommandEntry& other : command.commands) text += entry(short_name(other), other.description);
  return text;
}

std::shared_ptr<CLI::FormatterBase> make_help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace sinew::cli
