// sinew weights transfer, copy, combine, export, import, twist: weights from and for other files, and joints that spread
// the turn of limbs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "files.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/twist_joints.h"
#include "sinew/weight_files.h"
#include "sinew/weight_transfer.h"
#include "weights_tools.h"

namespace sinew::cli {
namespace {

struct TransferArguments : WeightsArguments {
  std::string source;
  TransferOptions options;
};

void run_transfer(const TransferArguments& arguments, Session& session) {
  Character target = load_weights(arguments, session);
  const Character source = load_file(arguments.source, session);
  TransferOptions options = arguments.options;
  options.selection = arguments.selection(target);
  const TransferReport report = transfer_weights(source, target, options, session.progress());
  nlohmann::json result = report_json(report, target.skeleton);
  result["source"] = arguments.source;
  finish_weights(arguments, target, report.change, result,
                 fmt::format("{} vertices matched, {} continued from those around, {} in pieces without a match",
                             report.matched, report.inpainted, report.guessed),
                 session);
}

void add_transfer(Session& session) {
  auto arguments = std::make_shared<TransferArguments>();
  Command* command = session.add_command("weights transfer", "take weights from another mesh, level or body");
  arguments->add_to(command, session, "mesh or character that gets weights");
  command->add_option("--source", arguments->source, "character with weights, in the same place and rest pose")
      ->required();
  command
      ->add_option("--max-distance", arguments->options.max_distance,
                   "farther surfaces are no match, in bounding diagonals of the source")
      ->in_range(0.0, 10.0)
      ->show_default();
  command
      ->add_option("--max-angle", arguments->options.max_angle, "surfaces that face elsewhere are no match, in degrees")
      ->in_range(0.0, 180.0)
      ->show_default();
  command->add_flag("--both-sides", arguments->options.both_sides,
                    "let surfaces that face the other way match too: linings");
  command->add_option("--max-influences", arguments->options.max_influences, "joints per vertex")
      ->in_range(1, 16)
      ->show_default();
  session.on_run(command, [arguments, &session] { run_transfer(*arguments, session); });
}

struct CopyArguments : WeightsArguments {
  std::string source;
  CopyOptions options;
};

void add_copy(Session& session) {
  auto arguments = std::make_shared<CopyArguments>();
  Command* command = session.add_command("weights copy", "take weights from a file with the same vertices");
  arguments->add_to(command, session, "mesh or character that gets weights");
  command->add_option("--source", arguments->source, "character with weights and the same vertices, in any order")
      ->required();
  command
      ->add_option("--tolerance", arguments->options.tolerance,
                   "distance within which vertices are the same, in bounding diagonals")
      ->in_range(0.0, 0.1)
      ->show_default();
  session.on_run(command, [arguments, &session] {
    Character target = load_weights(*arguments, session);
    const Character source = load_file(arguments->source, session);
    CopyOptions options = arguments->options;
    options.selection = arguments->selection(target);
    const CopyReport report = copy_weights(source, target, options, session.progress());
    nlohmann::json result = report_json(report, target.skeleton);
    result["source"] = arguments->source;
    finish_weights(*arguments, target, report.change, result,
                   fmt::format("{} vertices matched by {}, {} not", report.matched,
                               report.by_order ? "order" : "position", report.unmatched),
                   session);
  });
}

struct CombineArguments : WeightsArguments {
  std::vector<std::string> take, mask;  // PARTS=FILE and MASK=FILE, as typed
  CombineOptions options;
};

// "Coat*=coat.glb" → the two sides. Names of parts may hold '=', names of files too; the last one divides.
std::pair<std::string, std::string> divided(const std::string& text, const char* flag) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
    throw Error(ErrorCode::option_invalid, fmt::format("{} needs two sides of an '=', got '{}'", flag, text));
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

// A colour channel of the character, or a JSON list of one number per vertex.
std::vector<float> load_mask(const std::string& what, const Character& character, Session& session) {
  if (std::filesystem::path(what).extension() != ".json") return mask_from_colors(character.mesh, what);
  return parse_input(what, session, [](std::span<const std::byte> bytes) {
    const nlohmann::json list = nlohmann::json::parse(as_text(bytes), nullptr, false);
    const bool numbers = list.is_array() && std::all_of(list.begin(), list.end(),
                                                        [](const nlohmann::json& value) { return value.is_number(); });
    if (!numbers) throw Error(ErrorCode::settings_invalid, "it is not a JSON list of numbers");
    return list.get<std::vector<float>>();
  });
}

void run_combine(const CombineArguments& arguments, Session& session) {
  if (arguments.take.empty() && arguments.mask.empty()) {
    throw Error(ErrorCode::option_missing, "nothing to combine with", "use --take PARTS=FILE or --mask MASK=FILE");
  }
  Character character = load_weights(arguments, session);
  std::vector<std::unique_ptr<Character>> sources;
  std::vector<WeightLayer> layers;
  const auto load = [&](const std::string& file) {
    sources.push_back(std::make_unique<Character>(load_file(file, session)));
    return sources.back().get();
  };
  for (const std::string& text : arguments.take) {
    const auto [parts, file] = divided(text, "--take");
    layers.push_back({load(file), parts, {}});
  }
  for (const std::string& text : arguments.mask) {
    const auto [mask, file] = divided(text, "--mask");
    layers.push_back({load(file), {}, load_mask(mask, character, session)});
  }
  CombineOptions options = arguments.options;
  options.selection = arguments.selection(character);
  const WeightChange change = combine_weights(character, layers, options, session.progress());
  finish_weights(arguments, character, change, {{"layers", layers.size()}}, fmt::format("{} layers", layers.size()),
                 session);
}

void add_combine(Session& session) {
  auto arguments = std::make_shared<CombineArguments>();
  Command* command = session.add_command("weights combine", "mix several results by part or by a painted mask");
  arguments->add_to(command, session);
  command
      ->add_option("--take", arguments->take,
                   "weights of some parts from another file with the same vertices, as PARTS=FILE; may be repeated")
      ->one_word();
  command
      ->add_option(
          "--mask", arguments->mask,
          "weights from another file where a mask says so, as MASK=FILE; masks are vertex colours: red, green, "
          "blue, alpha, grey, or a .json file with one number per vertex, 0 … 1; may be repeated")
      ->one_word();
  command
      ->add_option("--max-influences", arguments->options.max_influences,
                   "joints per vertex; 0 for as many as the files have")
      ->in_range(0, 16)
      ->show_default();
  session.on_run(command, [arguments, &session] { run_combine(*arguments, session); });
}

struct ExportArguments {
  std::string input, output, form;
};

void add_export(Session& session) {
  auto arguments = std::make_shared<ExportArguments>();
  Command* command = session.add_command("weights export", "write weights as JSON or CSV");
  command->add_option("IN", arguments->input, "character with skeleton and weights")->required();
  session.add_output(command, "-o,--output", arguments->output, "file to write: .json or .csv", Session::Formats::one)
      ->required();
  command->add_option("--form", arguments->form, "json or csv")->one_of({"json", "csv"})->default_is("by extension");
  session.on_run(command, [arguments, &session] {
    const std::string extension = std::filesystem::path(arguments->output).extension().string();
    if (arguments->form.empty() && extension != ".json" && extension != ".csv") {
      throw Error(ErrorCode::output_format_unknown, "'" + arguments->output + "' ends neither in .json nor in .csv",
                  "name it so, or use --form");
    }
    const bool csv = arguments->form.empty() ? extension == ".csv" : arguments->form == "csv";
    const Character character = load_file(arguments->input, session);
    session.warn(character.warnings);
    write_output(csv ? write_weights_csv(character) : write_weights_json(character), arguments->output);
    session.finish({{"input", arguments->input},
                    {"output", arguments->output},
                    {"vertices", character.mesh.vertex_count()},
                    {"joints", character.skeleton.joint_count()}},
                   fmt::format("wrote {}: {} vertices, {} joints", arguments->output, character.mesh.vertex_count(),
                               character.skeleton.joint_count()));
  });
}

struct ImportArguments : WeightsArguments {
  std::string weights;
};

void add_import(Session& session) {
  auto arguments = std::make_shared<ImportArguments>();
  Command* command = session.add_command("weights import", "read weights from JSON or CSV");
  arguments->add_to(command, session, "character with a skeleton");
  command->add_option("--weights", arguments->weights, "file of weights, JSON or CSV")->required();
  session.on_run(command, [arguments, &session] {
    Character character = load_weights(*arguments, session);
    const WeightSelection selection = arguments->selection(character);
    const WeightChange change = parse_input(arguments->weights, session, [&](std::span<const std::byte> bytes) {
      return read_weights(as_text(bytes), character, selection);
    });
    finish_weights(*arguments, character, change, {{"weights", arguments->weights}}, "", session);
  });
}

struct TwistArguments : WeightsArguments {
  TwistOptions options;
  std::vector<std::string> limbs;
};

void run_twist(const TwistArguments& arguments, Session& session) {
  TwistOptions options = arguments.options;
  const auto asked = [&](const char* limb) {
    return arguments.limbs.empty() ||
           std::find(arguments.limbs.begin(), arguments.limbs.end(), limb) != arguments.limbs.end();
  };
  options.upper_arms = asked("upper-arms");
  options.forearms = asked("forearms");
  options.thighs = asked("thighs");
  options.shins = asked("shins");
  Character character = load_weights(arguments, session);
  const TwistReport report = add_twist_joints(character, options);
  session.warn(report.warnings);
  std::size_t joints = 0;
  for (const TwistLimb& limb : report.added) {
    joints += limb.twists.size();
    for (const std::string& name : limb.twists) session.say_detail("added " + name);
  }
  SaveOptions save;
  save.max_influences = character.weights.influences;
  session.warn(save_file(character, arguments.output, session, save));
  nlohmann::json result = report_json(report);
  result["input"] = arguments.input;
  result["output"] = arguments.output;
  session.finish(result,
                 fmt::format("{}: {} twist joints added to {} limbs; {} limbs had some already; {} vertices changed",
                             arguments.output, joints, report.added.size(), report.kept.size(), report.changed));
}

void add_twist(Session& session) {
  auto arguments = std::make_shared<TwistArguments>();
  Command* command =
      session.add_command("weights twist", "add twist joints to arms and legs, with weights and motions");
  arguments->add_to(command, session, "character with a skeleton", WeightsArguments::Selects::no);
  command->add_option("--per-limb", arguments->options.per_limb, "twist joints in each upper arm, forearm, thigh, shin")
      ->in_range(1, 3)
      ->show_default();
  command
      ->add_option("--limbs", arguments->limbs, "which: upper-arms, forearms, thighs, shins, with commas between them")
      ->delimiter(',')
      ->one_of({"upper-arms", "forearms", "thighs", "shins"})
      ->default_is("all");
  command
      ->add_option("--max-influences", arguments->options.max_influences,
                   "joints per vertex; 0 for as many as the file has now, at least 4")
      ->in_range(0, 16)
      ->show_default();
  session.on_run(command, [arguments, &session] { run_twist(*arguments, session); });
}

}  // namespace

void add_weights_other_commands(Session& session) {
  add_transfer(session);
  add_copy(session);
  add_combine(session);
  add_export(session);
  add_import(session);
  add_twist(session);
}

}  // namespace sinew::cli
