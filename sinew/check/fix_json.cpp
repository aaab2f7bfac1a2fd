#include <nlohmann/json.hpp>

#include "sinew/fix.h"

namespace sinew {
namespace {

nlohmann::json repair_json(const Character& character, const Repair& repair) {
  nlohmann::json object = {{"kind", finding_kind_name(repair.finding.kind)},
                           {"what", repair.finding.what},
                           {"outcome", repair_outcome_name(repair.outcome)},
                           {"how", repair.how},
                           {"severity_before", repair.finding.severity},
                           {"severity_after", repair.severity},
                           {"vertices", repair.vertices}};
  if (repair.finding.joint >= 0)
    object["joint"] = character.skeleton.names[static_cast<std::size_t>(repair.finding.joint)];
  return object;
}

}  // namespace

std::string fix_json(const Character& character, const FixReport& report) {
  nlohmann::json object = {{"findings_before", report.before.findings.size()},
                           {"findings_after", report.after.findings.size()},
                           {"repairs", nlohmann::json::array()},
                           {"beyond_weights", report.beyond_weights}};
  for (const Repair& repair : report.repairs) object["repairs"].push_back(repair_json(character, repair));
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sinew
