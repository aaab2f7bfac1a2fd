#include "weights_tools.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "files.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {

void WeightsArguments::add_to(Command* command, Session& session, const char* what, Selects selects) {
  command->add_option("IN", input, what)->required();
  session.add_output(command, "-o,--output", output, "where to write the character")->required();
  if (selects == Selects::yes) {
    command->add_option("--parts", parts,
                        "change only these parts: names with commas; * matches anything, -NAME leaves one out");
    command->add_option("--locked", locked, "joints whose weights stay as they are, named like --parts");
  }
  command->add_flag("--overwrite", overwrite, "allow the output to be the input");
}

std::vector<int> WeightsArguments::joints(const Character& character, const std::string& patterns, const char* flag) {
  if (patterns.empty()) return {};
  try {
    return joints_matching(character.skeleton, patterns);
  } catch (const Error& error) {
    throw error.about(flag);
  }
}

WeightSelection WeightsArguments::selection(const Character& character) const {
  WeightSelection selection;
  selection.locked = joints(character, locked, "locked");
  if (!parts.empty()) selection.vertices = vertices_of_parts(character, parts);
  return selection;
}

Character load_weights(const WeightsArguments& arguments, Session& session) {
  refuse_to_overwrite(arguments.input, arguments.output, arguments.overwrite);
  Character character = load_file(arguments.input, session);
  session.warn(character.warnings);
  return character;
}

void finish_weights(const WeightsArguments& arguments, const Character& character, const WeightChange& change,
                    nlohmann::json result, const std::string& text, Session& session) {
  session.warn(change.warnings);
  SaveOptions save;
  save.max_influences = character.weights.influences;
  session.warn(save_file(character, arguments.output, session, save));
  result["input"] = arguments.input;
  result["output"] = arguments.output;
  result.update(report_json(change, character.skeleton));
  session.finish(result, fmt::format("{}: {}{} of {} vertices changed, by {:.3f} on average and {:.3f} at most; {:.2f} "
                                     "influences per vertex",
                                     arguments.output, text.empty() ? "" : text + "; ", change.changed, change.skinned,
                                     change.mean_change, change.largest_change, change.mean_influences));
}

}  // namespace sinew::cli
