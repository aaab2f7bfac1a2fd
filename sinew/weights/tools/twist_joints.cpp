#include "sinew/twist_joints.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {
namespace {

// A part of a limb that can get twist joints.
struct Limb {
  int joint = -1, end = -1;     // where it begins, and the next joint along it
  std::vector<int> chain;       // from below its joint down to its end: the end alone, or helpers before it
  bool follows_end = false;     // takes on the turn of its end; otherwise it undoes the turn of its own joint
  Vec3d axis = Vec3d::UnitX();  // along the limb, unit length, in the joint's space
  double length = 0;
};

// Its new joints, in order along it.
struct Twist {
  Limb limb;
  std::vector<int> joints;
  std::vector<double> share;  // of the turn that each carries, 0 … 1
  std::vector<double> place;  // along the limb, 0 … 1
};

bool wanted(JointRole role, const TwistOptions& options) {
  return (role == JointRole::upper_arm && options.upper_arms) || (role == JointRole::forearm && options.forearms) ||
         (role == JointRole::thigh && options.thighs) || (role == JointRole::shin && options.shins);
}

JointRole end_of(JointRole role) {
  switch (role) {
    case JointRole::upper_arm:
      return JointRole::forearm;
    case JointRole::forearm:
      return JointRole::hand;
    case JointRole::thigh:
      return JointRole::shin;
    default:
      return JointRole::foot;
  }
}

// The joint below that begins the next part of the limb; -1 when there is none.
int find_end(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, int limb) {
  for (int joint = limb + 1; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role == end_of(joints[limb].role) && joints[joint].side == joints[limb].side &&
        hangs_on(skeleton.parents, joint, limb)) {
      return joint;
    }
  }
  return -1;
}

// Twist joints that a limb has already: named so, or lying between its joint and its end.
std::vector<std::string> existing_twists(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                                         const Limb& limb) {
  std::vector<std::string> names;
  for (int joint = limb.joint + 1; joint < skeleton.joint_count(); ++joint) {
    if (joint == limb.end || !hangs_on(skeleton.parents, joint, limb.joint)) continue;
    const bool between = skeleton.kinds[joint] == JointKind::joint && hangs_on(skeleton.parents, limb.end, joint);
    const bool beside = joints[joint].role == JointRole::twist && !hangs_on(skeleton.parents, joint, limb.end);
    if (between || beside) names.push_back(skeleton.names[joint]);
  }
  return names;
}

// "LeftForeArm" → "LeftForeArmTwist1", and another number where that is taken.
std::string twist_name(const Skeleton& skeleton, int joint, int number) {
  const std::string& base = skeleton.names[joint];
  const bool separated = base.find('_') != std::string::npos || base.find('.') != std::string::npos;
  for (;; ++number) {
    const std::string name = base + (separated ? "_twist_" : "Twist") + std::to_string(number);
    if (find_joint(skeleton, name) < 0) return name;
  }
}

Twist make_twist(Skeleton& skeleton, const Limb& limb, int count) {
  Twist twist{limb, {}, {}, {}};
  for (int i = 1; i <= count; ++i) {
    twist.share.push_back(static_cast<double>(i) / (count + 1));
    // Joints begin half a step from the end at which the limb's own joint does not hold the skin.
    twist.place.push_back((limb.follows_end ? i : i - 0.5) / (count + 0.5));
    const Affine3d& base = skeleton.rest[limb.joint];
    Affine3d rest = base;
    rest.translation() = base * Vec3d(twist.place.back() * limb.length * limb.axis);
    twist.joints.push_back(add_joint(skeleton, twist_name(skeleton, limb.joint, i), limb.joint, rest));
  }
  return twist;
}

// How far the limb is turned in a pose, about its axis: its end against itself, or itself against its parent.
double turn_of(const Limb& limb, const Pose& rest, const Transform* pose) {
  if (!limb.follows_end)
    return twist_angle(rest[limb.joint].rotation.conjugate() * pose[limb.joint].rotation, limb.axis);
  Quatd before = Quatd::Identity(), now = Quatd::Identity();
  for (const int joint : limb.chain) {
    before = before * rest[joint].rotation;
    now = now * pose[joint].rotation;
  }
  return twist_angle(now * before.conjugate(), limb.axis);
}

// Local transforms of the twist joints in one pose, after those of the joints there were.
void append_twists(const std::vector<Twist>& twists, const Pose& rest, const Transform* pose,
                   std::vector<Transform>& out) {
  for (const Twist& twist : twists) {
    const double turn = turn_of(twist.limb, rest, pose);
    for (std::size_t i = 0; i < twist.joints.size(); ++i) {
      const double own = twist.limb.follows_end ? twist.share[i] * turn : (twist.share[i] - 1) * turn;
      Transform local = rest[twist.joints[i]];
      local.rotation = (Quatd(Eigen::AngleAxisd(own, twist.limb.axis)) * local.rotation).normalized();
      out.push_back(local);
    }
  }
}

void extend_motions(Character& character, const std::vector<Twist>& twists, const Pose& rest, int old_count) {
  for (Motion& motion : character.motions) {
    std::vector<Transform> transforms;
    transforms.reserve(static_cast<std::size_t>(motion.frame_count()) * rest.size());
    for (int frame = 0; frame < motion.frame_count(); ++frame) {
      const Transform* pose = motion.transforms.data() + static_cast<std::ptrdiff_t>(frame) * old_count;
      transforms.insert(transforms.end(), pose, pose + old_count);
      append_twists(twists, rest, pose, transforms);
    }
    motion.transforms = std::move(transforms);
    motion.joint_count = static_cast<int>(rest.size());
  }
}

// Shares a limb's weight at a place along it between its joint and its twist joints: hat functions between them.
WeightRow spread(const Twist& twist, double along, double weight) {
  struct Node {
    double place;
    int joint;
  };
  std::vector<Node> nodes;
  if (twist.limb.follows_end) nodes.push_back({0.0, twist.limb.joint});
  for (std::size_t i = 0; i < twist.joints.size(); ++i) nodes.push_back({twist.place[i], twist.joints[i]});
  if (!twist.limb.follows_end) nodes.push_back({1.0, twist.limb.joint});
  WeightRow row;
  std::size_t next = 0;
  while (next < nodes.size() && nodes[next].place < along) ++next;
  const auto add = [&](const Node& node, double share) {
    if (share > 0) add_row(row, {{static_cast<std::uint16_t>(node.joint), share * weight}}, 1.0);
  };
  if (next == 0) {
    add(nodes.front(), 1.0);
  } else if (next == nodes.size()) {
    add(nodes.back(), 1.0);
  } else {
    const double t = (along - nodes[next - 1].place) / (nodes[next].place - nodes[next - 1].place);
    add(nodes[next - 1], 1.0 - t);
    add(nodes[next], t);
  }
  return row;
}

std::size_t spread_weights(Character& character, const std::vector<Twist>& twists, int max_influences) {
  const WeldedSkin skin = weld_skin(character, {});
  const int limit = max_influences > 0 ? max_influences : std::max(4, character.weights.influences);
  std::vector<const Twist*> twist_of(character.skeleton.names.size(), nullptr);
  std::vector<Affine3d> to_joint(character.skeleton.names.size());
  for (const Twist& twist : twists) {
    twist_of[twist.limb.joint] = &twist;
    to_joint[twist.limb.joint] = character.skeleton.rest[twist.limb.joint].inverse();
  }
  std::vector<WeightRow> rows = skin.rows;
  parallel_for(rows.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      WeightRow row;
      bool touched = false;
      for (const Influence& influence : skin.rows[v]) {
        const Twist* twist = twist_of[influence.joint];
        if (!twist) {
          add_row(row, {influence}, 1.0);
          continue;
        }
        touched = true;
        const Vec3d local = to_joint[influence.joint] * skin.mesh.positions[v].cast<double>();
        add_row(row, spread(*twist, local.dot(twist->limb.axis) / twist->limb.length, influence.weight), 1.0);
      }
      if (!touched) continue;
      limit_row(row, limit, skin.locked);
      rows[v] = std::move(row);
    }
  });
  return store_rows(character, skin, rows, std::max(limit, character.weights.influences)).changed;
}

// Limbs of the skeleton that are asked for; empty where it has none.
std::vector<Limb> find_limbs(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                             const TwistOptions& options) {
  std::vector<Limb> limbs;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (!wanted(joints[joint].role, options) || joints[joint].index != 1) continue;
    Limb limb;
    limb.joint = joint;
    limb.end = find_end(skeleton, joints, joint);
    if (limb.end < 0) continue;
    for (int up = limb.end; up != joint; up = skeleton.parents[up]) limb.chain.insert(limb.chain.begin(), up);
    const Vec3d along = skeleton.rest[joint].inverse() * skeleton.position(limb.end);
    limb.length = along.norm();
    if (!(limb.length > 0)) continue;
    limb.axis = along / limb.length;
    limb.follows_end = joints[joint].role == JointRole::forearm || joints[joint].role == JointRole::shin;
    limbs.push_back(limb);
  }
  return limbs;
}

}  // namespace

double twist_angle(const Quatd& rotation, const Vec3d& axis) {
  const double angle = 2 * std::atan2(rotation.vec().dot(axis), rotation.w());
  return std::remainder(angle, 2 * M_PI);
}

TwistReport add_twist_joints(Character& character, const TwistOptions& options) {
  require_range(options.per_limb, 1, 3, "per_limb");
  require_range(options.max_influences, 0, 16, "max_influences");
  check_character(character);
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "'" + character.name + "' has no skeleton to add twist joints to");
  }
  const std::vector<JointIdentity> joints = identify_joints_anyhow(character.skeleton);
  const std::vector<Limb> limbs = find_limbs(character.skeleton, joints, options);
  if (limbs.empty()) {
    throw Error(ErrorCode::skeleton_not_understood, "no arms or legs were recognised in the skeleton",
                "name its joints as usual, for example LeftForeArm and LeftHand");
  }
  Character result = character;
  const int old_count = result.skeleton.joint_count();
  TwistReport report;
  std::vector<Twist> twists;
  for (const Limb& limb : limbs) {
    const std::string& name = character.skeleton.names[limb.joint];
    const std::vector<std::string> existing = existing_twists(character.skeleton, joints, limb);
    if (!existing.empty()) {
      report.kept.push_back({name, existing});
      continue;
    }
    twists.push_back(make_twist(result.skeleton, limb, options.per_limb));
    TwistLimb& added = report.added.emplace_back(TwistLimb{name, {}});
    for (const int joint : twists.back().joints) added.twists.push_back(result.skeleton.names[joint]);
  }
  if (twists.empty()) return report;
  if (result.skeleton.joint_count() > 65535) {
    throw Error(ErrorCode::too_large, "a skeleton has at most 65535 joints");
  }
  extend_motions(result, twists, rest_pose(result.skeleton), old_count);
  if (result.has_skin()) report.changed = spread_weights(result, twists, options.max_influences);
  character = std::move(result);
  return report;
}

}  // namespace sinew
