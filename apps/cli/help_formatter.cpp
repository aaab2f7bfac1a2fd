#include "help_formatter.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "command.h"

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

std::string joined_names(const std::set<CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* option : options) names += (names.empty() ? "" : ", ") + option->get_name();
  return names;
}

// What stands for the value: N for whole numbers, X for others.
std::string placeholder(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  std::string name = option.get_type_name();
  name = name.substr(0, name.find(':'));
  if (name == "INT" || name == "UINT") name = "N";
  if (name == "FLOAT") name = "X";
  const bool many = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  return " " + name + (many ? "…" : "");
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "arguments"); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, name) + make_positionals(app) + option_groups(app) +
           make_subcommands(app, mode);
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    return CLI::Formatter::make_group(group == "Options" ? "options" : group, is_positional, options);
  }

  std::string make_description(const CLI::App* app) const override {
    std::string text;
    for (const std::string& line : wrapped(app->get_description(), line_width)) text += line + '\n';
    return text;
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string text = "usage: " + name;
    if (!app->get_subcommands({}).empty()) return text + " COMMAND [options]\n";
    for (const CLI::Option* option : app->get_options({})) {
      if (option->get_positional()) text += " " + make_option_usage(option);
    }
    for (const CLI::Option* option : app->get_options({})) {
      if (!option->nonpositional() || !option->get_required()) continue;
      const bool has_short = !option->get_snames().empty();
      text += has_short ? " -" + option->get_snames().front() : " --" + option->get_lnames().front();
      text += placeholder(*option);
    }
    return text + " [options]\n";
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string help = option->get_description();
    const char* between = help.find('\n') == std::string::npos ? "; " : "\n";
    if (!option->get_default_str().empty()) help += between + ("default " + option->get_default_str());
    if (!option->get_needs().empty()) help += "; with " + joined_names(option->get_needs());
    if (!option->get_excludes().empty()) help += "; not with " + joined_names(option->get_excludes());
    return entry(left_of(option, is_positional), help);
  }

  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
    std::string text = app->get_subcommands({}).empty() ? "" : "\ncommands:\n";
    for (const CLI::App* command : app->get_subcommands({})) text += make_subcommand(command);
    return text;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }

 private:
  // What all commands share comes last.
  std::string option_groups(const CLI::App* app) const {
    std::vector<std::string> groups = app->get_groups();
    std::stable_partition(groups.begin(), groups.end(), [](const std::string& name) { return name != common_options; });
    std::string text;
    for (const std::string& group : groups) {
      const auto options =
          app->get_options([&group](const CLI::Option* o) { return o->get_group() == group && o->nonpositional(); });
      if (!options.empty()) text += make_group(group, false, options);
    }
    return text;
  }

  static std::string left_of(const CLI::Option* option, bool is_positional) {
    if (is_positional) return option->get_name(true, false);
    std::string names;
    for (const std::string& name : option->get_snames()) names += (names.empty() ? "-" : ", -") + name;
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : ", --") + name;
    return names + placeholder(*option);
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace sinew::cli
