// sinew weights mirror, smooth, prune, limit: a character's own weights made better.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "sinew/pipeline/report_json.h"
#include "weights_tools.h"

namespace sinew::cli {
namespace {

struct MirrorArguments : WeightsArguments {
  MirrorOptions options;
  bool by_position = false;
};

void run_mirror(MirrorArguments& arguments, Session& session) {
  Character character = load_weights(arguments, session);
  MirrorOptions options = arguments.options;
  options.selection = arguments.selection(character);
  options.by_topology = !arguments.by_position;
  const MirrorReport report = mirror_weights(character, options, session.progress());
  finish_weights(arguments, character, report.change, report_json(report, character.skeleton),
                 fmt::format("matched {} vertices by topology, {} by position, {} on the surface, {} in the middle, {} "
                             "not at all",
                             report.by_topology, report.by_vertex, report.by_surface, report.middle, report.unmatched),
                 session);
}

void add_mirror(Session& session) {
  auto arguments = std::make_shared<MirrorArguments>();
  Command* command = session.add_command("weights mirror", "take the weights of one side for both");
  arguments->add_to(command, session);
  const std::map<std::string, MirrorFrom> sides{{"left", MirrorFrom::left}, {"right", MirrorFrom::right}};
  command
      ->add_choice("--from", arguments->options.from, sides,
                   "side whose weights are taken: left or right, as the character sees it")
      ->default_is("left");
  command->add_flag("--by-position", arguments->by_position,
                    "match vertices by position alone, also where both sides have the same topology");
  command
      ->add_option("--tolerance", arguments->options.vertex_tolerance,
                   "distance within which a vertex is another's mirror image, in bounding diagonals")
      ->in_range(0.0, 0.1)
      ->show_default();
  command
      ->add_option("--reach", arguments->options.reach,
                   "how far the other side's surface may be, in bounding diagonals")
      ->in_range(0.0, 1.0)
      ->show_default();
  session.on_run(command, [arguments, &session] { run_mirror(*arguments, session); });
}

struct SmoothArguments : WeightsArguments {
  SmoothOptions options;
  std::string joint_patterns;
};

void add_smooth(Session& session) {
  auto arguments = std::make_shared<SmoothArguments>();
  Command* command = session.add_command("weights smooth", "even out weights over the surface");
  arguments->add_to(command, session);
  command->add_option("--joints", arguments->joint_patterns, "smooth only these joints; the others give way")
      ->default_is("all");
  command
      ->add_option("--strength", arguments->options.strength, "how far a weight goes to the mean around it, each time")
      ->in_range(0.0, 1.0)
      ->show_default();
  command->add_option("--iterations", arguments->options.iterations, "how often")->in_range(0, 1000)->show_default();
  command
      ->add_option("--max-influences", arguments->options.max_influences,
                   "joints per vertex; 0 for as many as the file has now")
      ->in_range(0, 16)
      ->show_default();
  session.on_run(command, [arguments, &session] {
    Character character = load_weights(*arguments, session);
    SmoothOptions options = arguments->options;
    options.selection = arguments->selection(character);
    options.joints = WeightsArguments::joints(character, arguments->joint_patterns, "joints");
    const WeightChange change = smooth_weights(character, options, session.progress());
    finish_weights(*arguments, character, change, nlohmann::json::object(), "", session);
  });
}

struct PruneArguments : WeightsArguments {
  PruneOptions options;
  std::string joint_patterns;
};

void add_prune(Session& session) {
  auto arguments = std::make_shared<PruneArguments>();
  Command* command = session.add_command("weights prune", "drop weights below a threshold");
  arguments->add_to(command, session);
  command->add_option("--joints", arguments->joint_patterns, "drop only weights of these joints")->default_is("all");
  command->add_option("--threshold", arguments->options.threshold, "weights below this go; the strongest always stays")
      ->in_range(0.0, 1.0)
      ->show_default();
  session.on_run(command, [arguments, &session] {
    Character character = load_weights(*arguments, session);
    PruneOptions options = arguments->options;
    options.selection = arguments->selection(character);
    options.joints = WeightsArguments::joints(character, arguments->joint_patterns, "joints");
    const WeightChange change = prune_weights(character, options, session.progress());
    finish_weights(*arguments, character, change, nlohmann::json::object(), "", session);
  });
}

struct LimitArguments : WeightsArguments {
  LimitOptions options;
};

void run_limit(const LimitArguments& arguments, Session& session) {
  Character character = load_weights(arguments, session);
  LimitOptions options = arguments.options;
  options.selection = arguments.selection(character);
  options.seed = session.seed();
  const LimitReport report = limit_influences(character, options, session.progress());
  finish_weights(arguments, character, report.change,
                 {{"reduced_vertices", report.reduced},
                  {"mean_error", report.mean_error},
                  {"max_error", report.max_error},
                  {"truncated_mean_error", report.truncated_mean_error},
                  {"truncated_max_error", report.truncated_max_error}},
                 report.reduced == 0
                     ? "no vertex has too many influences"
                     : fmt::format("{} vertices reduced, moving by {:.2g} of the diagonal on average in random poses "
                                   "(keeping the strongest: {:.2g})",
                                   report.reduced, report.mean_error, report.truncated_mean_error),
                 session);
}

void add_limit(Session& session) {
  auto arguments = std::make_shared<LimitArguments>();
  Command* command =
      session.add_command("weights limit", "reduce influences per vertex with the least change in poses");
  arguments->add_to(command, session);
  command->add_option("--max-influences", arguments->options.max_influences, "joints per vertex")
      ->in_range(1, 16)
      ->show_default();
  command
      ->add_option("--poses", arguments->options.poses,
                   "poses to measure in: of the motions, and random ones within joint limits; see --seed")
      ->in_range(1, 1000)
      ->show_default();
  session.on_run(command, [arguments, &session] { run_limit(*arguments, session); });
}

}  // namespace

void add_weights_edit_commands(Session& session) {
  add_mirror(session);
  add_smooth(session);
  add_prune(session);
  add_limit(session);
}

}  // namespace sinew::cli
