#include "sinew/fit.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "sinew/anatomy/detached_feet.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/base/cancellation.h"
#include "sinew/fit/ball_joints.h"
#include "sinew/fit/body_marks.h"
#include "sinew/fit/bring_inside.h"
#include "sinew/fit/finger_fit.h"
#include "sinew/fit/fit_creature.h"
#include "sinew/fit/fit_readings.h"
#include "sinew/fit/marked_shape.h"
#include "sinew/fit/neural_shape.h"
#include "sinew/fit/place_joints.h"

namespace sinew {
namespace {

bool has(const std::vector<JointIdentity>& joints, JointRole role, BodySide side) {
  return std::any_of(joints.begin(), joints.end(),
                     [&](const JointIdentity& j) { return j.role == role && j.side == side; });
}

void require_limbs(const std::vector<JointIdentity>& joints) {
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    for (const JointRole role : {JointRole::thigh, JointRole::shin, JointRole::upper_arm, JointRole::forearm}) {
      if (has(joints, role, side)) continue;
      throw Error(ErrorCode::skeleton_not_understood,
                  std::string("the skeleton has no ") + (side == BodySide::left ? "left " : "right ") +
                      role_name(role) + " that could be recognised by name or structure",
                  "fitting needs two arms and two legs, or four legs");
    }
  }
}

// Pairs of a left and a right joint of the same kind that there is one of each: limbs only.
std::vector<std::array<int, 2>> limb_pairs(const std::vector<JointIdentity>& joints) {
  std::map<std::tuple<JointRole, int>, std::array<std::vector<int>, 2>> found;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    const JointIdentity& own = joints[joint];
    const bool limb = own.role >= JointRole::clavicle && own.role <= JointRole::toe;
    if (!limb || own.side == BodySide::centre) continue;
    found[{own.role, own.index}][own.side == BodySide::left ? 0 : 1].push_back(static_cast<int>(joint));
  }
  std::vector<std::array<int, 2>> pairs;
  for (const auto& [key, sides] : found) {
    if (sides[0].size() == 1 && sides[1].size() == 1) pairs.push_back({sides[0][0], sides[1][0]});
  }
  return pairs;
}

Vec3d mirrored(const BodyShape& shape, const Vec3d& p) {
  return p - 2 * (p - shape.middle).dot(shape.frame.left) * shape.frame.left;
}

const HeldJoint* find_held(const std::vector<HeldJoint>& held, int joint) {
  const auto found = std::find_if(held.begin(), held.end(), [&](const HeldJoint& h) { return h.joint == joint; });
  return found == held.end() ? nullptr : &*found;
}

// Adds the mirror images of held joints, unless these are held themselves.
std::vector<HeldJoint> with_mirror_images(std::vector<HeldJoint> held, const BodyShape& shape,
                                          const std::vector<JointIdentity>& joints) {
  for (const std::array<int, 2>& pair : limb_pairs(joints)) {
    for (int side = 0; side < 2; ++side) {
      const HeldJoint* own = find_held(held, pair[side]);
      if (own && !find_held(held, pair[1 - side])) held.push_back({pair[1 - side], mirrored(shape, own->position)});
    }
  }
  return held;
}

// Left and right become mirror images of each other where the mesh is.
void mirror_sides(const BodyShape& shape, const std::vector<JointIdentity>& joints, const std::vector<HeldJoint>& held,
                  Skeleton& skeleton) {
  for (const auto& [left, right] : limb_pairs(joints)) {
    if (find_held(held, left) || find_held(held, right)) continue;
    const Vec3d mean = 0.5 * (skeleton.position(left) + mirrored(shape, skeleton.position(right)));
    skeleton.rest[left].translation() = mean;
    skeleton.rest[right].translation() = mirrored(shape, mean);
  }
}

void check_held(const std::vector<HeldJoint>& held, const Skeleton& skeleton) {
  for (const HeldJoint& joint : held) {
    if (joint.joint < 0 || joint.joint >= skeleton.joint_count() || !joint.position.allFinite()) {
      throw Error(ErrorCode::argument_invalid, "a held joint is not in the skeleton, or its position is not finite");
    }
  }
}

void check_directions(const FitOptions& options) {
  if (!options.up.allFinite() || !options.forward.allFinite() ||
      !(options.least_confidence >= 0 && options.least_confidence <= 1)) {
    throw Error(ErrorCode::argument_invalid, "up, forward or least_confidence is not finite or not in its range");
  }
  const Vec3d up = options.y_is_up && options.up.norm() == 0 ? Vec3d(Vec3d::UnitY()) : options.up;
  if (up.norm() > 0 && options.forward.norm() > 0 && up.normalized().cross(options.forward.normalized()).norm() < 0.1) {
    throw Error(ErrorCode::options_conflict, "the body cannot face up or down: forward lies along up").about("forward");
  }
}

ReadingOptions reading_options(const FitOptions& options, const BodyMarks& marks, bool four_legs) {
  ReadingOptions result = shipped_reading_options();
  if (marks.any()) result.marks = &marks;
  result.symmetric = options.symmetric;
  result.cells = options.cells;
  result.four_legs = four_legs;
  if (options.y_is_up) result.up = Vec3d::UnitY();
  if (options.up.norm() > 0) result.up = options.up.normalized();
  if (options.forward.norm() > 0) result.forward = options.forward.normalized();
  result.networks = options.networks;
  result.networks_alone = options.networks_alone;
  return result;
}

std::string describe(const FitReading& reading) {
  const std::string body = reading.shape.on_all_fours ? "a four-legged animal" : "a person";
  if (reading.by_networks) return body + ", as the trained networks see it";
  if (reading.by_marks) return body + ", as the markers tell";
  return body + ", as the inside of the mesh shows it (" + std::to_string(reading.cells) + " voxels)";
}

FitReadingSummary summary_of(const FitReading& reading) {
  const bool four_legs = reading.shape.on_all_fours;
  FitReadingSummary summary;
  summary.what = describe(reading);
  summary.probability = reading.probability;
  summary.frame = reading.shape.frame;
  summary.objection = objection_text(FitJudge::shipped().main_objection(four_legs, reading.features), four_legs);
  const auto add = [&](const LimbCurve& curve) {
    for (std::size_t i = 1; i < curve.points.size(); ++i)
      summary.bones.push_back({curve.points[i - 1], curve.points[i]});
  };
  for (int s = 0; s < 2; ++s) {
    add(reading.shape.legs[s]);
    if (four_legs) {
      add(reading.shape.arms[s]);
    } else {
      const std::array<Vec3d, 4>& arm = reading.shape.arm_joints[s];
      add({{arm.begin(), arm.end()}});
    }
  }
  for (const LimbCurve* curve : {&reading.shape.trunk, &reading.shape.head, &reading.shape.tail}) add(*curve);
  return summary;
}

// "; it looks like a bird (83 % likely)" where the mesh shows another kind of body than the skeleton needs.
std::string other_kind(const FitReadings& found, bool four_legs) {
  if (!found.recognised || found.recognised->kind == needed_kind(four_legs)) return {};
  const CreatureKind seen = found.recognised->kind;
  const long percent = std::lround(100 * found.recognised->probability_of(seen));
  return "; it looks like " + std::string(kind_in_words(seen)) + " (" + std::to_string(percent) + " % likely)";
}

// What is wrong with the best reading, and what else the mesh could be.
Error too_unsure(const FitReadings& found, double least) {
  const FitReading& best = found.readings.front();
  const bool four_legs = best.shape.on_all_fours;
  const auto percent = [](double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; };
  const FeatureGroup objection = shows_another_kind(found, four_legs)
                                     ? FeatureGroup::kind
                                     : FitJudge::shipped().main_objection(four_legs, best.features);
  std::string what = std::string("the mesh does not look like ") + (four_legs ? "a four-legged animal" : "a person") +
                     " that the skeleton would fit: " + percent(best.probability) + " likely, " + percent(least) +
                     " needed; " + objection_text(objection, four_legs) + other_kind(found, four_legs);
  if (found.readings.size() > 1) {
    const FitReading& second = found.readings[1];
    what += " (next best: " + describe(second) + ", " + percent(second.probability) + ")";
  }
  return Error(ErrorCode::body_not_recognised, what,
               four_legs ? "say which way it faces and which axis is up, or lower the confidence that is needed"
                         : "say which way it faces and which axis is up, take props away, or lower the confidence that "
                           "is needed")
      .about("least_confidence");
}

// Whether another reading with the same limbs, but facing the other way, is nearly as probable.
bool facing_is_clear(const FitReadings& found) {
  const FitReading& best = found.readings.front();
  return std::none_of(found.readings.begin() + 1, found.readings.end(), [&](const FitReading& other) {
    return other.shape.frame.forward.dot(best.shape.frame.forward) < -0.5 && other.probability > 0.4 * best.probability;
  });
}

// The networks' second opinion about the joints of a reading.
void ask_networks(const TriangleMesh& mesh, const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                  const FitModel& networks, FitReading& reading, FitResult& result) {
  const auto start = std::chrono::steady_clock::now();
  try {
    const FrameGuess frame{.frame = reading.shape.frame};
    join_opinions(reading.shape, neural_body_shape(mesh, *reading.solid, skeleton, joints, networks, frame));
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::cancelled) throw;
    result.warnings.push_back({"networks-disagree", problem.what()});
  }
  result.network_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What markers leave open or contradict. Those that cannot all be meant are Error(usage).
void check_marked_reading(const BodyMarks& marks, const FitOptions& options, FitReading& reading, FitResult& result) {
  BodyShape& shape = reading.shape;
  const bool sided = marks.has_sides();
  shape.facing_known |= sided;
  // What the feet must show before they are believed, as in ShapeReader::find_facing.
  if (sided && options.forward.norm() == 0 && !shape.on_all_fours && shape.evidence.feet_ahead < -0.025) {
    result.warnings.push_back({"markers-contradict-feet",
                               "the feet point the other way than left and right in the markers say: left is the "
                               "body's own left; the markers were obeyed"});
  }
  if (reading.by_marks) {
    result.warnings.push_back({"placed-by-markers",
                               "the mesh shows no limbs where the markers are: joints without a marker stand at the "
                               "proportions of most people; mark those that are wrong"});
  }
  if (shape.on_all_fours) return;
  for (int s = 0; s < 2; ++s) {
    for (const bool leg : {false, true}) {
      const auto joint = [&](std::size_t i) { return leg ? shape.leg_joints[s][i] : shape.arm_joints[s][i]; };
      const double first = (joint(1) - joint(0)).norm(), second = (joint(2) - joint(1)).norm();
      const BodyMarks::Limb& limb = (leg ? marks.legs : marks.arms)[s];
      if ((!limb[0] && !limb[1] && !limb[2]) || (first < 3 * second && second < 3 * first)) continue;
      result.warnings.push_back({"markers-unlikely", "the two halves of the limb with marker '" +
                                                         mark_name(leg,
                                                                   limb[1]   ? 1
                                                                   : limb[2] ? 2
                                                                             : 0,
                                                                   s) +
                                                         "' differ in length by more than three times"});
    }
  }
}

// The most probable of all readings of the mesh: what its inside tells, what the networks see, or both together.
FitReading best_reading(const TriangleMesh& mesh, const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                        const FitOptions& options, const BodyMarks& marks, const Progress& progress,
                        FitResult& result) {
  progress(0.0, "looking into the mesh");
  const bool four_legs = stands_on_all_fours(skeleton, joints);
  if (options.kind && (*options.kind == BodyKind::four_legs) != four_legs) {
    throw Error(ErrorCode::kinds_differ,
                std::string("the skeleton is ") + (four_legs ? "a four-legged animal's" : "a person's") +
                    ", the mesh is said to be " + (four_legs ? "a person" : "a four-legged animal"))
        .about("kind");
  }
  const bool could_ask = !four_legs && !mesh.is_point_cloud();
  if (options.networks_alone && !(options.networks && could_ask)) {
    throw Error(ErrorCode::kinds_differ,
                "the networks alone cannot place these joints: they know only people, as surfaces");
  }
  ReadingOptions looked_for = reading_options(options, marks, four_legs);
  if (!could_ask) looked_for.networks = nullptr;
  looked_for.skeleton = &skeleton;
  looked_for.joints = &joints;
  FitReadings found = find_readings(mesh, looked_for);
  result.recognised = found.recognised;
  if (options.readings) {
    options.readings->clear();
    for (const FitReading& reading : found.readings) options.readings->push_back(summary_of(reading));
  }
  if (found.readings.empty()) throw could_ask && !options.networks ? found.refusal->about("networks") : *found.refusal;
  FitReading& best = found.readings.front();
  result.probability = best.probability;
  if (best.probability < options.least_confidence) {
    const Error unsure = too_unsure(found, options.least_confidence);
    if (!options.kind && options.markers.empty()) throw unsure;
    result.warnings.push_back({"fit-unsure", unsure.what()});
  }
  best.shape.facing_known = options.forward.norm() > 0 || four_legs || facing_is_clear(found);
  if (marks.any()) check_marked_reading(marks, options, best, result);
  result.by_networks = best.by_networks;
  if (options.networks) result.network_seconds = found.network_seconds;
  if (best.by_networks && found.refusal && !options.networks_alone) {
    result.warnings.push_back({"placed-by-networks", std::string(found.refusal->what()) +
                                                         "; the joints were placed by the trained networks alone"});
  }
  if (best.cells != options.cells) {
    result.warnings.push_back({"finer-voxels", "separated the limbs at a finer resolution (" +
                                                   std::to_string(best.cells) + " voxels); nothing to do"});
  }
  progress(0.6, "asking the networks");
  if (looked_for.networks && !best.by_networks) ask_networks(mesh, skeleton, joints, *options.networks, best, result);
  return std::move(best);
}

// Marked joints are held, unless a caller holds them elsewhere.
void hold_marks(const BodyMarks& marks, const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                std::vector<HeldJoint>& held, Warnings& warnings) {
  std::vector<std::string> without;
  for (const HeldJoint& marked : held_by_marks(marks, skeleton, joints, without)) {
    if (!find_held(held, marked.joint)) held.push_back(marked);
  }
  if (without.empty()) return;
  std::string names;
  for (const std::string& name : without) names += (names.empty() ? "" : ", ") + name;
  warnings.push_back({"marker-without-joint", "the skeleton has no joint for these markers: " + names});
}

void tell_marks_outside(const std::vector<HeldJoint>& held, FitResult& result) {
  for (const HeldJoint& joint : held) {
    if (result.inside[joint.joint]) continue;
    result.warnings.push_back({"marker-outside", "joint '" + result.skeleton.names[joint.joint] +
                                                     "' stands outside the surface, where its marker is"});
  }
}

// A skeleton whose feet hang on their legs.
FitResult fit_whole_legs(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                         const Progress& progress) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  require_limbs(joints);

  FitResult result;
  BodyMarks marks = sort_markers(options.markers, mesh, skeleton);
  FitReading reading = best_reading(mesh, skeleton, joints, options, marks, progress.part(0.0, 0.8), result);
  BodyShape& shape = reading.shape;
  progress(0.8, "placing the joints");
  settle_in_balls(find_ball_joints(mesh, shape.height), shape);
  result.frame = shape.frame;
  result.on_all_fours = shape.on_all_fours;
  result.symmetry = shape.symmetry;
  const bool symmetric = options.symmetric && shape.symmetry > 0.8;
  std::vector<HeldJoint> held = options.held;
  if (!options.markers.empty()) {
    if (symmetric) marks = with_mirrored_limbs(std::move(marks), shape.middle, shape.frame.left);
    put_on_marks(marks, shape);
    hold_marks(marks, skeleton, joints, held, result.warnings);
  }
  if (symmetric) held = with_mirror_images(std::move(held), shape, joints);
  Placement placement = place_joints(skeleton, joints, shape, held);
  const bool free_fingers = options.held.empty() && std::none_of(held.begin(), held.end(), [&](const HeldJoint& h) {
                              return is_finger(joints[h.joint].role);
                            });
  const int hands_not_read = free_fingers ? fit_fingers(mesh, joints, shape, placement) : 0;
  if (hands_not_read > 0) {
    result.warnings.push_back(
        {"fingers-carried-along", std::string(hands_not_read == 1 ? "one hand does" : "the hands do") +
                                      " not show as many fingers as the skeleton has: they were carried along"});
  }
  result.confidence = std::move(placement.confidence);
  result.skeleton = std::move(placement.skeleton);
  if (symmetric) mirror_sides(shape, joints, held, result.skeleton);

  progress(0.85, "bringing the joints inside");
  std::vector<char> matters(skeleton.names.size(), 0);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointRole role = joints[joint].role;
    matters[joint] = skeleton.kinds[joint] == JointKind::joint && role != JointRole::root &&
                     role != JointRole::control && role != JointRole::prop && !find_held(held, joint);
  }
  bring_inside(reading.solid->domain(), matters, result.skeleton, result.inside);
  if (!options.markers.empty()) tell_marks_outside(held, result);
  turn_joints(skeleton, joints, shape, result.skeleton);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (!result.inside[joint]) result.confidence[joint] *= 0.5;
  }
  if (!shape.facing_known) {
    result.warnings.push_back(
        {"facing-unknown", "the feet do not tell which way the character faces; left and right may be swapped"});
  }
  return result;
}

// Skeletons without two arms and two legs. One that has them is for a body that has them, which the judge decides: a
// person's skeleton is not for a stork.
FitResult fit_other_creature(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                             const Progress& progress, const Error& refusal) {
  const bool no_limbs = refusal.code() == ErrorCode::skeleton_not_understood;
  if (!no_limbs || options.networks_alone || options.kind) throw refusal;
  FitOptions held = options;
  Warnings about_marks;
  const BodyMarks marks = sort_markers(options.markers, mesh, skeleton);
  hold_marks(marks, skeleton, identify_joints(skeleton), held.held, about_marks);
  FitResult fit = fit_creature(mesh, skeleton, held, progress).fit;
  fit.warnings.insert(fit.warnings.end(), about_marks.begin(), about_marks.end());
  fit.warnings.push_back({"matched-by-structure",
                          "the joints were matched with the limbs of the mesh by structure "
                          "alone, and how sure this is was not learned: look at the result"});
  return fit;
}

}  // namespace

double FitResult::mean_confidence() const {
  double sum = 0;
  int count = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint) continue;
    sum += confidence[joint];
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

double FitResult::share_inside() const {
  int joints = 0, count = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint) continue;
    ++joints;
    count += inside[joint];
  }
  return joints > 0 ? count / static_cast<double>(joints) : 0.0;
}

FitResult fit_skeleton(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                       const Progress& progress) {
  const CancellationScope scope(progress);
  progress(0.0, "fitting the skeleton");
  check_skeleton(skeleton);
  check_mesh(mesh);
  check_held(options.held, skeleton);
  if (options.cells < 48 || options.cells > 256) {
    throw Error(ErrorCode::option_out_of_range, "cells must be 48 … 256, got " + std::to_string(options.cells))
        .about("cells");
  }
  check_directions(options);
  const AttachedFeet attached = attach_detached_feet(skeleton);
  FitOptions attached_options = options;
  for (HeldJoint& held : attached_options.held) held.joint = attached.index_of[held.joint];
  FitResult fitted;
  try {
    fitted = fit_whole_legs(mesh, attached.skeleton, attached_options, progress);
  } catch (const Error& refusal) {
    return fit_other_creature(mesh, skeleton, options, progress, refusal);
  }
  FitResult result = fitted;
  result.skeleton = skeleton;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int other = attached.index_of[joint];
    result.skeleton.rest[joint] = fitted.skeleton.rest[other];
    result.confidence[joint] = fitted.confidence[other];
    result.inside[joint] = fitted.inside[other];
  }
  progress(1.0, "fitting the skeleton");
  return result;
}

}  // namespace sinew
