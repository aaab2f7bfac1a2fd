#include "part_rules.h"

namespace sinew::cli {
namespace {

// PART=JOINT: the last '=' parts them, as names of parts hold stranger things than names of joints.
PartRule read_rule(PartRuleKind kind, const std::string& text) {
  const bool takes_joint = kind == PartRuleKind::rigid || kind == PartRuleKind::attach;
  const std::size_t equals = takes_joint ? text.rfind('=') : std::string::npos;
  if (equals == std::string::npos) return {kind, text, {}};
  return {kind, text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

void add_part_options(Command* command, std::vector<PartRule>& rules, bool keeps) {
  const auto add = [&](const char* name, PartRuleKind kind, const char* help) {
    command
        ->add_reader(
            name, [&rules, kind](const std::string& text) { rules.push_back(read_rule(kind, text)); }, help)
        ->repeated()
        ->group("parts, by name, material or piece (#N), see sinew info --verbose; repeatable");
  };
  add("--rigid", PartRuleKind::rigid, "PART or PART=JOINT: all of it follows one joint");
  add("--attach", PartRuleKind::attach, "PART=JOINT: attach it to the joint as a prop, without weights");
  add("--ignore", PartRuleKind::ignore, "PART: leave it unbound; the rest is bound as if it were not there");
  if (keeps) add("--keep", PartRuleKind::keep, "PART: keep the weights that it has");
}

}  // namespace sinew::cli
