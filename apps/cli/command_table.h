// What the program takes, as plain data. Help, manual pages and completion are all made of this one table, which
// command.h fills while commands are added.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's
class App;
class Option;
}  // namespace CLI

namespace sinew::cli {

struct OptionEntry {
  std::vector<std::string> flags;    // {"-o", "--output"}; none for what stands at its place
  std::string value;                 // what stands for the value: "N", "TEXT…", "FILE"; empty for a flag without one
  std::string help;                  // one line or several, with range, default and what it goes with
  std::vector<std::string> choices;  // words to complete; empty where anything goes
  bool takes_number = false;
  bool many = false;  // any number of values, one after the other
};

struct OptionGroup {
  std::string heading;
  std::vector<OptionEntry> options;
};

struct CommandEntry {
  std::string name;  // as it is typed: "sinew bind", "sinew weights mirror", or "sinew" for the program itself
  std::string description;
  std::string usage;  // without the name: "MESH -o TEXT [options]"
  std::vector<OptionEntry> arguments;
  std::vector<OptionGroup> groups;
  std::vector<CommandEntry> commands;  // of the program, or of a group like "sinew weights"
};

struct ProgramTable {
  CommandEntry program;
  std::string version;
};

// "sinew bind" → "bind", "sinew weights mirror" → "mirror".
std::string short_name(const CommandEntry& command);

// The words that an option takes or suggests, beside the parser, which has no place for them.
using OptionChoices = std::map<const CLI::Option*, std::vector<std::string>>;

// What a parser knows of a command.
CommandEntry entry_of(const CLI::App& parser, const std::string& name, const OptionChoices& choices = {});

}  // namespace sinew::cli
