#include "man_page.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <sstream>

#include "sinew/error.h"

namespace sinew::cli {
namespace {

// The code point that begins at `at`, which moves behind it. Help texts are UTF-8.
std::uint32_t next_code_point(const std::string& text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  std::uint32_t point = more == 0 ? lead : lead & (0x3fu >> more);
  for (; more > 0 && at < text.size(); --more) point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  return point;
}

// As roff wants it: ASCII alone, hyphens that can be copied, no word that is taken for a macro.
std::string escaped(const std::string& text) {
  std::string roff = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t point = next_code_point(text, at);
    if (point == '\\') {
      roff += "\\e";
    } else if (point == '-') {
      roff += "\\-";
    } else if (point < 0x80) {
      roff += static_cast<char>(point);
    } else {
      char name[16];
      std::snprintf(name, sizeof name, "\\[u%04X]", static_cast<unsigned>(point));
      roff += name;
    }
  }
  return roff;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

// Line ends of the help are kept.
std::string paragraph(const std::string& text) {
  std::string roff;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) roff += (roff.empty() ? "" : ".br\n") + escaped(line) + '\n';
  return roff;
}

std::string item(const OptionEntry& option) {
  std::string left;
  for (const std::string& flag : option.flags) left += (left.empty() ? "" : ", ") + bold(flag);
  if (!option.value.empty()) left += (left.empty() ? "" : " ") + italic(option.value);
  return ".TP\n" + left + '\n' + paragraph(option.help);
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// "sinew bind" → "sinew-bind", the name of its page.
std::string page_name(const CommandEntry& command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string exit_status() {
  const std::pair<ErrorKind, const char*> kinds[] = {{ErrorKind::failed, "the work failed"},
                                                     {ErrorKind::usage, "wrong usage"},
                                                     {ErrorKind::bad_input, "a file is unreadable, invalid or unfit"},
                                                     {ErrorKind::gate, "a quality gate was not met"},
                                                     {ErrorKind::cancelled, "interrupted"}};
  std::string text = ".SH EXIT STATUS\n.TP\n\\fB0\\fR\nthe command did what it was asked\n";
  for (const auto& [kind, words] : kinds) text += ".TP\n" + bold(std::to_string(exit_code(kind))) + '\n' + words + '\n';
  return text;
}

std::string see_also(const CommandEntry& command, const ProgramTable& table) {
  // What is below it, or else what it belongs to.
  const std::vector<CommandEntry> others = command.commands.empty() ? std::vector{table.program} : command.commands;
  std::string text;
  for (const CommandEntry& other : others) {
    text += (text.empty() ? ".BR " : ",\n.BR ") + escaped(page_name(other)) + " (1)";
  }
  return ".SH SEE ALSO\n" + text + '\n';
}

}  // namespace

std::string man_page(const CommandEntry& command, const ProgramTable& table) {
  const std::string name = page_name(command);
  std::string page =
      ".\\\" Made by: " + table.program.name + " help" + command.name.substr(table.program.name.size()) + " --man\n";
  page += ".TH " + escaped(upper_case(name)) + " 1 \"\" \"" + escaped(table.program.name + " " + table.version) +
          "\" \"User Commands\"\n";
  page += ".SH NAME\n" + escaped(name) + " \\- " + escaped(command.description) + '\n';
  page += ".SH SYNOPSIS\n" + bold(command.name) + " " + escaped(command.usage) + '\n';
  if (!command.arguments.empty()) page += ".SH ARGUMENTS\n";
  for (const OptionEntry& argument : command.arguments) page += item(argument);
  if (!command.commands.empty()) page += ".SH COMMANDS\n";
  for (const CommandEntry& other : command.commands) {
    page += ".TP\n" + bold(short_name(other)) + '\n' + paragraph(other.description);
  }
  for (const OptionGroup& group : command.groups) {
    page += ".SH \"" + escaped(upper_case(group.heading)) + "\"\n";
    for (const OptionEntry& option : group.options) page += item(option);
  }
  return page + exit_status() + see_also(command, table);
}

}  // namespace sinew::cli
