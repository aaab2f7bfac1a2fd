#include "sinew/pipeline/bind_character.h"

#include <algorithm>
#include <chrono>

namespace sinew {
namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void count_influences(const Character& character, const BindInput& input, BindReport& report) {
  const SkinWeights& weights = character.weights;
  std::size_t total = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (input.welded_of[v] == BindInput::not_bound) continue;
    int used = 0;
    for (int slot = 0; slot < weights.influences; ++slot) used += weights.weights[v * weights.influences + slot] > 0;
    ++report.vertices;
    report.unweighted += used == 0;
    report.max_influences = std::max(report.max_influences, used);
    total += static_cast<std::size_t>(used);
  }
  report.mean_influences = static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(report.vertices, 1));
}

// The one joint that an attached part follows, as its weights say.
int attached_joint(const Character& character, const Part& part) {
  if (!character.has_skin() || part.vertex_count == 0) return -1;
  return character.weights.joints[part.first_vertex * static_cast<std::size_t>(character.weights.influences)];
}

}  // namespace

void use_skeleton_of(const Character& source, Character& character, Warnings& warnings) {
  if (source.skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "'" + source.name + "' holds no skeleton");
  if (!character.motions.empty()) {
    warnings.push_back({"motions-dropped", "the motions of the mesh's own skeleton do not fit the new one; left out"});
  }
  SkinWeights weights = make_skin_weights(character.mesh.vertex_count(), 1);
  bool keeps_weights = false;
  for (Part& part : character.parts) {
    if (part.binding == PartBinding::skinned) part.binding = PartBinding::fixed;
    if (part.binding != PartBinding::attached) continue;
    const int old_joint = attached_joint(character, part);
    const int joint = old_joint >= 0 ? find_joint(source.skeleton, character.skeleton.names[old_joint]) : -1;
    if (joint < 0) {
      part.binding = PartBinding::fixed;
      warnings.push_back({"part-not-attached", "the new skeleton has no joint for attached part '" + part.name +
                                                   "': it is bound like the rest"});
      continue;
    }
    keeps_weights = true;
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      set_influences(weights, v, {{static_cast<std::uint16_t>(joint), 1.0}});
    }
  }
  character.weights = keeps_weights ? weights : SkinWeights{};
  character.skeleton = source.skeleton;
  character.motions = source.motions;
}

BindReport bind_character(Character& character, const WeightMethod& method, const OptionValues& values,
                          const BindInputOptions& options, const Progress& progress) {
  BindReport report;
  const OptionValues checked = checked_options(method, values);
  const Stopwatch preparing;
  Character bound = character;
  match_units(bound, report.warnings);
  progress(0.0, "preparing");
  const BindInput input = make_bind_input(bound, options, report.warnings);
  report.prepare_seconds = preparing.seconds();

  const Stopwatch solving;
  const SkinWeights welded = method.solve(input, checked, progress.part(0.05, 1.0), report.warnings);
  bound.weights = to_character_weights(bound, input, welded);
  report.solve_seconds = solving.seconds();

  for (Part& part : bound.parts) {
    if (part.vertex_count > 0 && input.welded_of[part.first_vertex] != BindInput::not_bound) {
      part.binding = PartBinding::skinned;
    }
  }
  report.welded_vertices = input.vertex_count();
  report.pieces = input.components.count;
  for (int j = 0; j < input.joint_count(); ++j) {
    if (input.takes_weight[j]) report.joints.push_back(j);
  }
  count_influences(bound, input, report);
  character = std::move(bound);
  return report;
}

}  // namespace sinew
