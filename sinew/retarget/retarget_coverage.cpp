#include "sinew/retarget/retarget_coverage.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"

namespace sinew {
namespace {

constexpr double least_share = 0.5;
constexpr int whole_body = 8;  // parts: fewer say little about a skeleton, so that its joints are counted as well

bool counts_as_part(JointRole role) {
  switch (role) {
    case JointRole::hips:
    case JointRole::spine:
    case JointRole::neck:
    case JointRole::head:
    case JointRole::upper_arm:
    case JointRole::forearm:
    case JointRole::hand:
    case JointRole::thigh:
    case JointRole::shin:
    case JointRole::foot:
    case JointRole::wing:
    case JointRole::tail:
      return true;
    default:
      return false;
  }
}

std::string part_name(JointRole role, BodySide side) {
  std::string name = role_name(role);
  std::replace(name.begin(), name.end(), '_', ' ');
  return side == BodySide::centre ? name : (side == BodySide::left ? "left " : "right ") + name;
}

// Share of the joints that may deform the skin.
double joint_share(const JointMap& map, const Skeleton& target, const std::vector<JointIdentity>& joints) {
  int count = 0, linked = 0;
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    const JointRole role = joints[joint].role;
    if (target.kinds[joint] != JointKind::joint || role == JointRole::control || role == JointRole::prop) continue;
    ++count;
    linked += map.links[joint].source >= 0;
  }
  return count > 0 ? static_cast<double>(linked) / count : 0.0;
}

double part_share(const std::vector<RetargetPart>& parts) {
  const auto linked = std::count_if(parts.begin(), parts.end(), [](const RetargetPart& p) { return p.source >= 0; });
  return parts.empty() ? 0.0 : static_cast<double>(linked) / static_cast<double>(parts.size());
}

std::string list(const std::vector<RetargetPart>& parts, bool linked) {
  std::string text;
  for (const RetargetPart& part : parts) {
    if ((part.source >= 0) == linked) text += (text.empty() ? "" : ", ") + part.name;
  }
  return text.empty() ? "nothing" : text;
}

// Joints of the same names are the same rig, however it stands.
bool same_rig(const JointMap& map, const Skeleton& source) {
  const auto named = std::count_if(map.links.begin(), map.links.end(),
                                   [](const JointLink& link) { return link.reason == MapReason::name; });
  const auto most = static_cast<std::ptrdiff_t>(std::max(map.links.size(), source.names.size()));
  return 10 * named >= 8 * most;
}

bool has_limbs(const std::vector<JointIdentity>& joints) {
  const auto has = [&](JointRole role) {
    return std::any_of(joints.begin(), joints.end(), [&](const JointIdentity& joint) { return joint.role == role; });
  };
  return has(JointRole::thigh) && has(JointRole::upper_arm);
}

// A motion of arms and legs needs whole legs to stand on, and says nothing about wings.
void require_limbs(const std::vector<RetargetPart>& parts, const std::vector<JointIdentity>& joints) {
  const auto follows = [&](const char* limb) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const RetargetPart& part) { return part.source >= 0 && part.name.ends_with(limb); });
  };
  const auto has = [&](JointRole role) {
    return std::any_of(joints.begin(), joints.end(), [&](const JointIdentity& joint) { return joint.role == role; });
  };
  const bool flies = has(JointRole::wing) && !has(JointRole::upper_arm);
  if (follows("thigh") && follows("shin") && !flies) return;
  throw Error(ErrorCode::skeletons_differ,
              std::string("the motion is of a body with arms and legs and the character has ") +
                  (flies ? "wings" : "no whole legs") + "; these parts map: " + list(parts, true),
              "give a motion of its own kind, or say in a joint map what follows what")
      .about("joint_map");
}

}  // namespace

std::vector<RetargetPart> body_parts(const JointMap& map, const Skeleton& source, const Skeleton& target) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(target);
  std::map<std::pair<JointRole, BodySide>, RetargetPart> parts;
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    const JointRole role = joints[joint].role == JointRole::chest ? JointRole::spine : joints[joint].role;
    if (target.kinds[joint] != JointKind::joint || !counts_as_part(role)) continue;
    const JointLink& link = map.links[joint];
    RetargetPart& part = parts[{role, joints[joint].side}];
    if (!part.name.empty() && (part.source >= 0 || link.source < 0)) continue;
    part = {part_name(role, joints[joint].side), joint, link.source, reason_name(link.reason), {}};
    if (link.source >= 0) part.source_name = source.names[link.source];
  }
  std::vector<RetargetPart> result;
  for (auto& [key, part] : parts) result.push_back(std::move(part));
  return result;
}

double mapped_share(const JointMap& map, const Skeleton& source, const Skeleton& target) {
  const std::vector<RetargetPart> parts = body_parts(map, source, target);
  return static_cast<int>(parts.size()) >= whole_body ? part_share(parts)
                                                      : joint_share(map, target, identify_joints_anyhow(target));
}

void require_coverage(const JointMap& map, const Skeleton& source, const Skeleton& target) {
  if (same_rig(map, source)) return;
  const std::vector<JointIdentity> own = identify_joints_anyhow(target), other = identify_joints_anyhow(source);
  const bool own_fours = stands_on_all_fours(target, own), other_fours = stands_on_all_fours(source, other);
  if (own_fours != other_fours && has_limbs(own) && has_limbs(other)) {
    throw Error(ErrorCode::skeletons_differ,
                std::string("the motion is of a body on ") + (other_fours ? "four" : "two") +
                    " legs and the character goes on " + (own_fours ? "four" : "two"),
                "give a motion of its own kind, or say in a joint map what follows what")
        .about("joint_map");
  }
  const std::vector<RetargetPart> parts = body_parts(map, source, target);
  if (has_limbs(other)) require_limbs(parts, own);
  if (mapped_share(map, source, target) >= least_share) return;
  throw Error(ErrorCode::skeletons_differ,
              "too little of the character would move: " + std::to_string(map.linked()) + " of " +
                  std::to_string(target.joint_count()) + " joints follow the motion's skeleton (" + list(parts, true) +
                  ") and these parts do not: " + list(parts, false),
              "give a motion of its own kind, or say in a joint map what follows what")
      .about("joint_map");
}

}  // namespace sinew
