// Poses the flesh: finds the nodes at which a pose's energy is least (quasi-static equilibrium).
//
// Newton's method with the projected second derivative, conjugate gradients inside, a backtracking line search, and
// contacts found anew before every step. A pose starts from the one before it: nodes are carried along by the change of
// the joints (linear blend skinning of the lattice), in several steps when a joint turns far, and in smaller ones when
// that failed. A solver is one sequence of poses in one thread: run several at once.
#pragma once

#include <vector>

#include "sinew/flesh/flesh_model.h"

namespace sinew {

struct SolverOptions {
  // Converged when a further Newton step promises to lower the energy by less than `tolerance` (shear modulus times
  // volume of a cell) per cell. Measured in energy, not in steps, because the bottom of a sharp crease has many ways to
  // fold that cost the same: a few nodes wander along them for ever and change nothing that can be seen.
  double tolerance = 2e-5;
  double penetration = 0.25;   // cells: a pose whose skin lies deeper inside itself than this has failed
  int most_iterations = 60;    // Newton steps per pose
  double largest_turn = 25.0;  // degrees a joint may turn at once; more is done in steps
  int steps_between = 3;       // Newton steps for each of those
  double second_turn = 8.0;  // degrees: a pose that failed is approached once more in steps of this size; 0: it is not
};

struct SolveReport {
  bool ok() const { return converged && contact_resolved; }

  bool converged = false;
  int iterations = 0;        // Newton steps, with those of intermediate poses
  int inner_iterations = 0;  // of conjugate gradients
  bool contact_resolved = false;
  double promise = 0;        // what a further Newton step promised, as in SolverOptions::tolerance
  double penetration = 0;    // deepest of the skin copy (contact.h), in the mesh's unit
  std::size_t contacts = 0;  // that push
};

class FleshSolver {
 public:
  FleshSolver(const FleshModel& model, const SolverOptions& options);

  // Back to the rest pose.
  void reset();
  // Throws Error(bad_input) when the pose does not fit the skeleton.
  SolveReport solve(const Pose& pose);

  // Vertices of the character in the pose last solved.
  std::vector<Vec3f> skin() const;
  const std::vector<Vec3d>& nodes() const { return nodes_; }

 private:
  SolveReport approach(const Pose& pose, double turn, int steps_between);
  void carry_along(const std::vector<Affine3d>& from, const std::vector<Affine3d>& to);
  void relax(const std::vector<Affine3d>& skinning, int most_iterations, double tolerance, SolveReport& report);

  const FleshModel& model_;
  SolverOptions options_;
  BlockSystem system_;
  Pose pose_;
  std::vector<Affine3d> skinning_;  // relative to the carrier
  Affine3d carrier_ = Affine3d::Identity();
  std::vector<Vec3d> nodes_;
};

}  // namespace sinew
