#include "sinew/fit/fit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "sinew/fit/body_shape.h"
#include "sinew/fit/neural_shape.h"
#include "sinew/fit/place_joints.h"
#include "sinew/mesh/solid_domain.h"
#include "sinew/rig/foot_contacts.h"
#include "sinew/rig/joint_structure.h"

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
      throw bad_input(std::string("the skeleton has no ") + (side == BodySide::left ? "left " : "right ") +
                          role_name(role) + " that could be recognised by name or structure",
                      "fitting needs two arms and two legs, or four legs");
    }
  }
}

bool stands_on_four(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  const std::vector<Leg> legs = legs_of(skeleton, joints);
  return std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.front; });
}

// Brings joints inside: towards the parent's bone first, because that is where the limb is, else to the surface place
// nearest to them and a little under it.
void bring_inside(const SolidDomain& domain, const std::vector<char>& matters, Skeleton& skeleton,
                  std::vector<char>& inside) {
  inside.assign(skeleton.names.size(), 0);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Vec3f place = skeleton.position(joint).cast<float>();
    inside[joint] = domain.contains(place);
    if (inside[joint] || !matters[joint]) continue;
    const auto radius = static_cast<float>(0.1 * domain.diagonal());
    for (const double depth : {0.01, 0.004, 0.0015}) {
      Vec3f under;
      if (!domain.point_under_surface(place, radius, static_cast<float>(depth * domain.diagonal()), under)) continue;
      if (!domain.contains(under)) continue;
      skeleton.rest[joint].translation() = under.cast<double>();
      inside[joint] = 1;
      break;
    }
  }
}

// Left and right become mirror images of each other where the mesh is.
void mirror_sides(const BodyShape& shape, const std::vector<JointIdentity>& joints, Skeleton& skeleton) {
  std::map<std::tuple<JointRole, int>, std::array<std::vector<int>, 2>> pairs;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointIdentity& own = joints[joint];
    const bool limb = own.role >= JointRole::clavicle && own.role <= JointRole::toe;
    if (!limb || own.side == BodySide::centre) continue;
    pairs[{own.role, own.index}][own.side == BodySide::left ? 0 : 1].push_back(joint);
  }
  const auto mirrored = [&](const Vec3d& p) {
    return Vec3d(p - 2 * (p - shape.middle).dot(shape.frame.left) * shape.frame.left);
  };
  for (const auto& [key, sides] : pairs) {
    if (sides[0].size() != 1 || sides[1].size() != 1) continue;
    const Vec3d l = skeleton.position(sides[0][0]), r = skeleton.position(sides[1][0]);
    const Vec3d mean = 0.5 * (l + mirrored(r));
    skeleton.rest[sides[0][0]].translation() = mean;
    skeleton.rest[sides[1][0]].translation() = mirrored(mean);
  }
}

// What the inside of the mesh tells, what the networks see, or both together.
BodyShape read_shape(const TriangleMesh& mesh, const VoxelSolid& solid, const Skeleton& skeleton,
                     const std::vector<JointIdentity>& joints, const FitOptions& options, FitResult& result) {
  BodyShapeOptions shape_options;
  shape_options.expect_four_legs = stands_on_four(skeleton, joints);
  shape_options.up_given = options.y_is_up;
  if (!options.networks || shape_options.expect_four_legs || mesh.is_point_cloud()) {
    return read_body_shape(solid, shape_options);
  }
  std::optional<BodyShape> shape;
  std::optional<Error> refusal;
  try {
    shape = read_body_shape(solid, shape_options);
  } catch (const Error& problem) {
    refusal = problem;
  }
  const auto start = std::chrono::steady_clock::now();
  const Vec3d up = options.y_is_up ? Vec3d(Vec3d::UnitY()) : Vec3d(Vec3d::Zero());
  try {
    const BodyFrame frame = shape ? shape->frame : guess_frame(mesh, *options.networks, up);
    const BodyShape seen = neural_body_shape(mesh, solid, skeleton, joints, *options.networks, frame);
    if (shape) {
      join_opinions(*shape, seen);
    } else {
      shape = seen;
      result.by_networks = true;
      result.warnings.push_back({"placed-by-networks", std::string(refusal->what()) +
                                                           "; the joints were placed by the trained networks alone"});
    }
  } catch (const Error& problem) {
    // Without a body in the networks' eyes either, the first reason is the one to tell.
    if (!shape) throw *refusal;
    result.warnings.push_back({"networks-disagree", problem.what()});
  }
  result.network_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return *shape;
}

}  // namespace

FitResult fit_skeleton(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options) {
  check_skeleton(skeleton);
  check_mesh(mesh);
  if (options.cells < 48 || options.cells > 256) throw Error(ErrorKind::usage, "cells must be between 48 and 256");
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  require_limbs(joints);

  const VoxelSolid solid(mesh, options.cells);
  FitResult result;
  const BodyShape shape = read_shape(mesh, solid, skeleton, joints, options, result);
  result.frame = shape.frame;
  result.on_all_fours = shape.on_all_fours;
  result.symmetry = shape.symmetry;
  Placement placement = place_joints(skeleton, joints, shape);
  result.confidence = std::move(placement.confidence);
  result.skeleton = std::move(placement.skeleton);
  if (options.symmetric && shape.symmetry > 0.8) mirror_sides(shape, joints, result.skeleton);

  const SolidDomain domain(mesh);
  std::vector<char> matters(skeleton.names.size(), 0);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointRole role = joints[joint].role;
    matters[joint] = skeleton.kinds[joint] == JointKind::joint && role != JointRole::root &&
                     role != JointRole::control && role != JointRole::prop;
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

}  // namespace sinew
