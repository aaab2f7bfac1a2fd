// How long the overlap atlas takes: once for cuts and distances, and again for every new softness K.
//
//   atlas_first/DISTANCE/VERTICES   everything, from a character to weights (seconds)
//   atlas_new_k/VERTICES            weights for another K from a solver that is kept (milliseconds),
//                                   and how many linear blend skinning passes over the same vertices that is
#include "sinew/weights/atlas/atlas.h"

#include <benchmark/benchmark.h>

#include <chrono>

#include "sinew/builtin/builtin_character.h"
#include "sinew/pose_mesh.h"
#include "sinew/runtime/skinning.h"

namespace sinew {
namespace {

const BindInput& input_with(std::size_t vertices) {
  static std::map<std::size_t, BindInput> inputs;
  const auto found = inputs.find(vertices);
  if (found != inputs.end()) return found->second;
  BuiltinOptions options;
  options.vertex_budget = vertices;
  Warnings warnings;
  return inputs.emplace(vertices, make_bind_input(make_builtin_character(options), {}, warnings)).first->second;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void atlas_first(benchmark::State& state, AtlasDistance distance) {
  const BindInput& input = input_with(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(atlas_weights(input, {distance, 32, true}, {}));
  state.counters["welded"] = static_cast<double>(input.vertex_count());
}

// One real-time pass over positions with these weights.
double lbs_seconds(const BindInput& input, const SkinWeights& weights) {
  std::vector<JointMatrix> palette(input.joint_count());
  for (JointMatrix& matrix : palette) {
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 4; ++r) matrix.columns[c][r] = c == r ? 1.0f : 0.0f;
    }
  }
  std::vector<float> positions(3 * input.vertex_count()), posed(positions.size());
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    for (int axis = 0; axis < 3; ++axis) positions[3 * v + axis] = input.mesh.positions[v][axis];
  }
  SkinningJob job;
  job.vertex_count = input.vertex_count();
  job.influences = weights.influences;
  job.joints = weights.joints;
  job.weights = weights.weights;
  job.matrices = palette;
  job.positions = {positions};
  job.posed_positions = {posed};
  double fastest = 1e30;
  for (int run = 0; run < 50; ++run) fastest = std::min(fastest, seconds_of([&] { (void)skin(job); }));
  return fastest;
}

void atlas_new_k(benchmark::State& state) {
  const BindInput& input = input_with(static_cast<std::size_t>(state.range(0)));
  AtlasSolver solver(input, {});
  const double lbs = lbs_seconds(input, solver.solve({0.5}));
  double k = 0.1, fastest = 1e30;
  for (auto _ : state) {
    k = k > 1.9 ? 0.1 : k + 0.1;
    fastest = std::min(fastest, seconds_of([&] { benchmark::DoNotOptimize(solver.solve({k})); }));
  }
  state.counters["fastest_ms"] = 1e3 * fastest;
  state.counters["lbs_passes"] = fastest / lbs;
  state.counters["welded"] = static_cast<double>(input.vertex_count());
}

BENCHMARK(atlas_new_k)->Arg(50'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(atlas_first, euclidean, AtlasDistance::euclidean)
    ->Arg(100'000)
    ->Unit(benchmark::kSecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(atlas_first, geodesic, AtlasDistance::geodesic)
    ->Arg(100'000)
    ->Unit(benchmark::kSecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(atlas_first, harmonic, AtlasDistance::harmonic)
    ->Arg(100'000)
    ->Unit(benchmark::kSecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
