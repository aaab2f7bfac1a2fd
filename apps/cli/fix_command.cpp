// sinew fix FILE -o OUT: repairs what sinew check finds.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/check/finding_kinds.h"
#include "sinew/fix.h"

namespace sinew::cli {
namespace {

struct FixArguments {
  std::string file, output;
  std::vector<std::string> kinds;
  FixOptions fix;
  bool overwrite = false;
};

std::string report_text(const FixReport& report, const FixArguments& options) {
  std::string text = fmt::format("{}: {} before, {} after\n", name_of_input(options.file),
                                 report.before.findings.size(), report.after.findings.size());
  for (const Repair& repair : report.repairs) {
    text += fmt::format("\n{}: {}\n  {}: {}\n", finding_kind_name(repair.finding.kind), repair.finding.what,
                        repair_outcome_name(repair.outcome), repair.how);
    if (repair.outcome != RepairOutcome::repaired)
      text += fmt::format("  off by {:.1f} % of the character's size, now {:.1f} %\n", 100 * repair.finding.severity,
                          100 * repair.severity);
  }
  if (!report.beyond_weights.empty()) text += "\nbeyond weights\n";
  for (const std::string& line : report.beyond_weights) text += "  " + line + "\n";
  return text + fmt::format("\nwrote {}\n", options.output);
}

void run_fix(const FixArguments& options, Session& session) {
  refuse_to_overwrite(options.file, options.output, options.overwrite);
  FixOptions fix = options.fix;
  fix.check.kinds = parse_finding_kinds(options.kinds);
  fix.threads = session.threads();
  Character character = load_file(options.file, session);
  session.warn(character.warnings);
  const FixReport report = fix_skin(character, fix, session.progress());
  session.warn(report.warnings);
  session.warn(save_file(character, options.output, session));
  nlohmann::json json = nlohmann::json::parse(fix_json(character, report));
  json["file"] = options.file;
  json["output"] = options.output;
  session.finish(json, report_text(report, options));
}

}  // namespace

void add_fix_command(Session& session) {
  auto options = std::make_shared<FixArguments>();
  Command* command = session.add_command("fix", "repair what check finds, and nothing else");
  command->add_option("FILE", options->file, "rigged character to repair")->required();
  session.add_output(command, "-o,--output", options->output, "file to write")->required();
  command->add_flag("--overwrite", options->overwrite, "allow the output to replace the input");
  command->add_option("--only", options->kinds, "repair these kinds only, separated by commas: " + finding_kinds())
      ->delimiter(',');
  command->add_option("--max-influences", options->fix.check.max_influences, "joints per vertex that are allowed")
      ->in_range(1, 16)
      ->show_default();
  command
      ->add_option("--tolerance", options->fix.check.tolerance,
                   "how far skin may be off, as a share of the character's size")
      ->in_range(0.0, 1.0)
      ->show_default();
  session.on_run(command, [options, &session] { run_fix(*options, session); });
}

}  // namespace sinew::cli
