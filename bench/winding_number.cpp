// How long one fast winding number takes, on one core: the bound is 1 µs per query on clean meshes.
//   bench_winding_number                      a built-in sphere of 20,000 triangles
#include "sinew/mesh/winding_number.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "sinew/base/random.h"

namespace {

using namespace sinew;

TriangleMesh bumpy_sphere(int rings) {
  TriangleMesh mesh;
  const int segments = 2 * rings;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < segments; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * j / segments;
      const double radius = 1.0 + 0.2 * std::sin(5 * phi) * std::sin(4 * theta);
      mesh.positions.push_back(
          (radius * Vec3d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)))
              .cast<float>());
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < segments; ++j) {
      const auto a = static_cast<std::uint32_t>(i * segments + j);
      const auto b = static_cast<std::uint32_t>(i * segments + (j + 1) % segments);
      const auto below = static_cast<std::uint32_t>(segments);
      mesh.triangles.push_back({a, a + below, b});
      mesh.triangles.push_back({b, a + below, b + below});
    }
  }
  return mesh;
}

void query(benchmark::State& state) {
  const TriangleMesh mesh = bumpy_sphere(static_cast<int>(state.range(0)));
  const WindingNumber winding(mesh.positions, mesh.triangles);
  Random random(1);
  std::vector<Vec3f> points(4096);
  for (Vec3f& p : points) {
    p = Vec3d(random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)).cast<float>();
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(winding(points[i++ % points.size()]));
  state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
}
BENCHMARK(query)->Arg(25)->Arg(70)->Arg(160);

void build(benchmark::State& state) {
  const TriangleMesh mesh = bumpy_sphere(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(WindingNumber(mesh.positions, mesh.triangles));
  state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
}
BENCHMARK(build)->Arg(70)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
