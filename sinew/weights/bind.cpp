#include "sinew/weights/bind.h"

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

}  // namespace

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
