// A joint's name cut into words. Internal to joint_roles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/anatomy/joint_roles.h"

namespace sinew {

struct NameWords {
  std::vector<std::string> words;    // lower case, without side, numbers and exporters' prefixes
  std::vector<std::string> numbers;  // digits as written: "01"
  std::string joined;                // all words in one
  BodySide side = BodySide::centre;

  bool has(std::string_view word) const;
  bool contains(std::string_view part) const { return joined.find(part) != std::string::npos; }
};

// Cuts at separators, at capital letters and between letters and digits; drops everything before the last ':' or '|'.
NameWords split_name(std::string_view name);

}  // namespace sinew
