// sinew bind: skinning weights for a mesh and a skeleton, by any registered method.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "bind_inputs.h"
#include "character_source.h"
#include "commands.h"
#include "part_rules.h"
#include "save_choices.h"
#include "session.h"
#include "sinew/bind.h"
#include "sinew/evaluate/skin_quality.h"
#include "sinew/gates.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

struct BindArguments {
  std::string mesh, skeleton, output, require;
  BindOptions bind;
  BindInputFiles files;
  SaveOptions save;
  bool overwrite = false;
  std::map<std::string, std::string> method_options;  // as typed, by name
};

// Its help with range and default.
std::string help_of(const MethodOption& option) {
  const bool number = !std::holds_alternative<std::string>(option.default_value);
  std::string text = option.help;
  if (number && option.maximum < 1e30) {
    text += fmt::format("; {:.10g} … {:.10g}", option.minimum, option.maximum);
  }
  const std::string value = format_option(option.default_value);
  return value.empty() ? text : text + "; default " + value;
}

// One flag per option name; methods that share a name share the flag.
void add_method_flags(Command* command, BindArguments& options) {
  std::map<std::string, std::string> help;
  for (const MethodInfo& method : weight_method_list()) {
    for (const MethodOption& option : method.options) {
      std::string& text = help[option.name];
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", method.name, help_of(option));
    }
  }
  for (const auto& [name, text] : help) {
    command
        ->add_reader(
            "--" + name, [&options, name = name](const std::string& value) { options.method_options[name] = value; },
            text)
        ->group("options of each method");
  }
}

std::string method_help() {
  std::string text = "how to compute the weights:";
  for (const MethodInfo& method : weight_method_list()) text += fmt::format("\n{} = {}", method.name, method.summary);
  return text;
}

OptionValues method_values(const BindArguments& options) {
  const MethodInfo method = weight_method_info(options.bind.method);
  OptionValues values;
  for (const auto& [name, text] : options.method_options) {
    values[name] = text;  // checked_options refuses what the method does not have
    for (const MethodOption& option : method.options) {
      if (option.name == name) values[name] = parse_option(option, text);
    }
  }
  return checked_options(method, values);
}

std::vector<Metric> bind_metrics(const BindReport& report, const SkinQuality& quality) {
  return {{"coverage", quality.coverage, Better::higher},
          {"unweighted", static_cast<double>(report.unweighted), Better::lower},
          {"max-influences", static_cast<double>(report.max_influences), Better::lower},
          {"mean-influences", report.mean_influences, Better::lower},
          {"joints", static_cast<double>(report.joints.size()), Better::higher},
          {"used-joints", static_cast<double>(quality.used_joints), Better::higher},
          {"roughness", quality.roughness, Better::lower},
          {"largest-step", quality.largest_step, Better::lower},
          {"split-seams", static_cast<double>(quality.split_seams), Better::lower},
          {"warnings", static_cast<double>(report.warnings.size()), Better::lower},
          {"seconds", report.prepare_seconds + report.solve_seconds, Better::lower}};
}

const std::vector<std::string>& bind_metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Metric& metric : bind_metrics({}, {})) list.push_back(metric.name);
    return list;
  }();
  return names;
}

nlohmann::json to_json(const BindArguments& options, const Character& character, const BindReport& report,
                       const std::vector<Metric>& metrics) {
  nlohmann::json result = report_json(report, character.skeleton);
  result["output"] = options.output;
  result["method"] = options.bind.method;
  for (const Metric& metric : metrics) result["metrics"][metric.name] = metric.value;
  return result;
}

void run_bind(BindArguments& options, Session& session) {
  options.bind.values = method_values(options);
  options.bind.seed = session.seed();
  options.files.check(options.bind.method);
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>{} : parse_gates(options.require);
  check_gate_names(gates, bind_metric_names());
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);

  Character character = load_with_skeleton(options.mesh, options.skeleton, session);
  options.files.load(character, options.bind, session);
  const BindReport report = bind_character(character, options.bind, session.progress());
  session.warn(report.warnings);
  for (int joint : report.joints) session.say_detail("takes weight: " + character.skeleton.names[joint]);

  const std::vector<Metric> metrics = bind_metrics(report, assess_skin(character));
  require_gates(check_gates(gates, metrics));
  options.save.max_influences = options.bind.max_influences;
  session.warn(options.files.save(character, report, options.output, options.save, session));
  session.finish(to_json(options, character, report, metrics),
                 fmt::format("{}: {} vertices bound to {} joints by {} in {:.2f} s, {:.2f} influences per vertex",
                             options.output, report.vertices, report.joints.size(), options.bind.method,
                             report.prepare_seconds + report.solve_seconds, report.mean_influences));
}

}  // namespace

void add_bind_command(Session& session) {
  auto options = std::make_shared<BindArguments>();
  Command* command = session.add_command("bind", "compute skin weights for a mesh and a skeleton");
  command->add_option("MESH", options->mesh, "mesh or character; with a skeleton of its own it needs no --skeleton")
      ->required();
  session.add_output(command, "-o,--output", options->output, "where to write the bound character")->required();
  command->add_option("--skeleton", options->skeleton, "skeleton and motions from another file: .glb .gltf .fbx .bvh");
  command->add_option("-m,--method", options->bind.method, method_help())->suggest(method_names())->show_default();
  command->add_option("--max-influences", options->bind.max_influences, "joints per vertex")
      ->in_range(1, 16)
      ->show_default();
  command
      ->add_option("--joints", options->bind.joints,
                   "joints that take weights: auto, all, weighted (those that have weights now), or names with commas; "
                   "* matches anything, -NAME leaves one out (auto,-Jaw)")
      ->show_default();
  command->add_option(
      "--require", options->require,
      "quality gates, for example coverage=1,max-influences=4; exit code 4 and no output when one is not met");
  add_save_options(*command, options->save);
  add_keep_skeleton(*command, options->save);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  add_part_options(command, options->bind.parts, true);
  options->files.add_options(command, session);
  add_method_flags(command, *options);
  session.on_run(command, [options, &session] { run_bind(*options, session); });
}

}  // namespace sinew::cli
