// sinew evaluate CANDIDATE [TRUTH]: how good is a skin, alone or against another one, and how good are motions.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/asset/joint_limits_file.h"
#include "sinew/evaluate.h"
#include "sinew/evaluate/evaluation.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

struct EvaluateArguments {
  std::string candidate;
  std::string truth;
  std::string require;
  std::string errors;
  std::string limits;
  EvaluationOptions evaluation;
};

void append_match(const Evaluation& evaluation, std::string& text) {
  const VertexMatch& vertices = *evaluation.vertices;
  const std::string how = vertices.same_order ? std::string("in the same order")
                                              : fmt::format("{} matched by position, {} to the closest surface",
                                                            vertices.on_vertex, vertices.on_surface);
  text += fmt::format("matched       {} of {} joints by name; {} vertices, {}\n", evaluation.joints->matched(),
                      evaluation.joints->truth_of.size(), evaluation.weights->vertices, how);
}

void append_weights(const WeightComparison& w, std::string& text) {
  text += fmt::format("\nweights\n");
  text += fmt::format("  L1                  {:.4f}   ({:.5f} per entry, {:.2f} at the worst vertex)\n", w.l1,
                      w.l1_per_entry, w.l1_max);
  text += fmt::format("  precision, recall   {:.3f}, {:.3f}\n", w.precision, w.recall);
  text += fmt::format("  same strongest      {:.1f} % of the vertices\n", 100 * w.dominant);
  text += fmt::format("  influences          {:.2f} mean, {} max   (truth: {:.2f} mean, {} max)\n", w.candidate.mean,
                      w.candidate.maximum, w.truth.mean, w.truth.maximum);
}

std::string set_name(const std::string& poses, double degrees) {
  if (poses == "motions") return "own motions";
  if (poses == "limits") return "within limits";
  return fmt::format("normal {:g}°", degrees);
}

// fmt pads by code points, so that the degree sign does not shift a column.
void append_deformations(const Evaluation& evaluation, double degrees, std::string& text) {
  text += "\ndeformation      poses       ADE       MDE   Chamfer      ELS   worst in\n";
  for (const auto& [poses, scores, worst] : evaluation.deformations) {
    text += fmt::format("  {:<14}{:>6} {:>9.5f} {:>9.5f} {:>9.5f} {:>8.4f}   {}\n", set_name(poses, degrees),
                        scores.poses, scores.ade, scores.mde, scores.chamfer, scores.els, worst);
  }
  text += "  distances divided by the bounding-box diagonal\n";
}

void append_skeleton(const SkeletonComparison& s, std::string& text) {
  const bool upright = s.height > 0;
  const double unit = upright ? s.height : s.diagonal;
  text += "\nskeleton             J2J       J2B       B2B   by name\n";
  text += fmt::format("  Chamfer      {:>9.5f} {:>9.5f} {:>9.5f} {:>9.5f}\n", s.j2j / unit, s.j2b / unit, s.b2b / unit,
                      s.named_distance / unit);
  text += fmt::format("  {} joints against {}; distances divided by the {}\n", s.candidate_joints, s.truth_joints,
                      upright ? "height" : "bounding-box diagonal");
}

void append_skin(const SkinQuality& skin, std::string& text) {
  text += "\nskin\n";
  text += fmt::format(
      "  coverage            {:.2f} % of {} vertices{}\n", 100 * skin.coverage, skin.vertices,
      skin.influences.unweighted > 0 ? fmt::format(" ({} without weight)", skin.influences.unweighted) : std::string());
  text += fmt::format("  influences          {:.2f} mean, {} max\n", skin.influences.mean, skin.influences.maximum);
  text += fmt::format("  joints in use       {} of {}\n", skin.used_joints, skin.joints);
  text += fmt::format("  islands             {}: {} rigid, {} without weight, {} partly without\n", skin.islands,
                      skin.rigid_islands, skin.unweighted_islands, skin.partial_islands);
  text += fmt::format("  split seams         {}\n", skin.split_seams);
  text += fmt::format("  smoothness          Dirichlet {:.2f} per joint, roughness {:.4f}, largest step {:.2f}\n",
                      skin.dirichlet, skin.roughness, skin.largest_step);
}

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

void append_movements(const Evaluation& evaluation, double degrees, std::string& text) {
  text +=
      "\nmovement         poses    stretch: mean    95 %     max    volume: mean       max    crossings: mean       "
      "max\n";
  for (const auto& [poses, scores, worst] : evaluation.movements) {
    const auto& volume = scores.volume_change;
    const auto& crossings = scores.self_intersections;
    text += fmt::format("  {:<14}{:>6}    {:>13.4f} {:>7.3f} {:>7.2f}    {:>12} {:>9}    {:>15} {:>9}\n",
                        set_name(poses, degrees), scores.poses, scores.stretch_mean, scores.stretch_p95,
                        scores.stretch_max, volume ? percent(volume->mean) : "none", volume ? percent(volume->max) : "",
                        crossings ? percent(crossings->mean) : "not counted", crossings ? percent(crossings->max) : "");
  }
  text +=
      "  stretch: |ln(edge length / length at rest)|; crossings: triangles that cross another one, but not at rest\n";
  for (const auto& [poses, scores, worst] : evaluation.movements) {
    text += fmt::format("  {}: most stretched in {}\n", set_name(poses, degrees), worst);
  }
}

std::string report(const Evaluation& evaluation, const EvaluateArguments& options) {
  std::string text = fmt::format("candidate     {}\n", options.candidate);
  if (!options.truth.empty()) text += fmt::format("truth         {}\n", options.truth);
  const double degrees = options.evaluation.normal_degrees;
  if (evaluation.weights) {
    append_match(evaluation, text);
    append_weights(*evaluation.weights, text);
  }
  if (!evaluation.deformations.empty()) append_deformations(evaluation, degrees, text);
  if (evaluation.skeleton) append_skeleton(*evaluation.skeleton, text);
  if (evaluation.skin) append_skin(*evaluation.skin, text);
  if (!evaluation.movements.empty()) append_movements(evaluation, degrees, text);
  return text;
}

void append_motions(const std::vector<MotionQuality>& motions, std::string& text) {
  text +=
      "\nmotion                    frames  contacts    slide    floor: median  deepest   limits    inside: mean  "
      "deepest    twist\n";
  for (const MotionQuality& m : motions) {
    text +=
        fmt::format("  {:<24.24}{:>6}{:>10}{:>9}{:>17}{:>9}{:>9}{:>16}{:>9}{:>8.0f}°\n", m.motion, m.frames, m.contacts,
                    percent(m.worst_slide), percent(m.floor_median), percent(m.floor_deepest), percent(m.limits_broken),
                    percent(m.self_penetration), percent(m.deepest_self_penetration), m.twist);
  }
  text +=
      "  slide, floor, inside: of the height; limits: share of turns that no body makes; inside: hands in the own "
      "body\n";
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names = evaluation_metric_names();
  for (const Metric& metric : metrics_of_motions({MotionQuality{}})) names.push_back(metric.name);
  return names;
}

void write_errors(const std::string& path, const Evaluation& evaluation) {
  std::string text;
  for (float error : evaluation.vertex_errors) text += fmt::format("{:g}\n", error);
  write_output(text, path);
}

void run_evaluate(const EvaluateArguments& options, Session& session) {
  if (!options.errors.empty() && options.truth.empty()) {
    throw Error(ErrorCode::option_missing, "--errors needs a truth", "sinew evaluate CANDIDATE TRUTH --errors FILE");
  }
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>() : parse_gates(options.require);
  check_gate_names(gates, metric_names());
  const Character candidate = load_file(options.candidate, session);
  session.warn(candidate.warnings);
  Character truth;
  if (!options.truth.empty()) {
    truth = load_file(options.truth, session);
    session.warn(truth.warnings);
  }
  EvaluationOptions evaluation_options = options.evaluation;
  evaluation_options.seed = session.seed();
  if (!options.limits.empty()) {
    parse_input(options.limits, session, [&](std::span<const std::byte> bytes) {
      evaluation_options.limits = parse_joint_limits(as_text(bytes), candidate.skeleton);
      if (options.truth.empty()) return;
      evaluation_options.truth_limits = parse_joint_limits(as_text(bytes), truth.skeleton);
    });
  }
  const bool moves = options.truth.empty() && !candidate.motions.empty();
  Evaluation evaluation;
  if (!options.truth.empty() || candidate.has_skin() || !moves) {
    evaluation = evaluate(candidate, options.truth.empty() ? nullptr : &truth, evaluation_options,
                          session.progress().part(0.0, moves ? 0.9 : 1.0));
  }
  session.warn(evaluation.warnings);
  if (!options.errors.empty()) write_errors(options.errors, evaluation);
  std::vector<Metric> metrics = metrics_of(evaluation);
  std::vector<MotionQuality> motions;
  if (moves) motions = evaluate_motions(candidate, session.progress().part(0.9, 1.0));
  for (const Metric& metric : metrics_of_motions(motions)) metrics.push_back(metric);
  const std::vector<GateResult> results = check_gates(gates, metrics);
  nlohmann::json json = to_json(evaluation);
  if (moves) json["motions"] = report_json(motions);
  json["candidate"] = options.candidate;
  if (!options.truth.empty()) json["truth"] = options.truth;
  if (!results.empty()) {
    json["gates"] = to_json(results);
    json["ok"] = std::all_of(results.begin(), results.end(), [](const GateResult& result) { return result.met; });
  }
  std::string text = report(evaluation, options);
  if (moves) append_motions(motions, text);
  session.finish(json, text);
  require_gates(results);
}

}  // namespace

void add_evaluate_command(Session& session) {
  auto options = std::make_shared<EvaluateArguments>();
  EvaluationOptions& evaluation = options->evaluation;
  Command* command =
      session.add_command("evaluate", "measure skin weights, alone or against reference weights, and motions");
  command->add_option("CANDIDATE", options->candidate, "character or motion to measure")->required();
  command->add_option("TRUTH", options->truth, "character to compare with: the same mesh with an artist's weights");
  command->add_option("--require", options->require,
                      "quality gates, for example ade=0.003,coverage=1; exit code 4 when one is not met");
  command->add_option("--limits", options->limits,
                      "JSON file with joint ranges for the random poses; sinew pose --write-limits writes one");
  session.add_output(command, "--errors", options->errors,
                     "write the mean error of each vertex of TRUTH, for sinew render --mode values",
                     Session::Formats::one);
  command
      ->add_option("--max-influences", evaluation.max_influences,
                   "reduce the candidate to this many influences per vertex first; 0 keeps all")
      ->in_range(0, 64)
      ->show_default();
  command->add_option("--poses-per-motion", evaluation.poses_per_motion, "poses taken from each of the file's motions")
      ->in_range(1, 1000000)
      ->show_default();
  command->add_option("--random-poses", evaluation.random_poses, "random poses of each kind")
      ->in_range(0, 1000000)
      ->show_default();
  command
      ->add_option("--degrees", evaluation.normal_degrees,
                   "standard deviation of joint angles in the random poses without limits, in degrees")
      ->in_range(0.0, 180.0)
      ->show_default();
  command
      ->add_option("--intersection-poses", evaluation.intersection_poses,
                   "poses of each kind in which self-intersections are counted")
      ->in_range(0, 1000000)
      ->show_default();
  session.on_run(command, [options, &session] { run_evaluate(*options, session); });
}

}  // namespace sinew::cli
