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
#include "sinew/fit/body_shape.h"
#include "sinew/fit/bring_inside.h"
#include "sinew/fit/finger_fit.h"
#include "sinew/fit/fit_creature.h"
#include "sinew/fit/neural_shape.h"
#include "sinew/fit/place_joints.h"
#include "sinew/mesh/solid_domain.h"

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

// The inside of a mesh, and the body that was read in it or why there is none.
struct Reading {
  std::unique_ptr<const VoxelSolid> solid;
  std::optional<BodyShape> shape;
  std::optional<Error> refusal;
};

Reading read_at(const TriangleMesh& mesh, int cells, const BodyShapeOptions& options) {
  Reading reading;
  reading.solid = std::make_unique<const VoxelSolid>(mesh, cells);
  try {
    reading.shape = read_body_shape(*reading.solid, options);
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::cancelled) throw;
    reading.refusal = problem;
  }
  return reading;
}

// Where no body is found, finer voxels may show the gap between a hand and a hip.
Reading read_inside(const TriangleMesh& mesh, int cells, const BodyShapeOptions& options, Warnings& warnings) {
  constexpr int finer = 144;
  Reading reading = read_at(mesh, cells, options);
  if (reading.shape || cells >= finer) return reading;
  Reading second = read_at(mesh, finer, options);
  if (!second.shape) return reading;
  warnings.push_back({"finer-voxels", "separated the limbs at a finer resolution (" + std::to_string(finer) +
                                          " voxels); nothing to do"});
  return second;
}

// Feet that do not tell which way a body faces: the networks may see it, by its face or its chest.
void ask_for_facing(const TriangleMesh& mesh, const FitModel& networks, BodyShapeOptions options, Reading& reading) {
  try {
    const FrameGuess seen = guess_frame(mesh, networks, reading.shape->frame.up);
    if (!seen.facing_known) return;
    options.forward = seen.frame.forward;
    reading.shape = read_body_shape(*reading.solid, options);
  } catch (const Error& problem) {
    // They see no person either: the facing stays unknown, which the result says.
    if (problem.kind() == ErrorKind::cancelled) throw;
  }
}

// What the inside of the mesh tells, what the networks see, or both together.
BodyShape read_shape(const TriangleMesh& mesh, const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                     const FitOptions& options, const Progress& progress, FitResult& result) {
  progress(0.0, "looking into the mesh");
  BodyShapeOptions shape_options;
  shape_options.expect_four_legs = stands_on_all_fours(skeleton, joints);
  shape_options.up_given = options.y_is_up;
  const bool could_ask = !shape_options.expect_four_legs && !mesh.is_point_cloud();
  const bool asks = options.networks && could_ask;
  if (options.networks_alone && !asks) {
    throw Error(ErrorCode::kinds_differ,
                "the networks alone cannot place these joints: they know only people, as surfaces");
  }
  Reading reading;
  if (options.networks_alone) {
    reading.solid = std::make_unique<const VoxelSolid>(mesh, options.cells);
  } else {
    reading = read_inside(mesh, options.cells, shape_options, result.warnings);
  }
  std::optional<BodyShape>& shape = reading.shape;
  if (!asks) {
    if (!shape) throw could_ask ? reading.refusal->about("networks") : *reading.refusal;
    return *shape;
  }
  progress(0.6, "asking the networks");
  const auto start = std::chrono::steady_clock::now();
  if (shape && !shape->facing_known) ask_for_facing(mesh, *options.networks, shape_options, reading);
  const Vec3d up = options.y_is_up ? Vec3d(Vec3d::UnitY()) : Vec3d(Vec3d::Zero());
  try {
    const FrameGuess frame = shape ? FrameGuess{.frame = shape->frame} : guess_frame(mesh, *options.networks, up);
    const BodyShape seen = neural_body_shape(mesh, *reading.solid, skeleton, joints, *options.networks, frame);
    if (shape) {
      join_opinions(*shape, seen);
    } else {
      shape = seen;
      result.by_networks = true;
    }
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::cancelled) throw;
    // Without a body in the networks' eyes either, the first reason is the one to tell.
    if (!shape && reading.refusal) throw *reading.refusal;
    if (!shape) throw;
    result.warnings.push_back({"networks-disagree", problem.what()});
  }
  if (reading.refusal) {
    result.warnings.push_back({"placed-by-networks", std::string(reading.refusal->what()) +
                                                         "; the joints were placed by the trained networks alone"});
  }
  result.network_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return *shape;
}

// A skeleton whose feet hang on their legs.
FitResult fit_whole_legs(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                         const Progress& progress) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  require_limbs(joints);

  FitResult result;
  BodyShape shape = read_shape(mesh, skeleton, joints, options, progress.part(0.0, 0.8), result);
  progress(0.8, "placing the joints");
  settle_in_balls(find_ball_joints(mesh, shape.height), shape);
  result.frame = shape.frame;
  result.on_all_fours = shape.on_all_fours;
  result.symmetry = shape.symmetry;
  const bool symmetric = options.symmetric && shape.symmetry > 0.8;
  const std::vector<HeldJoint> held = symmetric ? with_mirror_images(options.held, shape, joints) : options.held;
  Placement placement = place_joints(skeleton, joints, shape, held);
  const int hands_not_read = held.empty() ? fit_fingers(mesh, joints, shape, placement) : 0;
  if (hands_not_read > 0) {
    result.warnings.push_back(
        {"fingers-carried-along", std::string(hands_not_read == 1 ? "one hand does" : "the hands do") +
                                      " not show as many fingers as the skeleton has: they were carried along"});
  }
  result.confidence = std::move(placement.confidence);
  result.skeleton = std::move(placement.skeleton);
  if (symmetric) mirror_sides(shape, joints, held, result.skeleton);

  progress(0.85, "bringing the joints inside");
  const SolidDomain domain(mesh);
  std::vector<char> matters(skeleton.names.size(), 0);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointRole role = joints[joint].role;
    matters[joint] = skeleton.kinds[joint] == JointKind::joint && role != JointRole::root &&
                     role != JointRole::control && role != JointRole::prop && !find_held(held, joint);
  }
  bring_inside(domain, matters, result.skeleton, result.inside);
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

// Bodies without two arms and two legs, in the skeleton or in the mesh. A skeleton that has them must match the mesh
// closely: a person's skeleton is not for a stork. Otherwise the first refusal is the one to tell.
FitResult fit_other_creature(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                             const Progress& progress, const Error& refusal) {
  const bool no_limbs = refusal.code() == ErrorCode::skeleton_not_understood;
  const bool no_body = refusal.code() == ErrorCode::body_not_recognised || refusal.code() == ErrorCode::kinds_differ;
  if ((!no_limbs && !no_body) || options.networks_alone) throw refusal;
  if (no_limbs) return fit_creature(mesh, skeleton, options, progress).fit;
  try {
    return fit_creature(mesh, skeleton, options, progress, {.misfit = 0.3, .covered = 0.7}).fit;
  } catch (const Error& second) {
    if (second.kind() == ErrorKind::cancelled) throw;
    throw refusal;
  }
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
