// How long bone heat and its steps take on characters of several sizes.
#include "sinew/weights/heat/heat.h"

#include <benchmark/benchmark.h>

#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/mesh/laplacian.h"
#include "sinew/weights/heat/heat_sources.h"

namespace sinew {
namespace {

BindInput input_with(std::int64_t vertices) {
  BuiltinOptions options;
  options.vertex_budget = static_cast<std::size_t>(vertices);
  Warnings warnings;
  return make_bind_input(make_builtin_character(options), {}, warnings);
}

void heat(benchmark::State& state) {
  const BindInput input = input_with(state.range(0));
  Warnings warnings;
  for (auto _ : state) benchmark::DoNotOptimize(heat_weights(input, {}, {}, warnings));
  state.counters["joints"] = static_cast<double>(input.bones.size());
}

void heat_sources(benchmark::State& state) {
  const BindInput input = input_with(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(find_heat_sources(input));
}

void laplacian(benchmark::State& state) {
  const BindInput input = input_with(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(robust_laplacian(input.mesh.positions, input.mesh.triangles));
}

BENCHMARK(heat)->Arg(5'000)->Arg(50'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(heat_sources)->Arg(5'000)->Arg(50'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(laplacian)->Arg(5'000)->Arg(50'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
