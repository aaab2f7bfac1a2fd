#include "sinew/asset/joint_names.h"

#include "sinew/asset/text_scanner.h"

namespace sinew {

bool names_bone_end(std::string_view name) {
  // Exporters append numbers to make names unique: "Head_end_061".
  const std::size_t last = name.find_last_not_of("0123456789._ ");
  if (last != std::string_view::npos) name = name.substr(0, last + 1);
  for (const std::string_view end :
       {"_end", ".end", " end", "nub", "_leaf", "end site", "endsite", "_end_l", "_end_r"}) {
    if (name.size() > end.size() && equal_ignoring_case(name.substr(name.size() - end.size()), end)) return true;
  }
  return false;
}

}  // namespace sinew
