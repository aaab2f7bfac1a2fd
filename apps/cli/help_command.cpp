// sinew help: what --help prints, as a manual page, or as data.
// sinew completion: what a shell reads to complete commands and options.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "completion.h"
#include "help_formatter.h"
#include "man_page.h"
#include "session.h"
#include "sinew/base/closest_name.h"

namespace sinew::cli {
namespace {

using nlohmann::json;

struct HelpArguments {
  std::vector<std::string> command;  // word by word
  bool man = false;
};

std::vector<std::string> names_below(const CommandEntry& entry) {
  std::vector<std::string> names;
  for (const CommandEntry& command : entry.commands) names.push_back(short_name(command));
  return names;
}

// The entry that the words lead to, one below the other.
const CommandEntry& command_in(const CommandEntry& program, const std::vector<std::string>& words) {
  const CommandEntry* entry = &program;
  for (const std::string& word : words) {
    const auto next = std::find_if(entry->commands.begin(), entry->commands.end(),
                                   [&](const CommandEntry& command) { return short_name(command) == word; });
    if (next == entry->commands.end()) {
      throw Error(ErrorCode::command_unknown, "'" + word + "' is not a command",
                  choices_for(word, names_below(*entry)));
    }
    entry = &*next;
  }
  return *entry;
}

json option_json(const OptionEntry& option) {
  return {{"flags", option.flags}, {"value", option.value}, {"help", option.help}, {"choices", option.choices}};
}

json entry_json(const CommandEntry& command) {
  json entry = {{"name", command.name}, {"description", command.description}, {"usage", command.usage}};
  entry["arguments"] = entry["options"] = json::array();
  for (const OptionEntry& argument : command.arguments) entry["arguments"].push_back(option_json(argument));
  for (const OptionGroup& group : command.groups) {
    for (const OptionEntry& option : group.options) {
      entry["options"].push_back(option_json(option));
      entry["options"].back()["group"] = group.heading;
    }
  }
  return entry;
}

void run_help(const HelpArguments& options, Session& session) {
  const ProgramTable table = session.line().table();
  const CommandEntry& entry = command_in(table.program, options.command);
  json result = {{"help", entry_json(entry)}};
  if (!entry.commands.empty()) result["commands"] = names_below(entry);
  session.finish(result, options.man ? man_page(entry, table) : help_text(entry));
}

}  // namespace

void add_help_command(Session& session) {
  auto options = std::make_shared<HelpArguments>();
  Command* command = session.add_command("help", "print the help of a command, or its manual page");
  command->add_option("COMMAND", options->command, "a command, word by word; all are listed without one")
      ->suggest(session.line().command_names());
  command->add_flag("--man", options->man, "as a manual page: sinew help rig --man | man -l -");
  session.on_run(command, [options, &session] { run_help(*options, session); });
}

void add_completion_command(Session& session) {
  auto shell = std::make_shared<std::string>();
  Command* command = session.add_command("completion", "print what a shell needs to complete commands and options");
  command->add_option("SHELL", *shell, "bash, fish or zsh: source <(sinew completion bash)")
      ->one_of(completion_shells())
      ->required();
  session.on_run(command, [shell, &session] {
    const std::string script = completion_script(*shell, session.line().table());
    session.finish({{"shell", *shell}, {"script", script}}, script);
  });
}

}  // namespace sinew::cli
