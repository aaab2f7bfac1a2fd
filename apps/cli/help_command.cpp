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
  std::string command;
  bool man = false;
};

const CommandEntry& command_in(const ProgramTable& table, const std::string& name, const CommandLine& line) {
  for (const CommandEntry& command : table.commands) {
    if (short_name(command) == name) return command;
  }
  throw Error(ErrorCode::command_unknown, "'" + name + "' is not a command", choices_for(name, line.command_names()));
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
  const bool whole_program = options.command.empty();
  const CommandEntry& entry = whole_program ? table.program : command_in(table, options.command, session.line());
  json result = {{"help", entry_json(entry)}};
  if (whole_program) result["commands"] = session.line().command_names();
  session.finish(result, options.man     ? man_page(entry, table)
                         : whole_program ? help_text(entry, table.commands)
                                         : help_text(entry));
}

}  // namespace

void add_help_command(Session& session) {
  auto options = std::make_shared<HelpArguments>();
  Command* command = session.add_command("help", "print the help of a command, or its manual page");
  command->add_option("COMMAND", options->command, "a command; all of them are listed without one")
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
