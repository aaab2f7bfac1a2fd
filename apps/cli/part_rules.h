// What `bind` and `rig` share: decisions of a person about parts of the mesh.
#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "sinew/bind.h"

namespace sinew::cli {

// --rigid, --attach and --ignore, each as often as wanted; with `keeps` also --keep. The rules keep their order.
void add_part_options(Command* command, std::vector<PartRule>& rules, bool keeps);

}  // namespace sinew::cli
