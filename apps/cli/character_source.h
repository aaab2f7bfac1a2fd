// Loads what a command works on, and says what had to be repaired.
#pragma once

#include <string>

#include "session.h"
#include "sinew/character.h"

namespace sinew::cli {

// The character of `file`, with the skeleton and motions of the file `skeleton` unless that is empty.
Character load_with_skeleton(const std::string& file, const std::string& skeleton, Session& session);

}  // namespace sinew::cli
