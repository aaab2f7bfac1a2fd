// Formats by the short names that the C interface uses: those of their extensions.
#pragma once

#include <string>

#include "sinew/character.h"

namespace sinew::binding {

// "glb", "dae".
const char* name_of_format(FileFormat format);
// Throws Error(usage) for other names. "vrm" is a GLB.
FileFormat format_of_name(const std::string& name);

}  // namespace sinew::binding
