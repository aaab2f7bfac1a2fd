// Which poses to simulate, in runs: sequences in which every pose is near the one before, so that each solve starts
// close to its answer. Runs are independent of each other: they are what is done in parallel and what is resumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/flesh/bone_solids.h"
#include "sinew/motion.h"

namespace sinew {

struct PoseRun {
  std::string motion;
  std::vector<int> frames;  // number of each pose within the motion
  std::vector<Pose> poses;
};

// Every `every`-th frame of a motion, cut into runs of at most `run_length` poses.
std::vector<PoseRun> motion_runs(const Motion& motion, int every, int run_length);

struct RandomRunOptions {
  int poses = 500;               // in all
  int run_length = 20;           // poses per run
  double step = 20.0;            // degrees: the furthest that any joint turns from one pose to the next
  double bone_thickness = 0.45;  // the one that `solids` were made with: tells the limbs' own thickness
  std::vector<int> still{};      // joints that keep their rest rotation
  std::uint64_t seed = 1;
};

// Joints whose limb is nowhere as thick as `radius`: fingers in a coarse lattice, which cannot bend inside a cell.
std::vector<int> thin_joints(const Skeleton& skeleton, const std::vector<BoneSolid>& solids, double bone_thickness,
                             double radius);

// Paths between random poses within the joints' limits (anatomy/joint_limits.h). A pose in which limbs would pass
// through each other, judged by the thickness around their bones, is brought towards the rest pose until they do not.
// Run r is the motion "random r": training may keep whole runs apart.
std::vector<PoseRun> random_runs(const Skeleton& skeleton, const std::vector<BoneSolid>& solids,
                                 const RandomRunOptions& options);

// How far limbs are from passing through each other: at least 1 when all pairs of bones that are not neighbours keep
// the distance that pressed flesh needs, or the one they have at rest.
double limb_clearance(const Skeleton& skeleton, const std::vector<BoneSolid>& solids, const Pose& pose,
                      double bone_thickness);

}  // namespace sinew
