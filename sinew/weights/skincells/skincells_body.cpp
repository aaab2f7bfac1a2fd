#include "sinew/weights/skincells/skincells_body.h"

#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew::skincells {
namespace {

constexpr float margin = 0.5f;  // loss units that a garment keeps from the skin
constexpr float knee = 3.0f;    // loss units of depth beyond which the penalty grows no faster
constexpr std::size_t most_points = 4000;
constexpr double passage = 30.0;   // loss units over which a garment goes over from its own rig to the body's
constexpr double bearable = 0.05;  // mean penalty that its own rig may have before the body's weights are asked
constexpr std::size_t poses_looked_at = 64;

std::vector<int> joints_by_name(const Character& body, const Skeleton& skeleton) {
  std::vector<int> joints;
  for (const std::string& name : body.skeleton.names) joints.push_back(find_joint(skeleton, name));
  return joints;
}

// The garment can follow this joint, or the one that it hangs on: a thigh, a shin, but not a hand beside a skirt.
bool can_follow(const BindInput& input, int joint) {
  const int parent = joint >= 0 ? input.skeleton.parents[joint] : -1;
  return joint < 0 || input.takes_weight[joint] || (parent >= 0 && input.takes_weight[parent]);
}

// Skinned vertices of the body near the garment, thinned out.
std::vector<std::uint32_t> vertices_near(const Character& body, const BindInput& input,
                                         const std::vector<int>& joint_of) {
  AABBd box;
  for (const Vec3f& p : input.mesh.positions) box.extend(p.cast<double>() * input.scale + input.centre);
  const Vec3d room = Vec3d::Constant(0.25 * box.diagonal().norm());
  box.extend(box.min() - room);
  box.extend(box.max() + room);
  std::vector<std::uint32_t> near;
  for (std::uint32_t v = 0; v < body.mesh.vertex_count(); ++v) {
    const std::size_t strongest = static_cast<std::size_t>(v) * body.weights.influences;
    if (body.weights.weights[strongest] > 0 && can_follow(input, joint_of[body.weights.joints[strongest]]) &&
        box.contains(body.mesh.positions[v].cast<double>()))
      near.push_back(v);
  }
  if (near.empty()) {
    throw Error(ErrorCode::characters_differ, "no skin of the body is near the garment",
                "put the garment where it is worn");
  }
  const std::size_t step = (near.size() + most_points - 1) / most_points;
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < near.size(); i += step) kept.push_back(near[i]);
  return kept;
}

void check_joints(const Character& body, const std::vector<int>& joint_of, const std::vector<std::uint32_t>& vertices) {
  for (std::uint32_t v : vertices) {
    for (int slot = 0; slot < body.weights.influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(v) * body.weights.influences + slot;
      if (body.weights.weights[at] > 0 && joint_of[body.weights.joints[at]] < 0) {
        throw Error(
            ErrorCode::skeletons_differ,
            "joint '" + body.skeleton.names[body.weights.joints[at]] + "' of the body is not in the garment's skeleton",
            "garment and body must share a rig");
      }
    }
  }
}

// The joint that takes weight on the way from `joint` to the root; -1 for none.
int weighted_ancestor(const BindInput& input, int joint) {
  while (joint >= 0 && !input.takes_weight[joint]) joint = input.skeleton.parents[joint];
  return joint;
}

// The body's weights at the garment's vertices, dense. A row without any such joint stays zero.
Eigen::MatrixXd weights_below(const Character& body, const BindInput& input, const std::vector<std::uint32_t>& spots) {
  const std::vector<int> joint_of = joints_by_name(body, input.skeleton);
  Eigen::MatrixXd below = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(spots.size()), input.joint_count());
  for (std::size_t point = 0; point < spots.size(); ++point) {
    for (int slot = 0; slot < body.weights.influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(spots[point]) * body.weights.influences + slot;
      if (!(body.weights.weights[at] > 0)) continue;
      const int joint = weighted_ancestor(input, joint_of[body.weights.joints[at]]);
      if (joint >= 0) below(static_cast<Eigen::Index>(point), joint) += body.weights.weights[at];
    }
  }
  return below;
}

// Averages over neighbours along the surface, over about `passage` loss units.
void smooth(const BindInput& input, double to_loss, Eigen::MatrixXd& values) {
  const std::vector<Edge> edges = unique_edges(input.mesh.triangles);
  if (edges.empty()) return;
  double length = 0;
  Eigen::VectorXd degree = Eigen::VectorXd::Ones(values.rows());
  for (const Edge& edge : edges) {
    length += to_loss * static_cast<double>((input.mesh.positions[edge[0]] - input.mesh.positions[edge[1]]).norm());
    for (std::uint32_t end : edge) degree[end] += 1;
  }
  const double steps = passage * static_cast<double>(edges.size()) / length;
  const int rounds = static_cast<int>(std::clamp(2 * steps * steps, 2.0, 600.0));
  for (int round = 0; round < rounds; ++round) {
    Eigen::MatrixXd sum = values;
    for (const Edge& edge : edges) {
      sum.row(edge[0]) += values.row(edge[1]);
      sum.row(edge[1]) += values.row(edge[0]);
    }
    values = degree.cwiseInverse().asDiagonal() * sum;
  }
}

// Mean penalty of every vertex over the poses with these weights.
Eigen::VectorXd penalties(const PosedBody& body, const BindInput& input, const std::vector<Pose>& poses, double to_loss,
                          const Eigen::MatrixXd& weights) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(weights.rows());
  for (std::size_t pose = 0; pose < poses.size(); ++pose) {
    const std::vector<Affine3d> transforms = skinning_transforms(input.skeleton, poses[pose]);
    for (Eigen::Index v = 0; v < weights.rows(); ++v) {
      Vec3d position = Vec3d::Zero();
      const Vec3d rest = input.mesh.positions[static_cast<std::size_t>(v)].cast<double>();
      for (Eigen::Index joint = 0; joint < weights.cols(); ++joint) {
        if (weights(v, joint) > 0) position += weights(v, joint) * (transforms[static_cast<std::size_t>(joint)] * rest);
      }
      Vec3f ignored;
      sum[v] += body.penalty(static_cast<int>(pose), static_cast<std::size_t>(v), (to_loss * position).cast<float>(),
                             ignored);
    }
  }
  return sum / static_cast<double>(poses.size());
}

}  // namespace

PosedBody::PosedBody(const Character& body, const BindInput& input, const std::vector<Pose>& poses,
                     const std::vector<Vec3f>& rest, double to_loss)
    : spot_(rest.size()), planes_(poses.size() * rest.size()) {
  if (!body.has_skin()) {
    throw Error(ErrorCode::weights_missing, "the body '" + body.name + "' has no weights", "bind it first");
  }
  const std::vector<int> joint_of = joints_by_name(body, input.skeleton);
  const std::vector<std::uint32_t> near = vertices_near(body, input, joint_of);
  check_joints(body, joint_of, near);
  std::vector<Vec3f> positions;
  for (std::uint32_t v : near) {
    positions.push_back(((body.mesh.positions[v].cast<double>() - input.centre) / input.scale * to_loss).cast<float>());
  }
  const std::vector<Vec3f> normals = vertex_normals(body.mesh.positions, body.mesh.triangles);
  const NearestPoints tree(positions);
  for (std::size_t point = 0; point < rest.size(); ++point) {
    NearPoint nearest;
    tree.nearest(rest[point], nearest);
    spot_[point] = near[nearest.index];
    const float height = normals[near[nearest.index]].dot(rest[point] - positions[nearest.index]);
    clearance_.push_back(std::min(margin, height));
  }
  parallel_for(poses.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pose = begin; pose < end; ++pose) {
      const std::vector<Affine3d> transforms = skinning_transforms(input.skeleton, poses[pose]);
      for (std::size_t point = 0; point < rest.size(); ++point) {
        const std::uint32_t v = spot_[point];
        const Vec3d at_rest = (body.mesh.positions[v].cast<double>() - input.centre) / input.scale;
        Vec3d position = Vec3d::Zero(), normal = Vec3d::Zero();
        for (int slot = 0; slot < body.weights.influences; ++slot) {
          const std::size_t at = static_cast<std::size_t>(v) * body.weights.influences + slot;
          const double weight = body.weights.weights[at];
          if (!(weight > 0)) continue;
          const Affine3d& transform = transforms[joint_of[body.weights.joints[at]]];
          position += weight * to_loss * (transform * at_rest);
          normal += weight * (transform.linear() * normals[v].cast<double>());
        }
        normal.normalize();
        planes_[pose * rest.size() + point] = {normal.cast<float>(), static_cast<float>(normal.dot(position))};
      }
    }
  });
}

double PosedBody::penalty(int pose, std::size_t point, const Vec3f& position, Vec3f& by_position) const {
  const Plane& plane = planes_[static_cast<std::size_t>(pose) * spot_.size() + point];
  const float depth = clearance_[point] - plane.height(position);
  by_position.setZero();
  if (depth <= 0) return 0.0;
  // Squared up to the knee, then straight: a leg lifted through a skirt must not drown everything else.
  by_position = -std::min(depth, knee) * plane.normal;
  return depth <= knee ? static_cast<double>(depth) * depth : static_cast<double>(knee) * (2 * depth - knee);
}

SkinWeights follow_body(const Character& body, const BindInput& input, const std::vector<Pose>& poses, double to_loss,
                        const SkinWeights& own) {
  std::vector<Pose> some;
  const std::size_t count = std::min(poses_looked_at, poses.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(poses[i * poses.size() / count]);
  std::vector<Vec3f> rest;
  for (const Vec3f& p : input.mesh.positions) rest.push_back(p * static_cast<float>(to_loss));
  const PosedBody posed(body, input, some, rest, to_loss);

  Eigen::MatrixXd below = weights_below(body, input, posed.spots()), weights = densify(own, input.joint_count());
  smooth(input, to_loss, below);
  const Eigen::VectorXd of_own = penalties(posed, input, some, to_loss, weights);
  const Eigen::VectorXd of_body = penalties(posed, input, some, to_loss, below);
  Eigen::MatrixXd share = of_own.array() / (of_own.array() + of_body.array() + bearable);
  smooth(input, to_loss, share);
  for (Eigen::Index v = 0; v < weights.rows(); ++v) {
    if (below.row(v).sum() > 0) weights.row(v) += share(v, 0) * (below.row(v) / below.row(v).sum() - weights.row(v));
  }
  return sparsify(weights, own.influences);
}

}  // namespace sinew::skincells
