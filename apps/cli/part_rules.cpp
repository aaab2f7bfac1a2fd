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
  add("--rigid", PartRuleKind::rigid, "let all of a part follow one joint: PART or PART=JOINT");
  add("--attach", PartRuleKind::attach, "attach a part to a joint as a prop, without weights: PART=JOINT");
  add("--ignore", PartRuleKind::ignore, "leave a part unbound; the rest is bound as if it were not there");
  if (keeps) add("--keep", PartRuleKind::keep, "keep the weights that a part has");
}

}  // namespace sinew::cli
