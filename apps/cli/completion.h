// Scripts that let a shell complete commands, options and their choices, out of the table that the help is made of.
#pragma once

#include <string>
#include <vector>

#include "command_table.h"

namespace sinew::cli {

std::vector<std::string> completion_shells();  // bash, fish, zsh

// `shell`: one of completion_shells().
std::string completion_script(const std::string& shell, const ProgramTable& table);

}  // namespace sinew::cli
