// sinew check FILE: what a lead artist would send back.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/check/finding_kinds.h"
#include "sinew/check_page.h"
#include "sinew/evaluate/evaluation.h"

namespace sinew::cli {
namespace {

struct CheckArguments {
  std::string file, require, page;
  std::vector<std::string> kinds;
  CheckOptions check;
};

std::string report_text(const CheckReport& report, const std::string& file) {
  std::string text =
      fmt::format("{}: {} {} in {} poses of {} vertices{}\n", name_of_input(file), report.findings.size(),
                  report.findings.size() == 1 ? "finding" : "findings", report.poses.size(), report.vertices,
                  report.sides_compared ? "" : "; left and right are not alike and not compared");
  for (const Finding& finding : report.findings) {
    text += fmt::format("\n{}: {}\n", finding_kind_name(finding.kind), finding.what);
    text += fmt::format("  off by {:.1f} % of the character's size{}\n", 100 * finding.severity,
                        finding.pose < 0 ? "" : " in '" + report.poses[finding.pose].name + "'");
    text += fmt::format("  {}\n", finding.remedy);
  }
  return text;
}

void run_check(const CheckArguments& options, Session& session) {
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>() : parse_gates(options.require);
  check_gate_names(gates, check_metric_names());
  CheckOptions check = options.check;
  check.kinds = parse_finding_kinds(options.kinds);
  check.threads = session.threads();
  const Character character = load_file(options.file, session);
  session.warn(character.warnings);
  const Progress progress = session.progress();
  const CheckReport report = check_skin(character, check, progress.part(0, options.page.empty() ? 1 : 0.2));
  session.warn(report.warnings);
  if (!options.page.empty()) {
    write_output(check_page(character, report, {.threads = session.threads()}, progress.part(0.2, 1)), options.page);
  }
  const std::vector<GateResult> results = check_gates(gates, report.metrics);
  nlohmann::json json = nlohmann::json::parse(check_json(character, report));
  json["file"] = options.file;
  if (!results.empty()) {
    json["gates"] = to_json(results);
    json["ok"] = std::all_of(results.begin(), results.end(), [](const GateResult& result) { return result.met; });
  }
  session.finish(json, report_text(report, options.file));
  require_gates(results);
}

}  // namespace

void add_check_command(Session& session) {
  auto options = std::make_shared<CheckArguments>();
  Command* command = session.add_command("check", "find what is wrong with a skin by moving it");
  command->add_option("FILE", options->file, "rigged character to look at")->required();
  session.add_output(command, "--html", options->page, "write a page with a picture of each finding",
                     Session::Formats::one);
  command->add_option("--require", options->require,
                      "quality gates, for example findings=0,bleed=0; exit code 4 when one is not met");
  command->add_option("--only", options->kinds, "look for these kinds only, separated by commas: " + finding_kinds())
      ->delimiter(',');
  command->add_option("--max-influences", options->check.max_influences, "joints per vertex that are allowed")
      ->in_range(1, 64)
      ->show_default();
  command
      ->add_option("--tolerance", options->check.tolerance,
                   "how far skin may be off, as a share of the character's size")
      ->in_range(0.0, 1.0)
      ->show_default();
  session.on_run(command, [options, &session] { run_check(*options, session); });
}

}  // namespace sinew::cli
