#include "completion.h"

namespace sinew::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<OptionEntry> options_of(const CommandEntry& command) {
  std::vector<OptionEntry> options;
  for (const OptionGroup& group : command.groups) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  return options;
}

std::vector<std::string> flags_of(const CommandEntry& command) {
  std::vector<std::string> flags;
  for (const OptionEntry& option : options_of(command)) {
    flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  }
  return flags;
}

std::vector<std::string> names_below(const CommandEntry& entry) {
  std::vector<std::string> names;
  for (const CommandEntry& command : entry.commands) names.push_back(short_name(command));
  return names;
}

// The beginning of a help text: what a list of completions has room for.
std::string summary_of(const std::string& help) {
  const std::string summary = help.substr(0, help.find_first_of(";\n"));
  return summary.ends_with(':') ? summary.substr(0, summary.size() - 1) : summary;
}

// A backslash before each of `letters`.
std::string guarded(const std::string& text, const std::string& letters) {
  std::string result;
  for (const char letter : text)
    result += (letters.find(letter) == std::string::npos ? "" : "\\") + std::string(1, letter);
  return result;
}

// For a text between single quotes.
std::string in_quotes(const std::string& text) {
  std::string result;
  for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return "'" + result + "'";
}

// --- bash ---

std::string bash_case(const std::string& pattern, const std::vector<std::string>& words) {
  return "    " + pattern + ") words=" + in_quotes(joined(words, " ")) + " ;;\n";
}

struct BashCases {
  std::string values, flags, arguments, groups;
};

// `name`: as the script calls the command, "bind" or "weights/mirror".
void add_bash_cases(const CommandEntry& command, const std::string& name, BashCases& cases) {
  for (const OptionEntry& option : options_of(command)) {
    if (option.choices.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& flag : option.flags) patterns.push_back(name + ":" + flag);
    cases.values += bash_case(joined(patterns, "|"), option.choices);
  }
  cases.flags += bash_case(name + ":-*", flags_of(command));
  for (const OptionEntry& argument : command.arguments) {
    if (!argument.choices.empty()) cases.arguments += bash_case(name + ":*", argument.choices);
  }
  if (command.commands.empty()) return;
  cases.arguments += bash_case(name + ":*", names_below(command));
  cases.groups += "    " + name + ") ((COMP_CWORD < 3)) || command+=/${COMP_WORDS[2]} ;;\n";
  for (const CommandEntry& below : command.commands) add_bash_cases(below, name + "/" + short_name(below), cases);
}

// bash itself completes files where the script has no words.
std::string bash_script(const ProgramTable& table) {
  const std::string& program = table.program.name;
  BashCases cases;
  for (const CommandEntry& command : table.program.commands) add_bash_cases(command, short_name(command), cases);
  std::vector<std::string> first = names_below(table.program);
  for (const std::string& flag : flags_of(table.program)) first.push_back(flag);
  return "# bash completion of " + program + ", made by: " + program + " completion bash\n" +  //
         "_" + program + "() {\n" +                                                            //
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=\n"
         "  # --option=value comes as three words\n"
         "  if [[ $word == = ]]; then\n"
         "    word=\n"
         "  elif [[ $before == = ]]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  case $command in\n" +
         cases.groups +
         "  esac\n"
         "  case $command:$before in\n" +
         cases.values +
         "    *)\n"
         "      case $command:$word in\n" +
         cases.flags + cases.arguments +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "  ((COMP_CWORD > 1)) || words=" +
         in_quotes(joined(first, " ")) +
         "\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -o bashdefault -o default -F _" +
         program + " " + program + "\n";
}

// --- zsh ---

std::string zsh_value(const OptionEntry& option) {
  const std::string message = guarded(option.value, ":[]");
  if (!option.choices.empty()) return ":" + message + ":(" + joined(option.choices, " ") + ")";
  return ":" + message + (option.takes_number ? ": " : ":_files");
}

std::string zsh_option(const OptionEntry& option) {
  const std::string rest =
      "[" + guarded(summary_of(option.help), "[]:") + "]" + (option.value.empty() ? "" : zsh_value(option));
  if (option.flags.size() == 1) return in_quotes(option.flags.front() + rest);
  return in_quotes("(" + joined(option.flags, " ") + ")") + "{" + joined(option.flags, ",") + "}" + in_quotes(rest);
}

std::string zsh_list(const std::vector<CommandEntry>& commands) {
  std::string list = "  commands=(\n";
  for (const CommandEntry& command : commands) {
    list += "    " + in_quotes(short_name(command) + ":" + guarded(command.description, ":")) + "\n";
  }
  return list + "  )\n";
}

// One branch of a case by the first word.
std::string zsh_case(const CommandEntry& command) {
  std::string script = "    " + short_name(command) + ")\n";
  if (!command.commands.empty()) {
    script += "      shift words\n      ((CURRENT--))\n" + zsh_list(command.commands) +
              "      if ((CURRENT == 1)); then\n        _describe command commands\n        return\n      fi\n"
              "      case $words[1] in\n";
    for (const CommandEntry& below : command.commands) script += zsh_case(below);
    return script + "      esac\n      ;;\n";
  }
  script += "      _arguments";
  for (const OptionEntry& option : options_of(command)) script += " \\\n        " + zsh_option(option);
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const OptionEntry& argument = command.arguments[i];
    script += " \\\n        " + in_quotes((argument.many ? "*" : std::to_string(i + 1)) + zsh_value(argument));
  }
  return script + "\n      ;;\n";
}

std::string zsh_script(const ProgramTable& table) {
  const std::string& program = table.program.name;
  std::string script = "#compdef " + program + "\n# zsh completion of " + program + ", made by: " + program +
                       " completion zsh\n_" + program +
                       "() {\n"
                       "  local context state state_descr line\n"
                       "  typeset -A opt_args\n"
                       "  local -a commands\n";
  script += zsh_list(table.program.commands) + "  _arguments -C \\\n";
  for (const OptionEntry& option : options_of(table.program)) script += "    " + zsh_option(option) + " \\\n";
  script +=
      "    '1: :->command' '*:: :->rest' && return\n"
      "  if [[ $state == command ]]; then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case $words[1] in\n";
  for (const CommandEntry& command : table.program.commands) script += zsh_case(command);
  return script + "  esac\n}\n_" + program + " \"$@\"\n";
}

// --- fish ---

std::string fish_option(const std::string& begin, const OptionEntry& option) {
  std::string line = begin;
  for (const std::string& flag : option.flags) {
    line += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
  }
  if (!option.choices.empty()) {
    line += " -x -a " + in_quotes(joined(option.choices, " "));
  } else if (!option.value.empty()) {
    line += option.takes_number ? " -x" : " -r -F";
  }
  return line + " -d " + in_quotes(summary_of(option.help)) + "\n";
}

// `seen`: the condition under which the command was typed.
void add_fish_command(const CommandEntry& command, const std::string& program, const std::string& seen,
                      std::string& script) {
  const std::string begin = "complete -c " + program + " -n " + in_quotes(seen);
  const std::string none = seen + "; and not __fish_seen_subcommand_from " + joined(names_below(command), " ");
  for (const CommandEntry& below : command.commands) {
    script += "complete -c " + program + " -n " + in_quotes(none) + " -f -a " + short_name(below) + " -d " +
              in_quotes(below.description) + "\n";
    add_fish_command(below, program, seen + "; and __fish_seen_subcommand_from " + short_name(below), script);
  }
  if (!command.commands.empty()) return;
  for (const OptionEntry& option : options_of(command)) script += fish_option(begin, option);
  for (const OptionEntry& argument : command.arguments) {
    if (argument.choices.empty()) continue;
    script += begin + " -f -a " + in_quotes(joined(argument.choices, " ")) + "\n";
  }
}

std::string fish_script(const ProgramTable& table) {
  const std::string& program = table.program.name;
  std::string script = "# fish completion of " + program + ", made by: " + program + " completion fish\n";
  const std::string first = "complete -c " + program + " -n __fish_use_subcommand";
  for (const OptionEntry& option : options_of(table.program)) script += fish_option(first, option);
  for (const CommandEntry& command : table.program.commands) {
    script += first + " -f -a " + short_name(command) + " -d " + in_quotes(command.description) + "\n";
  }
  for (const CommandEntry& command : table.program.commands) {
    add_fish_command(command, program, "__fish_seen_subcommand_from " + short_name(command), script);
  }
  return script;
}

}  // namespace

std::vector<std::string> completion_shells() { return {"bash", "fish", "zsh"}; }

std::string completion_script(const std::string& shell, const ProgramTable& table) {
  if (shell == "bash") return bash_script(table);
  return shell == "fish" ? fish_script(table) : zsh_script(table);
}

}  // namespace sinew::cli
