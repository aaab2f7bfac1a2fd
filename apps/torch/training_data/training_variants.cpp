#include "apps/torch/training_data/training_variants.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/learn/body_space.h"
#include "sinew/mesh/weld.h"
#include "sinew/pose_mesh.h"
#include "sinew/simplify.h"

namespace sinew {
namespace {

// How one part of a body grows: along its bone, and across it.
struct Growth {
  double along = 1, across = 1;

  static Growth drawn(double least, double most, Random& random) {
    const auto factor = [&] { return std::exp(random.uniform(std::log(least), std::log(most))); };
    return {factor(), factor()};
  }
  static Growth even(double least, double most, Random& random) {
    const Growth growth = drawn(least, most, random);
    return {growth.along, growth.along};
  }
  Mat3d matrix(const Vec3d& direction) const {
    return across * Mat3d::Identity() + (along - across) * direction * direction.transpose();
  }
};

struct Proportions {
  Growth trunk, neck, head, shoulder, upper_arm, forearm, hand, thigh, shin, foot;

  explicit Proportions(Random& random)
      : trunk(Growth::drawn(0.75, 1.35, random)),
        neck(Growth::drawn(0.6, 1.5, random)),
        head(Growth::even(0.8, 2.0, random)),
        shoulder(Growth::drawn(0.75, 1.3, random)),
        upper_arm(Growth::drawn(0.7, 1.4, random)),
        forearm(Growth::drawn(0.7, 1.4, random)),
        hand(Growth::even(0.7, 1.7, random)),
        thigh(Growth::drawn(0.65, 1.4, random)),
        shin(Growth::drawn(0.65, 1.4, random)),
        foot(Growth::even(0.75, 1.6, random)) {}

  // Of joints that grow by themselves; the others grow with their parent.
  const Growth* of(JointRole role) const {
    switch (role) {
      case JointRole::hips:
      case JointRole::spine:
      case JointRole::chest:
        return &trunk;
      case JointRole::neck:
        return &neck;
      case JointRole::head:
        return &head;
      case JointRole::clavicle:
        return &shoulder;
      case JointRole::upper_arm:
        return &upper_arm;
      case JointRole::forearm:
        return &forearm;
      case JointRole::hand:
        return &hand;
      case JointRole::thigh:
        return &thigh;
      case JointRole::shin:
        return &shin;
      case JointRole::foot:
        return &foot;
      default:
        return nullptr;
    }
  }
};

Character with_rest(const Character& character, const std::vector<Affine3d>& rest,
                    const std::vector<Affine3d>& transforms) {
  Character result = character;
  result.mesh.positions = pose_positions(character.mesh.positions, character.weights, transforms);
  result.skeleton.rest = rest;
  result.motions.clear();
  return result;
}

}  // namespace

Character in_other_rest_pose(const Character& character, bool loose, Random& random) {
  const Skeleton& skeleton = character.skeleton;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  const BodyFrame frame = body_frame(skeleton, joints);
  const double degree = std::numbers::pi / 180;
  const double arms = random.uniform(-35, 35) * degree, legs = random.uniform(-3, 8) * degree;
  const double elbows = random.uniform(0, 20) * degree;
  // In character space, from the root on.
  std::vector<Affine3d> moved(skeleton.rest);
  std::vector<Quatd> turn(skeleton.names.size(), Quatd::Identity());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    Quatd own = Quatd::Identity();
    const double side = joints[j].side == BodySide::right ? -1.0 : 1.0;
    if (joints[j].index == 1) {
      if (joints[j].role == JointRole::upper_arm) own = Eigen::AngleAxisd(side * arms, frame.forward);
      if (joints[j].role == JointRole::thigh) own = Eigen::AngleAxisd(side * legs, frame.forward);
      if (joints[j].role == JointRole::forearm) own = Eigen::AngleAxisd(-side * elbows, frame.up);
    }
    if (loose && parent >= 0 && joints[j].role != JointRole::hips) {
      const Vec3d axis(random.normal(), random.normal(), random.normal());
      own = Eigen::AngleAxisd(5 * degree * random.normal(), axis.normalized()) * own;
    }
    turn[j] = (parent >= 0 ? turn[parent] : Quatd(Quatd::Identity())) * own;
    moved[j].linear() = turn[j].toRotationMatrix() * skeleton.rest[j].linear();
    if (parent >= 0) {
      moved[j].translation() =
          moved[parent].translation() + turn[parent] * Vec3d(skeleton.position(j) - skeleton.position(parent));
    }
  }
  std::vector<Affine3d> transforms;
  for (int j = 0; j < skeleton.joint_count(); ++j) transforms.push_back(moved[j] * skeleton.rest[j].inverse());
  return with_rest(character, moved, transforms);
}

Character in_other_proportions(const Character& character, Random& random) {
  const Skeleton& skeleton = character.skeleton;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  const BodyFrame frame = body_frame(skeleton, joints);
  const Proportions proportions(random);
  const std::size_t count = skeleton.names.size();
  std::vector<Vec3d> ahead(count, Vec3d::Zero());  // from a joint to the middle of its children
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    if (parent >= 0) ahead[parent] += skeleton.position(j) - skeleton.position(parent);
  }
  std::vector<Affine3d> moved(skeleton.rest), transforms;
  std::vector<Mat3d> grown(count, Mat3d::Identity());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    const JointRole role = joints[j].role;
    if (const Growth* growth = proportions.of(role)) {
      const bool upright = growth == &proportions.trunk || growth == &proportions.neck;
      grown[j] = growth->matrix(upright || ahead[j].norm() == 0 ? frame.up : Vec3d(ahead[j].normalized()));
    } else if (parent >= 0) {
      grown[j] = grown[parent];
    }
    if (parent >= 0) {
      moved[j].translation() =
          moved[parent].translation() + grown[parent] * (skeleton.position(j) - skeleton.position(parent));
    }
    Affine3d transform = Affine3d::Identity();
    transform.linear() = grown[j];
    transform.translation() = moved[j].translation() - grown[j] * skeleton.position(j);
    transforms.push_back(transform);
  }
  return with_rest(character, moved, transforms);
}

void change_mesh(TrainingBody& body, Random& random) {
  SimplifyOptions options;
  options.ignore_seams = true;
  options.uniformity = random.uniform() < 0.5 ? 1e-3 : 1.0;
  const double share = random.uniform(0.1, 0.67);
  Simplifier simplifier(body.mesh, {}, {}, options);
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(body.mesh.positions.size()));
  const SimplifiedMesh coarse = simplifier.reduce(std::max<std::size_t>(wanted, 300));
  const double dents = random.uniform() < 0.5 ? 0.0 : 0.006 * random.uniform();
  TriangleMesh mesh;
  mesh.triangles = coarse.triangles;
  SkinWeights weights = make_skin_weights(coarse.vertices.size(), body.weights.influences);
  std::vector<Vec3f> coordinates;
  for (std::size_t v = 0; v < coarse.vertices.size(); ++v) {
    const std::uint32_t from = coarse.vertices[v];
    mesh.positions.push_back(body.mesh.positions[from]);
    coordinates.push_back(body.coordinates[from]);
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t to = v * weights.influences + slot, at = std::size_t{from} * weights.influences + slot;
      weights.joints[to] = body.weights.joints[at];
      weights.weights[to] = body.weights.weights[at];
    }
  }
  mesh = to_body_space(mesh, {});
  if (dents > 0) {
    const Weld weld = weld_positions(mesh.positions);  // the two sides of a seam move together
    std::vector<float> depths(weld.welded_count());
    for (float& depth : depths) depth = static_cast<float>(dents * random.normal());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.positions[v] += depths[weld.welded_of[v]] * mesh.normals[v];
    }
    mesh = to_body_space(mesh, {});
  }
  body.mesh = std::move(mesh);
  body.weights = std::move(weights);
  body.coordinates = std::move(coordinates);
}

}  // namespace sinew
