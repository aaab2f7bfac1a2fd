#include "sinew/fit/fit_creature.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/fit/bring_inside.h"
#include "sinew/fit/curve_paths.h"
#include "sinew/fit/match_skeleton.h"
#include "sinew/fit/place_joints.h"

namespace sinew {
namespace {

std::string percent(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

void require_match(const SkeletonMatch& match, const CreatureGate& gate) {
  const std::string advice = "is the skeleton of the same kind of creature? Without one, a skeleton can be generated";
  if (match.misfit > gate.misfit) {
    throw Error(ErrorCode::kinds_differ,
                "the limbs of the skeleton do not match those of the mesh: they disagree by " + percent(match.misfit) +
                    ", at most " + percent(gate.misfit) + " is believed",
                advice);
  }
  if (match.covered < gate.covered) {
    throw Error(ErrorCode::kinds_differ,
                "the skeleton reaches only " + percent(match.covered) + " of the mesh's limbs, at least " +
                    percent(gate.covered) + " is believed",
                advice);
  }
}

// The joint that stands at the mirror image of another one's place, as far down its chain.
int mirror_image(const SkeletonMatch& match, const CurveSkeleton& curve, const Skeleton& skeleton, int joint) {
  if (match.nodes[joint] < 0) return -1;
  const int image = curve.nodes[match.nodes[joint]].mirror;
  if (image < 0 || image == match.nodes[joint]) return -1;
  const auto depth = [&](int j) {
    int count = 0;
    for (int up = skeleton.parents[j]; up >= 0; up = skeleton.parents[up]) ++count;
    return count;
  };
  for (int other = 0; other < skeleton.joint_count(); ++other) {
    if (match.nodes[other] == image && depth(other) == depth(joint)) return other;
  }
  return -1;
}

// Held joints go where they are held, their mirror images opposite; what was carried along moves with its parent.
std::vector<char> hold(const FitOptions& options, const CurveSkeleton& curve, const SkeletonMatch& match,
                       Skeleton& skeleton) {
  std::vector<char> held(skeleton.names.size(), 0);
  std::vector<Vec3d> shift(skeleton.names.size(), Vec3d::Zero());
  const auto put = [&](int joint, const Vec3d& place) {
    shift[joint] = place - match.places[joint];
    held[joint] = 1;
  };
  for (const HeldJoint& own : options.held) put(own.joint, own.position);
  for (const HeldJoint& own : options.held) {
    const int image = options.symmetric && curve.symmetric ? mirror_image(match, curve, skeleton, own.joint) : -1;
    if (image >= 0 && !held[image]) put(image, curve.plane.mirrored(own.position));
  }
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int parent = skeleton.parents[joint];
    if (!held[joint] && match.nodes[joint] < 0 && parent >= 0) shift[joint] = shift[parent];
    skeleton.rest[joint].translation() = match.places[joint] + shift[joint];
  }
  return held;
}

}  // namespace

CreatureFit fit_creature(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                         const Progress& progress, const CreatureGate& gate) {
  progress(0.0, "looking into the mesh");
  const VoxelSolid solid(mesh, options.cells);
  progress(0.5, "finding the curves inside");
  CurveOptions curve_options;
  if (!options.symmetric) curve_options.symmetry = 2;
  const CurveSkeleton curve = curve_skeleton(solid, curve_options);
  progress(0.6, "matching the skeleton with them");
  const SkeletonMatch match = match_skeleton(curve, skeleton, {.turns = !options.y_is_up});
  require_match(match, gate);

  progress(0.8, "placing the joints");
  CreatureFit result;
  result.misfit = match.misfit;
  result.covered = match.covered;
  FitResult& fit = result.fit;
  fit.skeleton = skeleton;
  const std::vector<char> held = hold(options, curve, match, fit.skeleton);
  fit.frame.up = match.turn * Vec3d::UnitY();
  fit.frame.forward = match.turn * Vec3d::UnitZ();
  take_apart(curve, fit.frame, true);
  fit.symmetry = curve.plane.symmetry;

  std::vector<char> matters(skeleton.names.size(), 0);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointRole role = identify_name(skeleton.names[joint]).role;
    // What takes no node and hangs on nothing that does is not part of the body: controls, roots on the ground.
    const int parent = skeleton.parents[joint];
    const bool of_body = match.nodes[joint] >= 0 || (parent >= 0 && match.nodes[parent] >= 0);
    matters[joint] = skeleton.kinds[joint] == JointKind::joint && role != JointRole::control &&
                     role != JointRole::prop && of_body && !held[joint];
  }
  bring_inside(solid.domain(), matters, fit.skeleton, fit.inside);
  turn_joints(skeleton, match.turn, fit.skeleton);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    double sure = held[joint] ? 1.0 : match.nodes[joint] >= 0 ? 0.9 - 0.7 * match.misfits[joint] : 0.3;
    if (!fit.inside[joint] && !held[joint]) sure *= 0.5;
    fit.confidence.push_back(sure);
  }
  fit.probability = fit.mean_confidence();
  progress(1.0, "placing the joints");
  return result;
}

}  // namespace sinew
