// Check and fix of the C interface.
#include "sinew/check_c.h"

#include <algorithm>

#include "bindings/c/call.h"
#include "bindings/c/transforms.h"
#include "sinew/check/finding_kinds.h"
#include "sinew/check_page.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_check = SINEW_SIZE_UP_TO(sinew_check_options, kinds);
constexpr std::size_t least_check_info = SINEW_SIZE_UP_TO(sinew_check_info, sides_compared);
constexpr std::size_t least_finding = SINEW_SIZE_UP_TO(sinew_finding, remedy);
constexpr std::size_t least_check_pose = SINEW_SIZE_UP_TO(sinew_check_pose, degrees);
constexpr std::size_t least_finding_picture = SINEW_SIZE_UP_TO(sinew_finding_picture_options, threads);
constexpr std::size_t least_fix = SINEW_SIZE_UP_TO(sinew_fix_options, threads);
constexpr std::size_t least_fix_info = SINEW_SIZE_UP_TO(sinew_fix_info, beyond);
constexpr std::size_t least_repair = SINEW_SIZE_UP_TO(sinew_repair, how);

CheckOptions check_options_of(const sinew_check_options* given) {
  const auto taken = options_of(given, sinew_check_options_defaults, least_check, "sinew_check_options");
  std::vector<std::string> names;
  for (const char* name : array_of(taken.kinds, taken.kind_count, "kinds")) {
    require(name, "an entry of kinds");
    names.emplace_back(name);
  }
  return {.max_influences = taken.max_influences,
          .tolerance = taken.tolerance,
          .kinds = parse_finding_kinds(names),
          .threads = taken.threads};
}

FindingPicture picture_options_of(const sinew_finding_picture_options* given) {
  const auto taken =
      options_of(given, sinew_finding_picture_options_defaults, least_finding_picture, "sinew_finding_picture_options");
  return {.width = taken.width, .height = taken.height, .samples = taken.samples, .threads = taken.threads};
}

template <typename Item>
const Item& item_at(const std::vector<Item>& items, std::size_t index, const char* what) {
  if (index < items.size()) return items[index];
  throw Error(ErrorCode::argument_invalid, std::string(what) + " " + std::to_string(index) +
                                               " does not exist: there are " + std::to_string(items.size()) +
                                               ", counted from 0");
}

void give_finding(const Finding& finding, sinew_finding* to) {
  sinew_finding full{};
  full.kind = finding_kind_name(finding.kind).data();
  full.joint = finding.joint;
  full.part = finding.part;
  full.vertex_count = finding.vertices.size();
  full.vertices = finding.vertices.empty() ? nullptr : finding.vertices.data();
  full.severity = finding.severity;
  full.pose = finding.pose;
  full.what = finding.what.c_str();
  full.remedy = finding.remedy.c_str();
  give_arrays(full, to, least_finding, "sinew_finding");
}

void give_repair(const Repair& repair, sinew_repair* to) {
  sinew_repair full{};
  full.outcome = repair_outcome_name(repair.outcome).data();
  full.severity = repair.severity;
  full.vertex_count = repair.vertices.size();
  full.vertices = repair.vertices.empty() ? nullptr : repair.vertices.data();
  full.how = repair.how.c_str();
  give_arrays(full, to, least_repair, "sinew_repair");
}

std::shared_ptr<CheckReportObject> new_check_report(std::shared_ptr<const CharacterState> state, CheckReport report) {
  auto object = std::make_shared<CheckReportObject>();
  object->state = std::move(state);
  object->report = std::move(report);
  return object;
}

std::shared_ptr<FixReportObject> new_fix_report(FixReport fix, std::shared_ptr<const CharacterState> before,
                                                std::shared_ptr<const CharacterState> after) {
  auto object = std::make_shared<FixReportObject>();
  object->before = new_check_report(std::move(before), std::move(fix.before));
  object->after = new_check_report(std::move(after), std::move(fix.after));
  object->repairs = std::move(fix.repairs);
  object->beyond_weights = std::move(fix.beyond_weights);
  for (const std::string& line : object->beyond_weights) object->beyond.push_back(line.c_str());
  return object;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_check_options_defaults(sinew_check_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_check_options* options) {
    const CheckOptions defaults;
    *options = {sizeof(*options), defaults.max_influences, defaults.threads, defaults.tolerance, 0, nullptr};
  });
}

sinew_status sinew_list_finding_kinds(sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    nlohmann::json names = nlohmann::json::array();
    for (const FindingKind kind : all_finding_kinds()) names.push_back(finding_kind_name(kind));
    set_report(report, {{"kinds", names}});
  });
}

sinew_status sinew_check(const sinew_character* character, const sinew_check_options* options,
                         const sinew_progress* progress, sinew_check_report** report, sinew_result* result) {
  if (report != nullptr) *report = nullptr;
  return run_call(result, [&](ResultObject& told) {
    require(report, "report");
    const CheckOptions choice = check_options_of(options);
    const Reading read(character, "character");
    CheckReport found = check_skin(*read, choice, progress_of(progress));
    add_warnings(told, found.warnings);
    told.json = check_json(*read, found);
    for (const Metric& metric : found.metrics) told.numbers[metric.name] = metric.value;
    *report = check_reports().add(new_check_report(read.state(), std::move(found)));
  });
}

sinew_status sinew_range_of_motion(const sinew_character* character, sinew_check_report** report,
                                   sinew_result* result) {
  if (report != nullptr) *report = nullptr;
  return run_call(result, [&](ResultObject&) {
    require(report, "report");
    const Reading read(character, "character");
    if (read->skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "the character has no skeleton");
    CheckReport poses;
    poses.poses = range_of_motion(read->skeleton);
    *report = check_reports().add(new_check_report(read.state(), std::move(poses)));
  });
}

void sinew_check_report_destroy(sinew_check_report* report) { check_reports().remove(report); }

sinew_status sinew_get_check_info(const sinew_check_report* report, sinew_check_info* info, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    const CheckReport& found = object->report;
    sinew_check_info full{};
    full.finding_count = found.findings.size();
    full.pose_count = found.poses.size();
    full.vertex_count = found.vertices;
    full.sides_compared = found.sides_compared;
    give_arrays(full, info, least_check_info, "sinew_check_info");
  });
}

sinew_status sinew_get_finding(const sinew_check_report* report, size_t index, sinew_finding* finding,
                               sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    give_finding(item_at(object->report.findings, index, "finding"), finding);
  });
}

sinew_status sinew_get_check_pose(const sinew_check_report* report, size_t index, sinew_check_pose* pose,
                                  sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    const CheckPose& found = item_at(object->report.poses, index, "pose");
    sinew_check_pose full{};
    full.name = found.name.c_str();
    full.joint = found.joint;
    std::copy_n(found.axis.data(), 3, full.axis);
    full.degrees = found.degrees;
    give_arrays(full, pose, least_check_pose, "sinew_check_pose");
  });
}

sinew_status sinew_take_check_pose(const sinew_check_report* report, size_t index, sinew_joint_transform* pose,
                                   size_t joint_count, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    const Character& character = object->state->character;
    const CheckPose& found = item_at(object->report.poses, index, "pose");
    require_joints(character, joint_count);
    give_pose(check_pose(character.skeleton, found), pose);
  });
}

void sinew_finding_picture_options_defaults(sinew_finding_picture_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_finding_picture_options* options) {
    const FindingPicture defaults;
    *options = {sizeof(*options), defaults.width, defaults.height, defaults.samples, defaults.threads};
  });
}

sinew_status sinew_picture_finding(const sinew_check_report* report, size_t index,
                                   const sinew_finding_picture_options* options, const sinew_progress* progress,
                                   sinew_result* result) {
  return run_call(result, [&](ResultObject& told) {
    const FindingPicture choice = picture_options_of(options);
    const auto object = object_of(report, "report");
    item_at(object->report.findings, index, "finding");
    RenderedPicture picture =
        picture_finding(object->state->character, object->report, index, choice, progress_of(progress));
    add_warnings(told, picture.warnings);
    add_file(told, "finding.png", std::move(picture.png));
  });
}

sinew_status sinew_make_check_page(const sinew_check_report* report, const sinew_finding_picture_options* options,
                                   const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& told) {
    const FindingPicture choice = picture_options_of(options);
    const auto object = object_of(report, "report");
    add_file(told, "check.html", check_page(object->state->character, object->report, choice, progress_of(progress)));
  });
}

void sinew_fix_options_defaults(sinew_fix_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_fix_options* options) {
    const FixOptions defaults;
    *options = {sizeof(*options), nullptr, defaults.max_repairs, defaults.threads};
  });
}

sinew_status sinew_fix(sinew_character* character, const sinew_fix_options* options, const sinew_progress* progress,
                       sinew_fix_report** report, sinew_result* result) {
  if (report != nullptr) *report = nullptr;
  return run_call(result, [&](ResultObject& told) {
    const auto taken = options_of(options, sinew_fix_options_defaults, least_fix, "sinew_fix_options");
    const FixOptions choice{
        .check = check_options_of(taken.check), .max_repairs = taken.max_repairs, .threads = taken.threads};
    const Writing written(character, "character");
    std::shared_ptr<CharacterState> before;
    if (report != nullptr) {
      before = std::make_shared<CharacterState>();
      before->character = *written;
      before->describe();
    }
    FixReport fix = fix_skin(*written, choice, progress_of(progress));
    written.done();
    add_warnings(told, fix.warnings);
    told.json = fix_json(*written, fix);
    told.numbers = {{"findings_before", static_cast<double>(fix.before.findings.size())},
                    {"findings_after", static_cast<double>(fix.after.findings.size())}};
    if (report != nullptr) *report = fix_reports().add(new_fix_report(std::move(fix), before, written.state()));
  });
}

void sinew_fix_report_destroy(sinew_fix_report* report) { fix_reports().remove(report); }

sinew_status sinew_get_fix_info(const sinew_fix_report* report, sinew_fix_info* info, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    sinew_fix_info full{};
    full.repair_count = object->repairs.size();
    full.findings_before = object->before->report.findings.size();
    full.findings_after = object->after->report.findings.size();
    full.beyond_count = object->beyond.size();
    full.beyond = object->beyond.empty() ? nullptr : object->beyond.data();
    give_arrays(full, info, least_fix_info, "sinew_fix_info");
  });
}

sinew_status sinew_get_repair(const sinew_fix_report* report, size_t index, sinew_finding* finding,
                              sinew_repair* repair, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    const Repair& found = item_at(object->repairs, index, "repair");
    if (finding != nullptr) give_finding(found.finding, finding);
    if (repair != nullptr) give_repair(found, repair);
  });
}

sinew_status sinew_get_fix_checks(const sinew_fix_report* report, sinew_check_report** before,
                                  sinew_check_report** after, sinew_result* result) {
  if (before != nullptr) *before = nullptr;
  if (after != nullptr) *after = nullptr;
  return run_call(result, [&](ResultObject&) {
    const auto object = object_of(report, "report");
    if (before != nullptr) *before = check_reports().add(object->before);
    if (after != nullptr) *after = check_reports().add(object->after);
  });
}

}  // extern "C"
