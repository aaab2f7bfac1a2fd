// What joint names of common exporters tell.
#pragma once

#include <string_view>

namespace sinew {

// Whether a node of this name only marks the end of its parent's bone: "HeadTop_End", "Bip01 HeadNub", "toe_end",
// "End Site", …
bool names_bone_end(std::string_view name);

}  // namespace sinew
