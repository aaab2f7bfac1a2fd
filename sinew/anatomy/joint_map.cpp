#include "sinew/anatomy/joint_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/plain_text.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// Joints of one body part in order along it. Spine and chest are one part.
using PartKey = std::pair<JointRole, BodySide>;

JointRole part_of(JointRole role) { return role == JointRole::chest ? JointRole::spine : role; }

bool follows_by_role(JointRole role) {
  switch (role) {
    case JointRole::unknown:
    case JointRole::root:
    case JointRole::face:
    case JointRole::twist:
    case JointRole::control:
    case JointRole::prop:
    case JointRole::hip_joint:
      return false;
    default:
      return true;
  }
}

// A part whose bend is shared among its joints, so that more joints mean less for each.
bool is_bent_evenly(JointRole role) { return role == JointRole::spine || role == JointRole::neck; }

struct Part {
  std::vector<int> line;    // one below the other
  std::vector<int> others;  // joints of the same part beside that line
};

std::map<PartKey, Part> parts_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::map<PartKey, Part> parts;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint || !follows_by_role(joints[joint].role)) continue;
    // Only one line of joints per part: toes and ears fan out, and the first line stands for the others.
    Part& part = parts[{part_of(joints[joint].role), joints[joint].side}];
    bool below = part.line.empty();
    for (int up = skeleton.parents[joint]; up >= 0 && !below; up = skeleton.parents[up]) below = up == part.line.back();
    (below ? part.line : part.others).push_back(joint);
  }
  return parts;
}

// Parts of which a rig may have several copies at one place, as Rigify has for deforming, for animating and between.
bool has_copies(JointRole part) {
  switch (part) {
    case JointRole::hips:
    case JointRole::spine:
    case JointRole::neck:
    case JointRole::head:
    case JointRole::clavicle:
    case JointRole::upper_arm:
    case JointRole::forearm:
    case JointRole::hand:
    case JointRole::thigh:
    case JointRole::shin:
    case JointRole::foot:
      return true;
    default:
      return false;
  }
}

// Copies follow what the nearest joint of the line follows.
void link_copies(const Skeleton& target, const Part& part, std::vector<JointLink>& links) {
  for (const int joint : part.others) {
    if (links[joint].source >= 0) continue;
    const auto distance = [&](int other) { return (target.position(other) - target.position(joint)).norm(); };
    const int nearest =
        *std::min_element(part.line.begin(), part.line.end(), [&](int a, int b) { return distance(a) < distance(b); });
    links[joint] = links[nearest];
  }
}

// Nearest joint above that is not of the same part: what a spine's first joint bends away from.
int base_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, int joint) {
  const JointRole part = part_of(joints[joint].role);
  int up = skeleton.parents[joint];
  while (up >= 0 && part_of(joints[up].role) == part) up = skeleton.parents[up];
  return up;
}

JointLink along_part(const std::vector<int>& sources, std::size_t index, std::size_t count, int base, bool evenly) {
  const double position = static_cast<double>(index + 1) * static_cast<double>(sources.size()) /
                          static_cast<double>(count);  // in (0, number of sources]
  const std::size_t above = std::min<std::size_t>(static_cast<std::size_t>(std::ceil(position - 1e-9)), sources.size());
  JointLink link;
  link.source = sources[above - 1];
  if (!evenly) return link;
  const double share = position - static_cast<double>(above - 1);
  const int before = above >= 2 ? sources[above - 2] : base;
  if (share < 1 - 1e-9 && before >= 0) {
    link.before = before;
    link.share = share;
  }
  return link;
}

}  // namespace

std::string normalised_joint_name(std::string_view name) {
  const std::size_t space = name.find_last_of(":|");
  if (space != std::string_view::npos && space + 1 < name.size()) name.remove_prefix(space + 1);
  std::string result;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80) result += to_lower(c);
  }
  // Some exporters turn the colon of "mixamorig:" into an underscore or drop it.
  constexpr std::string_view prefix = "mixamorig";
  if (result.size() > prefix.size() && result.starts_with(prefix)) result.erase(0, prefix.size());
  return result;
}

JointMatch match_joints(const Skeleton& candidate, const Skeleton& truth) {
  JointMatch match;
  match.truth_of.assign(candidate.names.size(), -1);
  std::vector<char> taken(truth.names.size(), 0);
  const auto match_by = [&](auto&& key, int& count) {
    std::unordered_map<std::string, std::vector<int>> free;  // names need not be unique; last first, for pop_back
    for (int joint = truth.joint_count() - 1; joint >= 0; --joint) {
      if (!taken[joint]) free[key(truth.names[joint])].push_back(joint);
    }
    for (int joint = 0; joint < candidate.joint_count(); ++joint) {
      if (match.truth_of[joint] >= 0) continue;
      const auto found = free.find(key(candidate.names[joint]));
      if (found == free.end() || found->second.empty()) continue;
      match.truth_of[joint] = found->second.back();
      taken[found->second.back()] = 1;
      found->second.pop_back();
      ++count;
    }
  };
  match_by([](const std::string& name) { return name; }, match.exact);
  match_by([](const std::string& name) { return normalised_joint_name(name); }, match.normalised);
  return match;
}

const char* reason_name(MapReason reason) {
  switch (reason) {
    case MapReason::name:
      return "name";
    case MapReason::role:
      return "role";
    case MapReason::structure:
      return "structure";
    case MapReason::given:
      return "given";
    default:
      return "none";
  }
}

int JointMap::linked() const {
  return static_cast<int>(
      std::count_if(links.begin(), links.end(), [](const JointLink& link) { return link.source >= 0; }));
}

JointMap map_joints(const Skeleton& source, const Skeleton& target) {
  bool source_shaped = false, target_shaped = false;
  const std::vector<JointIdentity> source_joints = identify_joints_anyhow(source, &source_shaped);
  const std::vector<JointIdentity> target_joints = identify_joints_anyhow(target, &target_shaped);
  JointMap map;
  map.links.resize(target.names.size());

  // Names first, but only where both names mean the same part: "LeftLeg" is a thigh in one rig and a shin in another.
  const JointMatch names = match_joints(target, source);
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    const int other = names.truth_of[joint];
    if (other < 0 || (target.kinds[joint] == JointKind::joint) != (source.kinds[other] == JointKind::joint)) continue;
    const JointRole a = part_of(target_joints[joint].role), b = part_of(source_joints[other].role);
    const bool agree = a == b || a == JointRole::unknown || b == JointRole::unknown;
    if (agree || (source_shaped != target_shaped)) map.links[joint] = {other, -1, 1.0, MapReason::name};
  }

  const MapReason reason = source_shaped || target_shaped ? MapReason::structure : MapReason::role;
  const auto source_parts = parts_of(source, source_joints), target_parts = parts_of(target, target_joints);
  for (const auto& [key, part] : target_parts) {
    const auto found = source_parts.find(key);
    if (found == source_parts.end()) continue;
    const std::vector<int>&joints = part.line, &sources = found->second.line;
    // A part that the names match from end to end is the same part; otherwise it is shared out anew as a whole.
    const bool named = joints.size() == sources.size() && std::all_of(joints.begin(), joints.end(), [&](int j) {
                         return map.links[j].reason == MapReason::name;
                       });
    if (!named) {
      const int base = base_of(source, source_joints, sources.front());
      for (std::size_t i = 0; i < joints.size(); ++i) {
        map.links[joints[i]] = along_part(sources, i, joints.size(), base, is_bent_evenly(key.first));
        map.links[joints[i]].reason = reason;
      }
    }
    if (has_copies(key.first)) link_copies(target, part, map.links);
  }
  return map;
}

void check_joint_map(const JointMap& map, const Skeleton& source, const Skeleton& target) {
  if (map.links.size() != target.names.size()) {
    throw Error(ErrorCode::settings_invalid, "the joint map does not fit the target skeleton");
  }
  for (const JointLink& link : map.links) {
    if (link.source >= source.joint_count() || link.before >= source.joint_count() || link.source < -1 ||
        link.before < -1 || !(link.share >= 0 && link.share <= 1)) {
      throw Error(ErrorCode::settings_invalid, "the joint map names a joint or a share that does not exist");
    }
  }
  if (map.linked() == 0) {
    throw Error(ErrorCode::skeletons_differ,
                "no joint of the motion's skeleton could be matched to a joint of the character",
                "name the pairs of joints in a joint map")
        .about("joint_map");
  }
}

}  // namespace sinew
