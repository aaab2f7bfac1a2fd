// What the recogniser (sinew/fit/recogniser.h) learns from: one row of numbers per axis, direction and body.
//
// Columns: what (up, forward, kind), studio, file, variant, answer, pose of a person or -1, then the features.
#pragma once

#include <optional>
#include <ostream>

#include "bench/judge_examples.h"
#include "bench/splits.h"
#include "sinew/fit/recogniser.h"
#include "sinew/pose_mesh.h"

namespace sinew::bench {

// splits.h says "fish"; robots that walk on two legs without arms are no creature of any kind here.
inline CreatureKind kind_by_name(const std::string& name) {
  for (int k = 0; k < creature_kind_count; ++k) {
    if (kind_name(static_cast<CreatureKind>(k)).starts_with(name) && name != "two legs")
      return static_cast<CreatureKind>(k);
  }
  return CreatureKind::not_a_creature;
}

// Which way a rigged body faces: people by their feet and sides, other creatures from hips or tail to head where these
// are not above each other; +z otherwise, as nearly all files are made.
inline Vec3d true_forward(const Skeleton& skeleton, CreatureKind kind) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  if (kind == CreatureKind::person) {
    const Vec3d forward = body_frame(skeleton, joints).forward;
    return (forward - forward.y() * Vec3d::UnitY()).normalized();
  }
  std::optional<Vec3d> head, rear;
  AABBd box;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    box.extend(skeleton.position(j));
    const JointRole role = joints[static_cast<std::size_t>(j)].role;
    if (role == JointRole::head && !head) head = skeleton.position(j);
    if ((role == JointRole::hips || role == JointRole::tail) && !rear) rear = skeleton.position(j);
  }
  if (!head || !rear) return Vec3d::UnitZ();
  Vec3d level = *head - *rear;
  level.y() = 0;
  return level.norm() > 0.15 * box.diagonal().norm() ? Vec3d(level.normalized()) : Vec3d(Vec3d::UnitZ());
}

// How a rigged person holds the arms: angle of shoulder to hand above straight down, elbows straight, both alike.
inline std::optional<RestPose> true_pose(const JudgedBody& body) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(body.truth);
  std::array<double, 2> angle{};
  bool bent = false;
  for (int s = 0; s < 2; ++s) {
    std::array<std::optional<Vec3d>, 3> arm;
    for (int j = 0; j < body.truth.joint_count(); ++j) {
      const JointIdentity& joint = joints[static_cast<std::size_t>(j)];
      if (joint.side != (s == 0 ? BodySide::left : BodySide::right) || joint.index != 1) continue;
      if (joint.role == JointRole::upper_arm) arm[0] = body.truth.position(j);
      if (joint.role == JointRole::forearm) arm[1] = body.truth.position(j);
      if (joint.role == JointRole::hand) arm[2] = body.truth.position(j);
    }
    if (!arm[0] || !arm[1] || !arm[2]) return std::nullopt;
    const Vec3d upper = (*arm[1] - *arm[0]).normalized(), lower = (*arm[2] - *arm[1]).normalized();
    const Vec3d whole = (*arm[2] - *arm[0]).normalized();
    bent |= upper.dot(lower) < 0.64 || std::abs(whole.dot(body.forward)) > 0.6;
    angle[static_cast<std::size_t>(s)] = std::acos(std::clamp(-whole.dot(body.up), -1.0, 1.0)) * 180 / std::numbers::pi;
  }
  const double mean = 0.5 * (angle[0] + angle[1]);
  if (bent || std::abs(angle[0] - angle[1]) > 20 || mean > 110) return RestPose::other;
  return mean > 70 ? RestPose::t : mean > 25 ? RestPose::a : RestPose::arms_down;
}

// The same person with arms at another angle, and sometimes bent.
inline void raise_arms(Character& character, const JudgedBody& body, Random& random) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(character.skeleton);
  const double wanted = random.uniform(5, 95) * std::numbers::pi / 180,
               bend = random.uniform() < 0.3 ? random.uniform(0.6, 2.0) : 0.0;
  const Vec3d left = body.up.cross(body.forward);
  std::vector<Affine3d> posed = character.skeleton.rest;
  const auto turn_below = [&](int joint, const Eigen::AngleAxisd& turn) {
    const Vec3d pivot = posed[static_cast<std::size_t>(joint)].translation();
    const Affine3d about = Eigen::Translation3d(pivot) * turn * Eigen::Translation3d(-pivot);
    for (int j = joint; j < character.skeleton.joint_count(); ++j) {
      if (hangs_on(character.skeleton.parents, j, joint))
        posed[static_cast<std::size_t>(j)] = about * posed[static_cast<std::size_t>(j)];
    }
  };
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    const JointIdentity& joint = joints[static_cast<std::size_t>(j)];
    const double side = joint.side == BodySide::left ? 1 : -1;
    if (joint.index != 1 || joint.side == BodySide::centre) continue;
    if (joint.role == JointRole::upper_arm) {
      int hand = j;
      for (int k = j; k < character.skeleton.joint_count(); ++k) {
        if (joints[static_cast<std::size_t>(k)].role == JointRole::hand && hangs_on(character.skeleton.parents, k, j))
          hand = k;
      }
      const Vec3d arm =
          posed[static_cast<std::size_t>(hand)].translation() - posed[static_cast<std::size_t>(j)].translation();
      const double now = std::atan2(side * arm.dot(left), -arm.dot(body.up));
      turn_below(j, Eigen::AngleAxisd(side * (wanted - now), body.forward));
    } else if (joint.role == JointRole::forearm && bend > 0) {
      turn_below(j, Eigen::AngleAxisd(-bend, left));
    }
  }
  std::vector<Affine3d> moved;
  for (std::size_t j = 0; j < posed.size(); ++j) moved.push_back(posed[j] * character.skeleton.rest[j].inverse());
  character.mesh.positions = pose_positions(character.mesh.positions, character.weights, moved);
  character.skeleton.rest = posed;
}

// What of a skinned mesh follows the joints that `wanted` names, cut off from the rest.
template <class Wanted>
TriangleMesh cut_out(const Character& character, const Wanted& wanted) {
  std::vector<char> inside(character.mesh.vertex_count(), 0);
  for (std::size_t v = 0; v < inside.size(); ++v) {
    double sum = 0;
    for (int slot = 0; slot < character.weights.influences; ++slot) {
      const std::size_t at =
          v * static_cast<std::size_t>(character.weights.influences) + static_cast<std::size_t>(slot);
      if (wanted(character.weights.joints[at])) sum += character.weights.weights[at];
    }
    inside[v] = sum > 0.5;
  }
  TriangleMesh mesh;
  std::vector<std::int64_t> index(inside.size(), -1);
  for (const Triangle& triangle : character.mesh.triangles) {
    if (!inside[triangle[0]] || !inside[triangle[1]] || !inside[triangle[2]]) continue;
    Triangle own{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::int64_t& known = index[triangle[k]];
      if (known < 0) {
        known = static_cast<std::int64_t>(mesh.positions.size());
        mesh.positions.push_back(character.mesh.positions[triangle[k]]);
      }
      own[k] = static_cast<std::uint32_t>(known);
    }
    mesh.triangles.push_back(own);
  }
  return mesh;
}

class RecogniseRows {
 public:
  RecogniseRows(std::ostream& out, std::string studio, std::string name)
      : out_(out), studio_(std::move(studio)), name_(std::move(name)) {}

  // `directed`: there is an up and a forward to be told.
  void write(int variant, const JudgedBody& body, CreatureKind kind, bool directed, MeshViews& views) {
    const SeenBody seen(views, 96);
    if (directed) {
      for (int a = 0; a < 3; ++a) {
        for (const double side : {1.0, -1.0}) {
          const Vec3d up = side * Vec3d::Unit(a);
          row("up", variant, up.dot(body.up) > 0.9, -1, up_features(seen, up));
        }
      }
    }
    const MirrorPlane plane = level_mirror_plane(seen, body.up);
    const bool plane_is_right = std::abs(plane.normal.dot(body.forward)) < 0.3;
    Vec3d left = plane.normal;
    if (left.cross(body.up).dot(body.forward) < 0) left = -left;
    if (directed && plane_is_right && kind != CreatureKind::not_a_creature) {
      for (const double side : {1.0, -1.0}) {
        const BodyFrame frame{side * left, body.up, side * left.cross(body.up)};
        row("forward", variant, side > 0, -1, forward_features(seen, frame));
      }
    }
    const std::optional<RestPose> pose =
        kind == CreatureKind::person && !body.truth.empty() ? true_pose(body) : std::nullopt;
    row("kind", variant, static_cast<int>(kind), pose ? static_cast<int>(*pose) : -1,
        kind_features(seen, {left, body.up, left.cross(body.up)}, plane.symmetry));
    out_.flush();
  }

 private:
  void row(const char* what, int variant, int answer, int pose, const std::vector<float>& features) {
    out_ << what << ',' << studio_ << ',' << name_ << ',' << variant << ',' << answer << ',' << pose;
    for (const float value : features) out_ << ',' << value;
    out_ << '\n';
  }

  std::ostream& out_;
  std::string studio_, name_;
};

}  // namespace sinew::bench
