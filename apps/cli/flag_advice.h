// What the command line adds to errors and warnings of the library: its flags and commands.
//
// The library names things ("max_influences must be 1 … 16, got 40") and does not know who calls it. One table here says
// by code, and by the option an error is about, which flag or command helps.
#pragma once

#include <string>

#include "command.h"
#include "sinew/error.h"

namespace sinew::cli {

// "max_influences" → "--max-influences".
std::string flag_of(const std::string& option);

// The same error with the flags and commands that help, as far as the command that runs has them, and with the input
// where the library was not told of files.
Error with_flags(const Error& error, const CommandLine& line);
Warning with_flags(const Warning& warning, const CommandLine& line);

}  // namespace sinew::cli
