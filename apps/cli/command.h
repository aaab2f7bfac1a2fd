// What a command asks of its user: options, flags and file names, and what values they may have.
//
//   Command* command = session.add_command("info", "what a file holds and what is wrong with it");
//   command->add_option("FILE", options->files, "meshes, characters, motions or point clouds")->required();
//   command->add_option("--samples", options->samples, "rays per pixel")->in_range(1, 4096)->show_default();
//
// A thin face over CLI11, so that only command.cpp pays for that header (six seconds in every file that includes it).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_table.h"
#include "sinew/error.h"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's
class App;
class Option;
}  // namespace CLI

namespace sinew::cli {

// The heading under which the help of every command lists what all commands share, at its end.
inline constexpr const char* common_options = "options of every command";

class Option {
 public:
  Option(CLI::Option* parsed, OptionChoices* choices) : parsed_(parsed), choices_(choices) {}

  Option* required();
  Option* show_default();                        // in the help, as the value has it now
  Option* default_is(const std::string& words);  // the same where words say it better: "the first motion"
  // Limits: checked, and added to the help line.
  Option* in_range(int low, int high);
  Option* in_range(double low, double high);
  Option* positive();
  Option* non_negative();                                 // the help line says what 0 means
  Option* one_of(const std::vector<std::string>& words);  // which the help line lists
  Option* suggest(std::vector<std::string> words);        // for completion, where something else checks them
  // Lists: the character between their values, how many there must be, and no further words after the first.
  Option* delimiter(char between);
  Option* expected(int count);
  Option* one_word();
  Option* excludes(const Option* other);
  Option* needs(const Option* other);
  Option* group(const std::string& heading);

 private:
  CLI::Option* parsed_;
  OptionChoices* choices_;
};

class Command {
 public:
  Command(CLI::App* parsed, std::string name, OptionChoices* choices)
      : parsed_(parsed), name_(std::move(name)), choices_(choices) {}

  // `names` as in "-o,--output", or a word without dashes for what stands at its place. `value` must outlive parsing.
  // Instantiated in command.cpp for the types in use: add yours to its list.
  template <typename Value>
  Option* add_option(const std::string& names, Value& value, const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  // A word that stands for a number (an enumerator), in any case.
  template <typename Value>
  Option* add_choice(const std::string& names, Value& value, const std::map<std::string, Value>& words,
                     const std::string& help) {
    return add_named_choice(
        names, [&value, words](const std::string& word) { value = words.at(word); }, keys_of(words), help);
  }
  // Hands each value to `take` as it is typed.
  Option* add_reader(const std::string& names, std::function<void(const std::string&)> take, const std::string& help);

  const std::string& name() const { return name_; }  // with its group
  void when_chosen(std::function<void()> action);

 private:
  Option* add_named_choice(const std::string& names, std::function<void(const std::string&)> take,
                           const std::vector<std::string>& words, const std::string& help);
  template <typename Value>
  static std::vector<std::string> keys_of(const std::map<std::string, Value>& words) {
    std::vector<std::string> keys;
    for (const auto& [word, value] : words) keys.push_back(word);
    return keys;
  }
  Option* keep(CLI::Option* option);

  CLI::App* parsed_;
  std::string name_;
  OptionChoices* choices_;
  std::deque<Option> options_;
};

// The program with its commands.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& description, const std::string& version);
  ~CommandLine();

  // "info", or in a group "weights mirror": the group must be there.
  Command* add_command(const std::string& name, const std::string& description);
  // A word before several commands: `sinew weights mirror`, `sinew weights smooth`.
  void add_group(const std::string& name, const std::string& description);

  // chosen: a command's when_chosen has run. answered: help or the version was asked for and printed. Throws
  // Error(usage) with a guess at what was meant where a command, an option or a choice was mistyped.
  enum class Outcome { chosen, answered };
  Outcome parse(int argc, const char* const* argv);

  std::vector<std::string> command_names() const;  // those added so far, groups by their own name
  // Everything that can be typed.
  ProgramTable table() const;

  // What was typed, whether it made sense or not: the command ("info", "weights mirror", or a group alone), or nothing;
  // and whether a word is among the rest.
  std::string command() const;
  bool has_word(const std::string& word) const;
  // Whether the command has this flag ("--skeleton"), and whether it was given.
  bool has_flag(const std::string& flag) const;
  bool is_given(const std::string& flag) const;
  // The files (and whatever else has its place without a flag) that the command was given.
  std::vector<std::string> inputs() const;

 private:
  const CLI::App* chosen() const;  // the command or the group, if what was typed is one
  std::optional<Error> unknown_word() const;

  std::unique_ptr<CLI::App> parser_;
  std::string version_;
  OptionChoices choices_;
  std::deque<Command> commands_;
  std::vector<std::string> words_;  // as typed, without the program's name
};

}  // namespace sinew::cli
