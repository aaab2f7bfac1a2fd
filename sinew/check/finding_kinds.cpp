#include "sinew/check/finding_kinds.h"

namespace sinew {

std::vector<FindingKind> parse_finding_kinds(const std::vector<std::string>& names) {
  std::vector<FindingKind> kinds;
  for (const std::string& name : names) {
    const std::optional<FindingKind> kind = find_finding_kind(name);
    if (!kind) throw Error(ErrorCode::choice_unknown, "there is no kind of finding '" + name + "'", finding_kinds());
    kinds.push_back(*kind);
  }
  return kinds;
}

std::string finding_kinds() {
  std::string names;
  for (const FindingKind kind : all_finding_kinds())
    names += (names.empty() ? "" : ", ") + std::string(finding_kind_name(kind));
  return names;
}

}  // namespace sinew
