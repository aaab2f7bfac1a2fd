// Evaluations as JSON and as named metrics. The names are what scripts and gates rely on (docs/metrics.md).
#include <nlohmann/json.hpp>

#include "sinew/evaluate/evaluation.h"

namespace sinew {
namespace {

using nlohmann::json;

json influences_json(const InfluenceCounts& counts) {
  return {{"mean", counts.mean}, {"max", counts.maximum}, {"unweighted", counts.unweighted}};
}

json weights_json(const WeightComparison& w) {
  return {{"vertices", w.vertices},
          {"joints", w.joints},
          {"l1", w.l1},
          {"l1_per_entry", w.l1_per_entry},
          {"l1_max", w.l1_max},
          {"precision", w.precision},
          {"recall", w.recall},
          {"dominant", w.dominant},
          {"influences", influences_json(w.candidate)},
          {"truth_influences", influences_json(w.truth)}};
}

json deformation_json(const Evaluation::Deformation& deformation) {
  const DeformationComparison& scores = deformation.scores;
  return {{"poses", scores.poses},
          {"ade", scores.ade},
          {"mde", scores.mde},
          {"chamfer", scores.chamfer},
          {"els", scores.els},
          {"worst_pose", deformation.worst_pose},
          {"worst_vertex", scores.worst_vertex}};
}

json skeleton_json(const SkeletonComparison& s) {
  const auto distances = [&](double unit) {
    return json{
        {"j2j", s.j2j / unit}, {"j2b", s.j2b / unit}, {"b2b", s.b2b / unit}, {"named", s.named_distance / unit}};
  };
  json result = {{"joints", s.candidate_joints},   {"truth_joints", s.truth_joints},
                 {"named_joints", s.named_joints}, {"height", s.height},
                 {"diagonal", s.diagonal},         {"by_diagonal", distances(s.diagonal)}};
  if (s.height > 0) result["by_height"] = distances(s.height);
  return result;
}

json movement_json(const Evaluation::Movement& movement) {
  const PoseQuality& scores = movement.scores;
  json result = {{"poses", scores.poses},
                 {"stretch",
                  {{"mean", scores.stretch_mean},
                   {"p95", scores.stretch_p95},
                   {"max", scores.stretch_max},
                   {"worst_pose", movement.worst_stretch_pose}}}};
  if (scores.volume_change) {
    result["volume_change"] = {
        {"mean", scores.volume_change->mean}, {"max", scores.volume_change->max}, {"holes_closed", scores.holes}};
  }
  if (scores.self_intersections) {
    result["self_intersections"] = {{"poses", scores.self_intersections->poses},
                                    {"triangles_at_rest", scores.self_intersections->at_rest},
                                    {"new_mean", scores.self_intersections->mean},
                                    {"new_max", scores.self_intersections->max}};
  }
  return result;
}

void add_deformation(const std::string& prefix, const DeformationComparison& scores, std::vector<Metric>& metrics) {
  metrics.push_back({prefix + "ade", scores.ade, Better::lower});
  metrics.push_back({prefix + "mde", scores.mde, Better::lower});
  metrics.push_back({prefix + "chamfer", scores.chamfer, Better::lower});
  metrics.push_back({prefix + "els", scores.els, Better::higher});
}

void add_movement(const std::string& prefix, const PoseQuality& scores, std::vector<Metric>& metrics) {
  metrics.push_back({prefix + "stretch", scores.stretch_mean, Better::lower});
  metrics.push_back({prefix + "stretch-p95", scores.stretch_p95, Better::lower});
  metrics.push_back({prefix + "stretch-max", scores.stretch_max, Better::lower});
  if (scores.volume_change) {
    metrics.push_back({prefix + "volume-change", scores.volume_change->mean, Better::lower});
    metrics.push_back({prefix + "volume-change-max", scores.volume_change->max, Better::lower});
  }
  if (scores.self_intersections) {
    metrics.push_back({prefix + "self-intersections", scores.self_intersections->mean, Better::lower});
    metrics.push_back({prefix + "self-intersections-max", scores.self_intersections->max, Better::lower});
  }
}

}  // namespace

std::vector<Metric> metrics_of(const SkinQuality& skin) {
  return {{"coverage", skin.coverage, Better::higher},
          {"unweighted", static_cast<double>(skin.influences.unweighted), Better::lower},
          {"max-influences", static_cast<double>(skin.influences.maximum), Better::lower},
          {"mean-influences", skin.influences.mean, Better::lower},
          {"unweighted-islands", static_cast<double>(skin.unweighted_islands), Better::lower},
          {"partial-islands", static_cast<double>(skin.partial_islands), Better::lower},
          {"split-seams", static_cast<double>(skin.split_seams), Better::lower},
          {"dirichlet", skin.dirichlet, Better::lower},
          {"roughness", skin.roughness, Better::lower},
          {"largest-step", skin.largest_step, Better::lower}};
}

std::vector<Metric> metrics_of(const Evaluation& evaluation) {
  std::vector<Metric> metrics;
  if (evaluation.weights) {
    const WeightComparison& w = *evaluation.weights;
    metrics = {{"l1", w.l1, Better::lower},          {"l1-per-entry", w.l1_per_entry, Better::lower},
               {"l1-max", w.l1_max, Better::lower},  {"precision", w.precision, Better::higher},
               {"recall", w.recall, Better::higher}, {"dominant", w.dominant, Better::higher}};
  }
  if (const auto* headline = evaluation.headline_deformation()) add_deformation("", headline->scores, metrics);
  for (const auto& deformation : evaluation.deformations) {
    add_deformation(deformation.poses + "-", deformation.scores, metrics);
  }
  if (evaluation.skeleton && evaluation.skeleton->height > 0) {
    const SkeletonComparison& s = *evaluation.skeleton;
    metrics.push_back({"j2j", s.j2j / s.height, Better::lower});
    metrics.push_back({"j2b", s.j2b / s.height, Better::lower});
    metrics.push_back({"b2b", s.b2b / s.height, Better::lower});
  }
  if (evaluation.skin) {
    for (const Metric& metric : metrics_of(*evaluation.skin)) metrics.push_back(metric);
  }
  if (const auto* headline = evaluation.headline_movement()) add_movement("", headline->scores, metrics);
  for (const auto& movement : evaluation.movements) add_movement(movement.poses + "-", movement.scores, metrics);
  return metrics;
}

std::vector<std::string> evaluation_metric_names() {
  Evaluation full;
  full.weights.emplace();
  full.skeleton.emplace().height = 1;
  full.skin.emplace();
  for (const char* poses : {"motions", "limits", "normal"}) {
    full.deformations.push_back({poses, {}, {}});
    full.movements.push_back({poses, {}, {}});
    full.movements.back().scores.volume_change.emplace();
    full.movements.back().scores.self_intersections.emplace();
  }
  std::vector<std::string> names;
  for (const Metric& metric : metrics_of(full)) names.push_back(metric.name);
  return names;
}

nlohmann::json to_json(const SkinQuality& skin) {
  return {{"vertices", skin.vertices},
          {"left_out", skin.left_out},
          {"coverage", skin.coverage},
          {"influences", influences_json(skin.influences)},
          {"joints", skin.joints},
          {"used_joints", skin.used_joints},
          {"islands",
           {{"count", skin.islands},
            {"unweighted", skin.unweighted_islands},
            {"partial", skin.partial_islands},
            {"rigid", skin.rigid_islands}}},
          {"split_seams", skin.split_seams},
          {"dirichlet", skin.dirichlet},
          {"roughness", skin.roughness},
          {"largest_step", skin.largest_step}};
}

nlohmann::json to_json(const std::vector<GateResult>& results) {
  json list = json::array();
  for (const GateResult& result : results) {
    list.push_back({{"name", result.gate.name},
                    {"value", result.value},
                    {result.better == Better::lower ? "at_most" : "at_least", result.gate.limit},
                    {"met", result.met}});
  }
  return list;
}

nlohmann::json to_json(const Evaluation& evaluation) {
  json result = json::object();
  if (evaluation.vertices && evaluation.joints) {
    result["match"] = {{"same_vertex_order", evaluation.vertices->same_order},
                       {"vertices_on_vertex", evaluation.vertices->on_vertex},
                       {"vertices_on_surface", evaluation.vertices->on_surface},
                       {"mean_distance", evaluation.vertices->mean_distance},
                       {"max_distance", evaluation.vertices->max_distance},
                       {"joints_by_name", evaluation.joints->exact},
                       {"joints_by_normalised_name", evaluation.joints->normalised}};
  }
  if (evaluation.weights) result["weights"] = weights_json(*evaluation.weights);
  for (const auto& deformation : evaluation.deformations) {
    result["deformation"][deformation.poses] = deformation_json(deformation);
  }
  if (const auto* headline = evaluation.headline_deformation()) result["deformation"]["headline"] = headline->poses;
  if (evaluation.skeleton) result["skeleton"] = skeleton_json(*evaluation.skeleton);
  if (evaluation.skin) result["skin"] = to_json(*evaluation.skin);
  for (const auto& movement : evaluation.movements) result["movement"][movement.poses] = movement_json(movement);
  if (const auto* headline = evaluation.headline_movement()) result["movement"]["headline"] = headline->poses;
  return result;
}

}  // namespace sinew
