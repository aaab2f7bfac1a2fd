#include "sinew/asset/joint_names.h"

#include "sinew/asset/text_scanner.h"

namespace sinew {

bool names_bone_end(std::string_view name) {
  for (const std::string_view end : {"_end", ".end", " end", "nub", "end site", "endsite", "_null"}) {
    if (name.size() > end.size() && equal_ignoring_case(name.substr(name.size() - end.size()), end)) return true;
  }
  return false;
}

}  // namespace sinew
