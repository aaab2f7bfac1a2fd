// How fast skinning is, as a share of what memory allows.
//
//   bench_skinning                     every case
//   bench_skinning --benchmark_filter=lbs/4
//
// Each iteration times, one after the other, a memcpy of the same traffic, a plain scalar loop, and skin(); the rates
// come from the fastest of 60, which a busy machine disturbs least. "Same traffic": skinning reads R and writes W
// bytes per vertex, a memcpy of n bytes reads n and writes n, hence the memcpy is of (R + W) / 2 bytes per vertex.
// Columns: of_memcpy = skinning's vertex rate / memcpy's; Mverts = million vertices per second; naive = the plain
// loop's rate / memcpy's. The hash at the end is of all posed vertices: the same on every run and at any thread count.
#include "sinew/runtime/skinning.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/eigen_types.h"
#include "sinew/rig/skin_parallel.h"
#include "sinew/runtime/skinning_input.h"

namespace sinew {
namespace {

constexpr int joint_count = 64;

std::uint64_t determinism_hash = 14695981039346656037ull;

enum class Method { lbs, dqs, dqs_stretched };

// A character-like input: neighbouring vertices use the same few joints.
struct Scene {
  std::vector<float> positions, normals, posed_positions, posed_normals, weights;
  std::vector<std::uint16_t> joints;
  std::vector<JointMatrix> matrices;
  std::vector<JointDualQuaternion> dual_quaternions;
  std::vector<JointMatrix> stretches;
  SkinningJob job;

  Scene(std::size_t count, int influences, Method method) {
    Random random(7);
    for (std::size_t i = 0; i < 3 * count; ++i) positions.push_back(static_cast<float>(random.uniform(-1, 1)));
    normals = positions;
    for (std::size_t i = 0; i < 3 * count; i += 3) Eigen::Map<Vec3f>(&normals[i]).normalize();
    posed_positions.resize(3 * count);
    posed_normals.resize(3 * count);
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      const std::size_t near = vertex * joint_count / count;
      float left = 1.0f;
      for (int slot = 0; slot < influences; ++slot) {
        const float weight = slot + 1 == influences ? left : left * static_cast<float>(random.uniform(0.5, 0.9));
        joints.push_back(static_cast<std::uint16_t>((near + slot * (1 + random.below(3))) % joint_count));
        weights.push_back(weight);
        left -= weight;
      }
      std::sort(weights.end() - influences, weights.end(), std::greater<>());
    }
    for (int joint = 0; joint < joint_count; ++joint) {
      Affine3d transform =
          Eigen::Translation3d(random.normal(), random.normal(), random.normal()) *
          Quatd(Vec4d(random.normal(), random.normal(), random.normal(), random.normal()).normalized());
      if (method == Method::dqs_stretched) transform.scale(Vec3d(1.2, 0.9, 1.0));
      const Eigen::Matrix4f matrix = transform.matrix().cast<float>();
      std::memcpy(&matrices.emplace_back(), matrix.data(), sizeof(JointMatrix));
    }
    job.vertex_count = count;
    job.influences = influences;
    job.joints = joints;
    job.weights = weights;
    job.positions = {positions};
    job.normals = {normals};
    job.posed_positions = {posed_positions};
    job.posed_normals = {posed_normals};
    if (method == Method::lbs) {
      job.matrices = matrices;
    } else {
      dual_quaternions.resize(joint_count);
      stretches.resize(joint_count);
      const bool stretched = split_for_dual_quaternions(matrices, dual_quaternions, stretches).stretched;
      job.dual_quaternions = dual_quaternions;
      if (stretched) job.stretches = stretches;
    }
  }

  std::size_t bytes_per_vertex() const { return 4 * 3 * sizeof(float) + job.influences * (sizeof(float) + 2); }
};

// What one writes first: one influence after the other, scalar, positions and normals.
void naive_lbs(const Scene& scene, float* posed_positions, float* posed_normals) {
  const int influences = scene.job.influences;
  for (std::size_t vertex = 0; vertex < scene.job.vertex_count; ++vertex) {
    const float* p = &scene.positions[3 * vertex];
    const float* n = &scene.normals[3 * vertex];
    float position[3] = {}, normal[3] = {};
    for (int slot = 0; slot < influences; ++slot) {
      const float weight = scene.weights[vertex * influences + slot];
      const auto& m = scene.matrices[scene.joints[vertex * influences + slot]].columns;
      for (int row = 0; row < 3; ++row) {
        position[row] += weight * (m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row]);
        normal[row] += weight * (m[0][row] * n[0] + m[1][row] * n[1] + m[2][row] * n[2]);
      }
    }
    std::copy_n(position, 3, posed_positions + 3 * vertex);
    std::copy_n(normal, 3, posed_normals + 3 * vertex);
  }
}

double fastest(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

// Processor time of the calling thread, or, when it shares the work with others, time on the wall.
double now(bool alone) {
  timespec time;
  clock_gettime(alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void hash_in(const std::vector<float>& values) {
  for (const float value : values) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    determinism_hash = (determinism_hash ^ bits) * 1099511628211ull;
  }
}

// range(0): vertices; range(1): influences; range(2): threads.
void run(benchmark::State& state, Method method, bool baseline) {
  Scene scene(state.range(0), static_cast<int>(state.range(1)), method);
  if (scene.job.validate() != RuntimeStatus::ok) return state.SkipWithError("the job is not valid");
  const int threads = static_cast<int>(state.range(2));
  const Instructions instructions = baseline ? Instructions::baseline : best_instructions();

  const std::size_t count = scene.job.vertex_count;
  const std::size_t bytes = count * scene.bytes_per_vertex() / 2;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  std::vector<float> naive_positions(3 * count), naive_normals(3 * count);
  // Small meshes are repeated, so that one measurement is long enough for the clock and its data is in cache.
  const int repeats = static_cast<int>(std::max<std::size_t>(1, 1'000'000 / count));
  std::vector<double> memcpy_times, naive_times, skin_times;
  const auto repeat = [&](const auto& work) {
    const double start = now(threads == 1);
    for (int i = 0; i < repeats; ++i) {
      work();
      benchmark::ClobberMemory();
    }
    return now(threads == 1) - start;
  };
  for (auto _ : state) {
    memcpy_times.push_back(repeat([&] { std::memcpy(to.data(), from.data(), bytes); }));
    if (method == Method::lbs) {
      naive_times.push_back(repeat([&] { naive_lbs(scene, naive_positions.data(), naive_normals.data()); }));
    }
    skin_times.push_back(with_threads(threads, [&] {
      return repeat([&] { (void)(threads == 1 ? skin_with(scene.job, instructions) : skin_parallel(scene.job)); });
    }));
    state.SetIterationTime(skin_times.back());
  }
  hash_in(scene.posed_positions);
  hash_in(scene.posed_normals);
  const double memcpy_time = fastest(memcpy_times), skin_time = fastest(skin_times);
  state.counters["of_memcpy"] = memcpy_time / skin_time;
  state.counters["Mverts"] = 1e-6 * count * repeats / skin_time;
  state.counters["memcpy_Mverts"] = 1e-6 * count * repeats / memcpy_time;
  if (!naive_times.empty()) state.counters["naive"] = memcpy_time / fastest(naive_times);
}

void add(const char* name, Method method, bool baseline, std::vector<std::vector<std::int64_t>> cases) {
  auto* added = benchmark::RegisterBenchmark(name, run, method, baseline);
  for (const auto& one : cases) added->Args(one);
  added->ArgNames({"vertices", "influences", "threads"})
      ->UseManualTime()
      ->Iterations(60)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  using namespace sinew;
  constexpr std::int64_t large = 1'000'000, small = 32'000;
  add("lbs", Method::lbs, false,
      {{large, 1, 1},
       {large, 2, 1},
       {large, 4, 1},
       {large, 8, 1},
       {small, 1, 1},
       {small, 2, 1},
       {small, 4, 1},
       {small, 8, 1}});
  add("lbs_parallel", Method::lbs, false, {{large, 4, 2}, {small, 4, 2}});
  add("lbs_baseline", Method::lbs, true, {{large, 4, 1}, {small, 4, 1}});
  add("dqs", Method::dqs, false, {{large, 4, 1}, {small, 4, 1}, {small, 8, 1}});
  add("dqs_stretched", Method::dqs_stretched, false, {{large, 4, 1}, {small, 4, 1}});
  add("dqs_baseline", Method::dqs, true, {{small, 4, 1}});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::printf("instructions: %s\n", skinning_instructions());
  benchmark::RunSpecifiedBenchmarks();
  std::printf("determinism hash: %016llx\n", static_cast<unsigned long long>(determinism_hash));
  return 0;
}
