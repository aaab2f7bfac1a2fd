// Training shapes: the skin in every pose of many runs, in parallel.
//
//   const FleshModel model(character, {});
//   const auto runs = random_runs(model.skeleton(), model.bones(), {.poses = 500});
//   simulate(model, runs, {}, known, [&](const SimulatedFrame& frame) { … });
#pragma once

#include <functional>

#include "sinew/flesh/flesh_solver.h"
#include "sinew/flesh/pose_runs.h"

namespace sinew {

struct SimulatedFrame {
  const PoseRun* run = nullptr;
  std::size_t index = 0;  // in the run
  SolveReport report;
  std::vector<Vec3f> positions;  // one per vertex of the character; empty when the pose failed

  const Pose& pose() const { return run->poses[index]; }
  int frame() const { return run->frames[index]; }
};

// `known(run, index)`: whether a frame is there already. A run whose frames are all known is skipped; of another one
// all poses are solved again, in order, and only the missing ones are delivered: a resumed simulation gives the same
// bits as one that was never stopped. `deliver` is called from one thread at a time, run by run in any order. A pose
// that fails is delivered without positions, and the next one starts afresh from the rest pose.
void simulate(const FleshModel& model, const std::vector<PoseRun>& runs, const SolverOptions& options,
              const std::function<bool(const PoseRun&, std::size_t)>& known,
              const std::function<void(const SimulatedFrame&)>& deliver, const Progress& progress = {});

}  // namespace sinew
