// How long biharmonic weights take: from nothing, after an edit of a few painted vertices, and with default settings.
//
//   bench_biharmonic                                    about three minutes
//   bench_biharmonic --benchmark_filter=defaults
//   bench_biharmonic --data FOLDER                      real characters too: FOLDER/characters, beside the project
//
// Counters: points inside the shape, peak_GB of the whole process so far (run a single benchmark for its own), and
// "faster": how many times faster than fTetWild + libigl's bounded biharmonic weights on two cores. For real characters
// the peer was timed on the same file; built-in ones are set beside a character of their kind (9.5 s for 3,300 vertices
// in one piece, 95 s, the fastest of its kind, for 25,000 vertices in many pieces).
#include "sinew/weights/biharmonic/biharmonic.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"

namespace sinew {
namespace {

constexpr const char* twenty_joints =
    "Hips,Spine,Spine1,Spine2,Neck,Head,LeftShoulder,LeftArm,LeftForeArm,LeftHand,RightShoulder,RightArm,RightForeArm,"
    "RightHand,LeftUpLeg,LeftLeg,LeftFoot,RightUpLeg,RightLeg,RightFoot";

BindInput input_with(std::size_t vertices, const std::string& joints, BuiltinGarment garment = BuiltinGarment::bare) {
  BuiltinOptions options;
  options.vertex_budget = vertices;
  options.garment = garment;
  BindOptions chosen;
  chosen.joints = joints;
  Warnings warnings;
  return make_bind_input(make_builtin_character(options), chosen, warnings);
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

BiharmonicOptions options_with(std::int64_t points) {
  BiharmonicOptions options;
  options.resolution = static_cast<int>(points);
  return options;
}

void from_nothing(benchmark::State& state) {
  const BindInput input = input_with(10'000, twenty_joints);
  const JointHandles handles = joint_handles(input);
  BiharmonicOptions options = options_with(state.range(0));
  options.max_influences = 4;
  BiharmonicReport report;
  for (auto _ : state) {
    BiharmonicSolver solver(input.mesh, handles.handles, options);
    report = solver.solve();
  }
  state.counters["handles"] = static_cast<double>(handles.handles.size());
  state.counters["points"] = static_cast<double>(report.points);
  state.counters["peak_GB"] = peak_gigabytes();
}

// Every iteration pins another dozen vertices, or takes the pins away again.
void pin_edit(benchmark::State& state) {
  const BindInput input = input_with(10'000, twenty_joints);
  const JointHandles handles = joint_handles(input);
  BiharmonicOptions options = options_with(state.range(0));
  options.max_influences = static_cast<int>(state.range(1));
  BiharmonicSolver solver(input.mesh, handles.handles, options);
  BiharmonicReport report = solver.solve();
  std::uint32_t edits = 0;
  for (auto _ : state) {
    std::vector<BiharmonicPin> pins;
    if (edits % 2 == 0) {
      for (std::uint32_t i = 0; i < 12; ++i)
        pins.push_back({1000 + 100 * edits + i, {{static_cast<int>(edits % 5), 1.0}}});
    }
    report = solver.solve(pins);
    ++edits;
  }
  state.counters["points"] = static_cast<double>(report.points);
  state.counters["iterations"] = report.iterations;
}

// Default settings, beside the seconds that the peer takes.
void bind_by_defaults(benchmark::State& state, const BindInput& input, double peer_seconds) {
  Warnings warnings;
  BiharmonicOptions options;
  options.max_influences = 4;
  for (auto _ : state) benchmark::DoNotOptimize(biharmonic_weights(input, options, {}, {}, warnings));
  state.counters["vertices"] = static_cast<double>(input.vertex_count());
  state.counters["joints"] = static_cast<double>(joint_handles(input).handles.size());
  state.counters["pieces"] = static_cast<double>(input.components.count);
  state.counters["faster"] =
      benchmark::Counter(peer_seconds, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kDefaults);
}

void defaults(benchmark::State& state) {
  const bool clothed = state.range(1) != 0;
  bind_by_defaults(state,
                   input_with(static_cast<std::size_t>(state.range(0)), "auto",
                              clothed ? BuiltinGarment::jacket : BuiltinGarment::bare),
                   clothed ? 95.0 : 9.5);
}

// Files of the data folder, and how long fTetWild + libigl takes on each (PEERS.md there).
struct PeerTime {
  const char* file;
  double seconds;
};
constexpr PeerTime peer_times[] = {{"CesiumMan.glb", 9.5},
                                   {"KayKit_Knight.glb", 38},
                                   {"mannequiny.glb", 89},
                                   {"ozz_arnaud.fbx", 24},
                                   {"rocketbox_Female_Adult_01.fbx", 67},
                                   {"rocketbox_Male_Adult_05.fbx", 120}};

void real_character(benchmark::State& state, const std::filesystem::path& file, double peer_seconds) {
  Warnings warnings;
  bind_by_defaults(state, make_bind_input(load_character(file), {}, warnings), peer_seconds);
}

void register_real_characters(const std::filesystem::path& data) {
  for (const PeerTime& peer : peer_times) {
    const std::filesystem::path file = data / "characters" / peer.file;
    if (!std::filesystem::exists(file)) {
      std::fprintf(stderr, "%s is not there: left out\n", file.c_str());
      continue;
    }
    benchmark::RegisterBenchmark((std::string("real_character/") + peer.file).c_str(), real_character, file,
                                 peer.seconds)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
}

BENCHMARK(defaults)
    ->Args({3'300, 0})
    ->Args({10'000, 0})
    ->Args({25'000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(from_nothing)
    ->Arg(16'000)
    ->Arg(64'000)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(pin_edit)
    ->Args({16'000, 4})
    ->Args({64'000, 0})
    ->Args({64'000, 4})
    ->Iterations(4)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--data" && i + 1 < argc) {
      sinew::register_real_characters(argv[++i]);
    } else {
      arguments.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
