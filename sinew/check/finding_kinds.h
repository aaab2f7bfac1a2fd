// Kinds of findings as a user names them.
#pragma once

#include <string>
#include <vector>

#include "sinew/check.h"

namespace sinew {

// Throws Error(usage) for a name that is none.
std::vector<FindingKind> parse_finding_kinds(const std::vector<std::string>& names);
// All of them, separated by commas.
std::string finding_kinds();

}  // namespace sinew
