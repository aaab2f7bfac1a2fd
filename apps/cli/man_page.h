// Manual pages, in roff for man(1), out of the table that the help is made of.
#pragma once

#include <string>

#include "command_table.h"

namespace sinew::cli {

// Of one command of the table, or of the program itself.
std::string man_page(const CommandEntry& command, const ProgramTable& table);

}  // namespace sinew::cli
