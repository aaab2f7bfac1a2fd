#include "sinew/flesh/flesh_solver.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/cancellation.h"
#include "sinew/base/rotation.h"

namespace sinew {
namespace {

constexpr double contact_margin = 0.3;  // of a cell: contacts this far from pushing take part in the line search
constexpr double largest_step = 0.5;    // of a cell: beyond, neither contacts nor the quadratic model are worth much
// How accurately a Newton step is solved for: roughly while it is long, better near the end.
constexpr double rough_accuracy = 0.1, fine_accuracy = 0.03;
constexpr double near_the_end = 10;  // of the tolerance
constexpr int most_inner_iterations = 400;

// Skinning transforms in the space of the carrier, whose rigid motion is taken out: solving never sees it.
std::vector<Affine3d> relative_transforms(const FleshModel& model, const Pose& pose, Affine3d& carrier) {
  std::vector<Affine3d> transforms = skinning_transforms(model.skeleton(), pose);
  const Affine3d& moved = transforms[model.carrier()];
  carrier = Affine3d::Identity();
  carrier.linear() = split_rotation(moved.linear()).rotation;
  carrier.translation() = moved.translation();
  const Affine3d back = carrier.inverse(Eigen::Isometry);
  for (Affine3d& transform : transforms) transform = back * transform;
  return transforms;
}

// Largest change of a joint's rotation relative to its parent, in degrees.
double largest_turn(const Pose& from, const Pose& to) {
  double largest = 0;
  for (std::size_t joint = 0; joint < from.size(); ++joint) {
    largest = std::max(largest, from[joint].rotation.angularDistance(to[joint].rotation));
  }
  return largest * 180.0 / std::numbers::pi;
}

// Where steps go back and forth between two sets of contacts, slower ones settle; where they keep going one way, faster
// ones get there.
double next_inertia(double inertia, const std::vector<Vec3d>& step, const std::vector<Vec3d>& last) {
  double along = 0;
  for (std::size_t i = 0; i < last.size(); ++i) along += step[i].dot(last[i]);
  if (along < 0) return std::clamp(2.5 * inertia, 0.3, 8.0);
  return inertia < 0.1 ? 0.0 : 0.6 * inertia;
}

// A node turned inside out asks for steps of many cells; held back by itself it does not hold back all others.
void hold_back(std::vector<Vec3d>& step, double longest) {
  for (Vec3d& s : step) {
    const double length = s.norm();
    if (length > longest) s *= longest / length;
  }
}

}  // namespace

FleshSolver::FleshSolver(const FleshModel& model, const SolverOptions& options)
    : model_(model), options_(options), system_(model.make_system()) {
  reset();
}

void FleshSolver::reset() {
  pose_ = rest_pose(model_.skeleton());
  skinning_ = relative_transforms(model_, pose_, carrier_);
  nodes_ = model_.lattice().rest;
}

void FleshSolver::carry_along(const std::vector<Affine3d>& from, const std::vector<Affine3d>& to) {
  std::vector<Affine3d> change(from.size());
  for (std::size_t joint = 0; joint < from.size(); ++joint) change[joint] = to[joint] * from[joint].inverse();
  const SkinWeights& weights = model_.node_weights();
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    Vec3d moved = Vec3d::Zero();
    double sum = 0;
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t at = node * static_cast<std::size_t>(weights.influences) + slot;
      if (weights.weights[at] <= 0) continue;
      moved += static_cast<double>(weights.weights[at]) * (change[weights.joints[at]] * nodes_[node]);
      sum += weights.weights[at];
    }
    if (sum > 0) nodes_[node] = moved / sum;
  }
}

SolveReport FleshSolver::solve(const Pose& pose) {
  if (pose.size() != pose_.size()) {
    throw Error(ErrorCode::motion_invalid, "the pose does not have one transform per joint of the skeleton");
  }
  const Pose start = pose_;
  const std::vector<Affine3d> start_skinning = skinning_;
  const std::vector<Vec3d> start_nodes = nodes_;
  SolveReport report = approach(pose, options_.largest_turn, options_.steps_between);
  if (report.ok() || options_.second_turn <= 0) return report;
  // Sharp bends fold differently depending on how one gets there: once more, more slowly.
  pose_ = start;
  skinning_ = start_skinning;
  nodes_ = start_nodes;
  SolveReport slower = approach(pose, options_.second_turn, 2 * options_.steps_between);
  slower.iterations += report.iterations;
  slower.inner_iterations += report.inner_iterations;
  return slower;
}

SolveReport FleshSolver::approach(const Pose& pose, double turn, int steps_between) {
  SolveReport report;
  const Pose start = pose_;
  // The carrier's own turning changes nothing.
  Pose compared = pose;
  for (int joint = model_.carrier(); joint >= 0; joint = model_.skeleton().parents[joint]) {
    compared[joint].rotation = start[joint].rotation;
  }
  const int steps = std::max(1, static_cast<int>(std::ceil(largest_turn(start, compared) / turn)));
  for (int step = 1; step <= steps; ++step) {
    Pose between = pose;
    if (step < steps) {
      for (std::size_t joint = 0; joint < pose.size(); ++joint) {
        between[joint] = interpolate(start[joint], pose[joint], static_cast<double>(step) / steps);
      }
    }
    const std::vector<Affine3d> transforms = relative_transforms(model_, between, carrier_);
    carry_along(skinning_, transforms);
    skinning_ = transforms;
    const bool last = step == steps;
    relax(transforms, last ? options_.most_iterations : steps_between,
          last ? options_.tolerance : 5 * options_.tolerance, report);
  }
  pose_ = pose;
  return report;
}

void FleshSolver::relax(const std::vector<Affine3d>& skinning, int most_iterations, double tolerance,
                        SolveReport& report) {
  const double cell = model_.lattice().cell_size;
  const double energy_unit =
      model_.options().material.shear * cell * cell * cell * static_cast<double>(model_.lattice().cell_count());
  const std::vector<Vec3d> pulls = model_.pulls(bone_transforms(model_.skeleton(), skinning));
  std::vector<Vec3d> gradient, step, before, trial;
  std::vector<Contact> contacts;
  report.converged = false;
  double inertia = 0.0;
  for (int iteration = 0; iteration < most_iterations && !report.converged; ++iteration) {
    stop_if_cancelled();
    if (model_.contacts() != nullptr) contacts = model_.contacts()->find(nodes_, contact_margin);
    const double energy = model_.energy(nodes_, pulls, contacts, &gradient);
    std::vector<RankOneTerm> pushing;
    for (const Contact& contact : contacts) {
      if (contact.distance >= contact.gap) continue;
      pushing.push_back(contact.row);
      const double overlap = contact.gap - contact.distance;
      pushing.back().stiffness *= model_.options().material.shear * contact.force(overlap) / overlap;
    }
    const bool near = iteration > 0 && report.promise < near_the_end * tolerance;
    const double accuracy = near ? fine_accuracy : rough_accuracy;
    model_.fill_system(nodes_, inertia, system_);
    system_.factorise(pushing);
    for (Vec3d& g : gradient) g = -g;
    report.inner_iterations += system_.solve(gradient, accuracy, most_inner_iterations, step);
    ++report.iterations;
    if (iteration > 3) inertia = next_inertia(inertia, step, before);
    before = step;

    hold_back(step, largest_step * cell);
    double slope = 0;
    for (std::size_t i = 0; i < step.size(); ++i) slope -= gradient[i].dot(step[i]);
    double length = 1.0;
    for (int halving = 0; halving < 12; ++halving) {
      trial = nodes_;
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += length * step[i];
      // What rounding leaves of an energy that no longer changes is not a reason to shorten the step.
      const double slack = 1e-10 * std::abs(energy);
      if (model_.energy(trial, pulls, contacts, nullptr) <= energy + 1e-4 * length * slope + slack) break;
      length *= 0.5;
    }
    nodes_ = trial;
    report.promise = -0.5 * slope / energy_unit;
    report.converged = std::isfinite(report.promise) && report.promise < tolerance;
  }
  report.contact_resolved = true;
  if (model_.contacts() != nullptr) contacts = model_.contacts()->find(nodes_, 0.0);
  report.contacts = contacts.size();
  report.penetration = SkinContacts::deepest(contacts);
  report.contact_resolved = report.penetration <= options_.penetration * cell;
}

std::vector<Vec3f> FleshSolver::skin() const {
  std::vector<Vec3d> moved(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) moved[i] = carrier_ * nodes_[i];
  return model_.skin(moved);
}

}  // namespace sinew
