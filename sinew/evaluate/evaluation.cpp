#include "sinew/evaluate/evaluation.h"

#include <algorithm>

namespace sinew {
namespace {

template <class Measured>
const Measured* find_set(const std::vector<Measured>& list, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const Measured& measured : list) {
      if (measured.poses == name) return &measured;
    }
  }
  return nullptr;
}

std::vector<PoseSet> pose_sets(const Character& character, const JointLimits& limits,
                               const EvaluationOptions& options) {
  std::vector<PoseSet> sets;
  sets.push_back(motion_poses(character.skeleton, character.motions, options.poses_per_motion));
  sets.push_back(limit_poses(character.skeleton, options.random_poses, options.seed, limits));
  sets.push_back(normal_poses(character.skeleton, options.random_poses, options.normal_degrees, options.seed));
  std::erase_if(sets, [](const PoseSet& set) { return set.poses.empty(); });
  return sets;
}

void compare(const Character& candidate, const Character& truth, const EvaluationOptions& options,
             const Progress& progress, Evaluation& result) {
  if (!candidate.skeleton.empty() && !truth.skeleton.empty()) result.skeleton = compare_skeletons(candidate, truth);
  if (!candidate.has_skin() || !truth.has_skin()) {
    const std::string who = candidate.has_skin() ? "the truth" : "the candidate";
    if (!result.skeleton) {
      throw Error(ErrorCode::weights_missing, who + " has neither weights nor a skeleton",
                  "compare two characters that have weights or a skeleton");
    }
    result.warnings.push_back({"no-weights", who + " has no skin weights; only the skeletons were compared"});
    return;
  }
  const SkinPair pair = pair_skins(candidate, truth);
  result.warnings.insert(result.warnings.end(), pair.warnings.begin(), pair.warnings.end());
  result.vertices = pair.vertices;
  result.joints = pair.joints;
  result.weights = compare_weights(pair, options.threshold);
  const std::vector<PoseSet> sets = pose_sets(truth, options.truth_limits, options);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Progress part = progress.part(static_cast<double>(i) / sets.size(), (i + 1.0) / sets.size());
    Evaluation::Deformation deformation{sets[i].name, compare_deformation(pair, sets[i].poses, part), ""};
    deformation.worst_pose = sets[i].labels[deformation.scores.worst_pose];
    result.deformations.push_back(std::move(deformation));
  }
  if (const Evaluation::Deformation* headline = result.headline_deformation()) {
    result.vertex_errors.assign(truth.mesh.vertex_count(), 0.0f);
    for (std::size_t v = 0; v < pair.original.size(); ++v) {
      result.vertex_errors[pair.original[v]] = static_cast<float>(headline->scores.ade_per_vertex[v]);
    }
  }
}

void assess(const Character& candidate, const EvaluationOptions& options, const Progress& progress,
            Evaluation& result) {
  result.skin = assess_skin(candidate, options.threshold);
  if (result.skin->left_out > 0) {
    result.warnings.push_back({"parts-left-out", std::to_string(result.skin->left_out) +
                                                     " vertices of parts that are not skinned were left out"});
  }
  const std::vector<PoseSet> sets = pose_sets(candidate, options.limits, options);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Progress part = progress.part(static_cast<double>(i) / sets.size(), (i + 1.0) / sets.size());
    Evaluation::Movement movement{sets[i].name,
                                  assess_poses(candidate, sets[i].poses, {options.intersection_poses}, part), ""};
    movement.worst_stretch_pose = sets[i].labels[movement.scores.worst_stretch_pose];
    result.movements.push_back(std::move(movement));
  }
}

}  // namespace

const Evaluation::Deformation* Evaluation::headline_deformation() const {
  return find_set(deformations, {"motions", "normal", "limits"});
}

const Evaluation::Movement* Evaluation::headline_movement() const {
  return find_set(movements, {"motions", "limits", "normal"});
}

Evaluation evaluate(const Character& candidate, const Character* truth, const EvaluationOptions& options,
                    const Progress& progress) {
  if (!truth && !candidate.has_skin()) {
    throw Error(ErrorCode::weights_missing, "'" + candidate.name + "' has no skin weights",
                "bind it first, or compare it with a ground truth");
  }
  Character reduced;
  const Character* subject = &candidate;
  if (candidate.has_skin() && options.max_influences > 0 && options.max_influences < candidate.weights.influences) {
    reduced = candidate;
    reduced.weights = with_influences(candidate.weights, options.max_influences);
    subject = &reduced;
  }
  Evaluation result;
  if (truth) compare(*subject, *truth, options, progress.part(0.0, 0.5), result);
  if (subject->has_skin()) assess(*subject, options, progress.part(truth ? 0.5 : 0.0, 1.0), result);
  progress(1.0, "done");
  return result;
}

}  // namespace sinew
