// How fast flesh is posed, and where the time goes.
//
//   bench_simulate [CELLS]        15,000 elements when not said
//
// The built-in body, bare: every fourth frame of its walk and of a part of its range of motion, and paths between
// random poses. Reports poses per second on one and two threads, Newton steps and inner iterations per pose, how many
// poses were left out, and two ratios: against the goal of one pose per second, and how long an inner iteration takes
// beside a copy of the bytes that it reads (its limit). The source of the correctives gives 30 to 48 seconds per pose.
#include "sinew/flesh/simulate.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sinew/base/parallel.h"
#include "sinew/builtin/builtin_character.h"

namespace {
using namespace sinew;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

std::vector<PoseRun> part_of(std::vector<PoseRun> runs, std::size_t first, std::size_t count) {
  if (first >= runs.size()) return {};
  runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(first));
  if (runs.size() > count) runs.resize(count);
  return runs;
}

void pose(const FleshModel& model, const char* name, const std::vector<PoseRun>& runs) {
  const int threads = thread_count();
  std::size_t poses = 0, stuck = 0, inside = 0;
  double newton = 0, inner = 0, contacts = 0;
  const double wall = wall_seconds(), cpu = cpu_seconds();
  simulate(
      model, runs, {}, [](const PoseRun&, std::size_t) { return false; },
      [&](const SimulatedFrame& frame) {
        ++poses;
        stuck += !frame.report.converged;
        inside += frame.report.converged && !frame.report.contact_resolved;
        newton += frame.report.iterations;
        inner += frame.report.inner_iterations;
        contacts += static_cast<double>(frame.report.contacts);
      });
  const double seconds = wall_seconds() - wall, used = cpu_seconds() - cpu, n = static_cast<double>(poses);
  std::printf(
      "%-12s %d thread%s: %4zu poses, %6.2f per second (%.2f s of processor time each); %.1f Newton steps, %.0f inner, "
      "%.0f contacts per pose; %zu did not converge, %zu inside themselves\n",
      name, threads, threads == 1 ? " " : "s", poses, n / seconds, used / n, newton / n, inner / n, contacts / n, stuck,
      inside);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  BuiltinOptions body;
  body.vertex_budget = 20'000;
  body.garment = BuiltinGarment::bare;
  const Character character = make_builtin_character(body);
  FleshOptions options;
  if (count > 1) options.lattice.cells = std::atoi(arguments[1]);
  const double start = wall_seconds();
  const FleshModel model(character, options);
  std::printf("%zu cells, %zu nodes, built in %.1f s\n", model.lattice().cell_count(), model.lattice().node_count(),
              wall_seconds() - start);
  std::vector<PoseRun> walk, range;
  for (const Motion& motion : character.motions) {
    (motion.name == "walk" ? walk : range) = motion_runs(motion, 4, 8);
  }
  const int threads = count > 2 ? std::atoi(arguments[2]) : 2;
  const double thickness = options.bones.thickness;
  const auto still = thin_joints(model.skeleton(), model.bones(), thickness, 0.4 * model.lattice().cell_size);
  const auto random = random_runs(model.skeleton(), model.bones(), {.poses = 48, .run_length = 12, .still = still});
  with_threads(threads, [&] {
    pose(model, "walk", part_of(walk, 0, 2));
    pose(model, "random poses", part_of(random, 0, 2));
    pose(model, "range", part_of(range, 12, 2));
  });
  return 0;
}
