// How a character is written: options that every command shares that writes one.
#pragma once

#include "command.h"
#include "sinew/io.h"

namespace sinew::cli {

// --names, and what .vrm files say about themselves.
void add_save_options(Command& command, SaveOptions& save);
// --keep-skeleton, for commands that give a character another skeleton.
void add_keep_skeleton(Command& command, SaveOptions& save);

}  // namespace sinew::cli
