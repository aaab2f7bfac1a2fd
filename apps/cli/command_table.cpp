#include "command_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command.h"

namespace sinew::cli {
namespace {

std::string joined_names(const std::set<CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* option : options) names += (names.empty() ? "" : ", ") + option->get_name();
  return names;
}

bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() == CLI::detail::expected_max_vector_size;
}

// "INT", "UINT", "FLOAT", "TEXT"; empty for a flag without a value.
std::string type_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}

bool is_whole_number(const std::string& type) { return type == "INT" || type == "UINT"; }

// What stands for the value: N for whole numbers, X for others.
std::string placeholder(const CLI::Option& option) {
  std::string type = type_of(option);
  if (is_whole_number(type)) type = "N";
  if (type == "FLOAT") type = "X";
  return type + (type.empty() || !takes_many(option) ? "" : "…");
}

std::string help_of(const CLI::Option& option) {
  std::string help = option.get_description();
  const char* between = help.find('\n') == std::string::npos ? "; " : "\n";
  if (!option.get_default_str().empty()) help += between + ("default " + option.get_default_str());
  if (!option.get_needs().empty()) help += "; with " + joined_names(option.get_needs());
  if (!option.get_excludes().empty()) help += "; not with " + joined_names(option.get_excludes());
  return help;
}

std::string usage_of(const CLI::App& parser) {
  if (!parser.get_subcommands({}).empty()) return "COMMAND [options]";
  std::string text;
  for (const CLI::Option* option : parser.get_options({})) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true, false) + (takes_many(*option) ? "..." : "");
    text += option->get_required() ? name + " " : "[" + name + "] ";
  }
  for (const CLI::Option* option : parser.get_options({})) {
    if (!option->nonpositional() || !option->get_required()) continue;
    const bool has_short = !option->get_snames().empty();
    text += has_short ? "-" + option->get_snames().front() : "--" + option->get_lnames().front();
    text += " " + placeholder(*option) + " ";
  }
  return text + "[options]";
}

OptionEntry entry_of(const CLI::Option& option, const OptionChoices& choices) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.flags.push_back("--" + name);
  entry.value = option.get_positional() ? option.get_name(true, false) : placeholder(option);
  entry.help = help_of(option);
  if (const auto words = choices.find(&option); words != choices.end()) entry.choices = words->second;
  entry.takes_number = is_whole_number(type_of(option)) || type_of(option) == "FLOAT";
  entry.many = takes_many(option);
  return entry;
}

}  // namespace

std::string short_name(const CommandEntry& command) { return command.name.substr(command.name.rfind(' ') + 1); }

CommandEntry entry_of(const CLI::App& parser, const std::string& name, const OptionChoices& choices) {
  CommandEntry entry;
  entry.name = name;
  entry.description = parser.get_description();
  entry.usage = usage_of(parser);
  for (const CLI::Option* option : parser.get_options({})) {
    if (option->get_positional()) entry.arguments.push_back(entry_of(*option, choices));
  }
  // What all commands share comes last.
  std::vector<std::string> groups = parser.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != common_options; });
  for (const std::string& heading : groups) {
    OptionGroup group{heading == "Options" ? "options" : heading, {}};
    for (const CLI::Option* option : parser.get_options({})) {
      if (option->nonpositional() && option->get_group() == heading)
        group.options.push_back(entry_of(*option, choices));
    }
    if (!group.options.empty()) entry.groups.push_back(std::move(group));
  }
  for (const CLI::App* command : parser.get_subcommands({})) {
    entry.commands.push_back(entry_of(*command, name + " " + command->get_name(), choices));
  }
  return entry;
}

}  // namespace sinew::cli
