#include <nlohmann/json.hpp>

#include "sinew/check.h"

namespace sinew {
namespace {

using nlohmann::json;

json finding_json(const Character& character, const CheckReport& report, const Finding& finding) {
  json object = {{"kind", finding_kind_name(finding.kind)},
                 {"severity", finding.severity},
                 {"what", finding.what},
                 {"remedy", finding.remedy},
                 {"vertices", finding.vertices}};
  if (finding.joint >= 0) object["joint"] = character.skeleton.names[static_cast<std::size_t>(finding.joint)];
  if (finding.part >= 0) object["part"] = character.parts[static_cast<std::size_t>(finding.part)].name;
  if (finding.pose >= 0) {
    const CheckPose& pose = report.poses[static_cast<std::size_t>(finding.pose)];
    object["pose"] = {{"name", pose.name},
                      {"joint", character.skeleton.names[static_cast<std::size_t>(pose.joint)]},
                      {"axis", {pose.axis.x(), pose.axis.y(), pose.axis.z()}},
                      {"degrees", pose.degrees}};
  }
  return object;
}

}  // namespace

std::string check_json(const Character& character, const CheckReport& report) {
  json object = {{"vertices", report.vertices},
                 {"poses", report.poses.size()},
                 {"sides_compared", report.sides_compared},
                 {"findings", json::array()},
                 {"metrics", json::object()}};
  for (const Finding& finding : report.findings) object["findings"].push_back(finding_json(character, report, finding));
  for (const Metric& metric : report.metrics) object["metrics"][metric.name] = metric.value;
  return object.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
