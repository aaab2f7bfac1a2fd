// Reading and writing a GLB of a million triangles, as ratios against what cannot be avoided: reading the file's bytes,
// parsing its JSON, and writing the bytes back. Peak memory as a ratio to the size of the decoded arrays.
//
//   time_ratio    (read_gltf + write_gltf) / (read bytes + parse JSON + write bytes); the aim is at most 3
//   cpu_ratio     the same in processor time of all threads: what a busy machine leaves of it
//   memory_ratio  peak resident memory of a process that reads and writes / decoded size; the aim is under 4
//
// "pass_through" writes the character as it was read, "new_weights" after every weight changed, "fresh" without the
// file it came from.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/asset/gltf/gltf.h"
#include "sinew/base/file_bytes.h"

namespace sinew {
namespace {

constexpr int side = 708;  // a grid of side² vertices has 2 (side-1)² = 1.0 million triangles

Character make_sheet() {
  Character character;
  character.name = "sheet";
  TriangleMesh& mesh = character.mesh;
  for (int joint = 0; joint < 20; ++joint) {
    add_joint(character.skeleton, "joint " + std::to_string(joint), joint - 1,
              Affine3d(Eigen::Translation3d(0.05 * joint, 0, 0)));
  }
  character.weights = make_skin_weights(static_cast<std::size_t>(side) * side, 4);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const float u = static_cast<float>(x) / (side - 1), v = static_cast<float>(y) / (side - 1);
      mesh.positions.emplace_back(u, v, 0.05f * std::sin(20 * u) * std::cos(17 * v));
      mesh.normals.push_back(Vec3f(-std::cos(20 * u), std::sin(17 * v), 1).normalized());
      mesh.uvs.emplace_back(u, v);
      const auto joint = static_cast<std::uint16_t>(u * 15);
      set_influences(character.weights, static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x),
                     {{joint, 0.4 + u},
                      {static_cast<std::uint16_t>(joint + 1), 0.3},
                      {static_cast<std::uint16_t>(joint + 2), 0.2 * v},
                      {static_cast<std::uint16_t>(joint + 3), 0.1}});
    }
  }
  for (std::uint32_t y = 0; y + 1 < side; ++y) {
    for (std::uint32_t x = 0; x + 1 < side; ++x) {
      const std::uint32_t a = y * side + x;
      mesh.triangles.push_back({a, a + 1, a + side});
      mesh.triangles.push_back({a + 1, a + side + 1, a + side});
    }
  }
  Part part;
  part.name = "sheet";
  part.vertex_count = mesh.vertex_count();
  part.triangle_count = mesh.triangles.size();
  part.binding = PartBinding::skinned;
  character.parts.push_back(part);
  return character;
}

// The files of this run, removed at the end.
struct Files {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("sinew_bench_gltf_" + std::to_string(getpid()));
  std::filesystem::path input = folder / "input.glb", output = folder / "output.glb";
  std::size_t decoded_bytes = 0;

  Files() {
    std::filesystem::create_directories(folder);
    const Character sheet = make_sheet();
    save(write_gltf(sheet, FileFormat::glb), input);
    decoded_bytes = sheet.mesh.positions.size() * (12 + 12 + 8) + sheet.mesh.triangles.size() * sizeof(Triangle) +
                    sheet.weights.weights.size() * 6;
  }
  ~Files() { std::filesystem::remove_all(folder); }
};

const Files& files() {
  static const Files made;
  return made;
}

enum Change { pass_through, new_weights, fresh };

void read_and_write(Change change, const std::filesystem::path& input, const std::filesystem::path& output) {
  Character character = read_gltf(read_file_bytes(input), {}, input);
  if (change == fresh) character.source.reset();
  if (change == new_weights) {
    for (std::size_t slot = 0; slot < character.weights.weights.size(); slot += 4) {
      character.weights.weights[slot] = 0.75f;
      character.weights.weights[slot + 1] = 0.25f;
      character.weights.weights[slot + 2] = character.weights.weights[slot + 3] = 0.0f;
      character.weights.joints[slot + 2] = character.weights.joints[slot + 3] = 0;
    }
  }
  save(write_gltf(character, FileFormat::glb), output);
}

void read_and_write_bytes() {
  const std::vector<std::byte> bytes = read_file_bytes(files().input);
  std::uint32_t json_size = 0;
  std::memcpy(&json_size, bytes.data() + 12, 4);
  const char* text = reinterpret_cast<const char*>(bytes.data()) + 20;
  benchmark::DoNotOptimize(nlohmann::ordered_json::parse(text, text + json_size));
  write_file_bytes(files().output, bytes);
}

struct Seconds {
  double passed = 0, used = 0;  // on the clock; by all threads, in the kernel as well
};

template <typename Work>
Seconds seconds_of(Work work) {
  const auto now = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now(CLOCK_MONOTONIC), begin_used = now(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return {now(CLOCK_MONOTONIC) - begin, now(CLOCK_PROCESS_CPUTIME_ID) - begin_used};
}

Seconds least(const Seconds& a, const Seconds& b) { return {std::min(a.passed, b.passed), std::min(a.used, b.used)}; }

double status_bytes(const char* key) {
  long kilobytes = 0;
  char line[256];
  std::FILE* file = std::fopen("/proc/self/status", "r");
  while (file && std::fgets(line, sizeof(line), file)) {
    if (std::strncmp(line, key, std::strlen(key)) == 0) std::sscanf(line + std::strlen(key), "%ld", &kilobytes);
  }
  if (file) std::fclose(file);
  return static_cast<double>(kilobytes) * 1024;
}

// What a process of its own prints: the bytes that reading and writing add to its peak.
int print_peak(int change, const std::filesystem::path& input) {
  const double before = status_bytes("VmRSS:");
  read_and_write(static_cast<Change>(change), input, input.parent_path() / "measured.glb");
  std::printf("%.0f\n", status_bytes("VmHWM:") - before);
  return 0;
}

double peak_bytes(Change change) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      "'" + program + "' --measure " + std::to_string(change) + " '" + files().input.string() + "'";
  std::FILE* output = popen(command.c_str(), "r");
  double bytes = 0;
  if (!output || std::fscanf(output, "%lf", &bytes) != 1) bytes = std::numeric_limits<double>::quiet_NaN();
  if (output) pclose(output);
  return bytes;
}

void million_triangles(benchmark::State& state, Change change) {
  files();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Seconds best{infinity, infinity}, best_bytes = best;
  for (auto _ : state) {
    best_bytes = least(best_bytes, seconds_of(read_and_write_bytes));
    const Seconds seconds = seconds_of([&] { read_and_write(change, files().input, files().output); });
    best = least(best, seconds);
    state.SetIterationTime(seconds.passed);
  }
  state.counters["time_ratio"] = best.passed / best_bytes.passed;
  state.counters["cpu_ratio"] = best.used / best_bytes.used;
  state.counters["memory_ratio"] = peak_bytes(change) / static_cast<double>(files().decoded_bytes);
  state.counters["file_MB"] = static_cast<double>(std::filesystem::file_size(files().input)) / 1e6;
}
BENCHMARK_CAPTURE(million_triangles, pass_through, pass_through)
    ->UseManualTime()
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_triangles, new_weights, new_weights)
    ->UseManualTime()
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_triangles, fresh, fresh)->UseManualTime()->Iterations(8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--measure") return sinew::print_peak(std::atoi(argv[2]), argv[3]);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
