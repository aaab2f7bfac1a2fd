// How users name things inside a character on the command line: joints, motions, frames.
//
// Every function throws Error(usage) that says what there is to choose from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/character.h"

namespace sinew::cli {

// All of the text as a whole number, or nothing.
std::optional<int> whole_number(const std::string& text);

std::string lower_case(std::string text);

// A joint by exact name, by index, or by the end of its name when only one fits ("LeftArm" for "mixamorig:LeftArm").
int resolve_joint(const Character& character, const std::string& text);

// A motion by name, by index, or by the end of its name when only one fits ("Walk" for "Armature|Walk"); the first one
// for an empty text.
int motion_index(const Character& character, const std::string& text);
const Motion& resolve_motion(const Character& character, const std::string& text);

// Each text is a frame "7" or a range "0:60" or "0:60:10", both ends included; negative numbers count from the end.
std::vector<int> resolve_frames(const Motion& motion, const std::vector<std::string>& texts);

}  // namespace sinew::cli
