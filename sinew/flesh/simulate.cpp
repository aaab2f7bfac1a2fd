#include "sinew/flesh/simulate.h"

#include <mutex>
#include <thread>

#include "sinew/base/parallel.h"

namespace sinew {

void simulate(const FleshModel& model, const std::vector<PoseRun>& runs, const SolverOptions& options,
              const std::function<bool(const PoseRun&, std::size_t)>& known,
              const std::function<void(const SimulatedFrame&)>& deliver, const Progress& progress) {
  std::vector<const PoseRun*> open;
  std::size_t total = 0;
  for (const PoseRun& run : runs) {
    bool complete = true;
    for (std::size_t i = 0; i < run.poses.size(); ++i) complete = complete && known(run, i);
    if (complete) continue;
    open.push_back(&run);
    total += run.poses.size();
  }
  const std::thread::id caller = std::this_thread::get_id();
  std::mutex one_at_a_time;
  std::size_t done = 0;
  parallel_for(open.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      FleshSolver solver(model, options);
      for (std::size_t i = 0; i < open[r]->poses.size(); ++i) {
        SimulatedFrame frame{open[r], i, solver.solve(open[r]->poses[i]), {}};
        if (frame.report.ok()) {
          frame.positions = solver.skin();
        } else {
          solver.reset();
        }
        const std::lock_guard<std::mutex> lock(one_at_a_time);
        if (!known(*open[r], i)) deliver(frame);
        ++done;
        // Other threads only count: reports come from the caller, who has a part of the work like them.
        if (std::this_thread::get_id() != caller) continue;
        progress(static_cast<double>(done) / static_cast<double>(total),
                 "simulating, " + std::to_string(done) + " of " + std::to_string(total) + " poses");
      }
    }
  });
  progress(1.0, "simulating");
}

}  // namespace sinew
