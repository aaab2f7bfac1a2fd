// Which joint of one skeleton corresponds to which joint of another.
//
// match_joints compares names only: for two files of the same rig. map_joints answers the harder question that
// retargeting asks, for rigs of different makers: by name, then by body part (joint_roles.h), then, where names tell
// nothing, by position and branching (joint_structure.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/skeleton.h"

namespace sinew {

// Lower case, without namespaces ("rig|", "mixamorig:", "mixamorig1:") and separators:
// "mixamorig:Left_Arm" → "leftarm".
std::string normalised_joint_name(std::string_view name);

struct JointMatch {
  std::vector<int> truth_of;  // per candidate joint: the truth's joint, or -1
  int exact = 0;              // pairs with the same name
  int normalised = 0;         // pairs whose normalised names agree
  int matched() const { return exact + normalised; }
};

// By exact name first, then by normalised name; every joint is used at most once, first come first served.
JointMatch match_joints(const Skeleton& candidate, const Skeleton& truth);

enum class MapReason : std::uint8_t { none, name, role, structure, given };
const char* reason_name(MapReason reason);

// What one target joint follows. A joint of a spine with more joints than the source's lies between two of them: its
// rotation is `share` of the way from `before` to `source`.
struct JointLink {
  int source = -1;  // joint of the source skeleton; -1: follows nothing and stays as in the rest pose
  int before = -1;
  double share = 1.0;  // 0 … 1; 1 without `before`
  MapReason reason = MapReason::none;
};

struct JointMap {
  std::vector<JointLink> links;  // one per target joint

  int linked() const;
};

// End markers, helpers, controls, props and twists are linked only to joints of the same name.
JointMap map_joints(const Skeleton& source, const Skeleton& target);

// Throws Error(bad_input) unless the map fits both skeletons and links at least one joint.
void check_joint_map(const JointMap& map, const Skeleton& source, const Skeleton& target);

}  // namespace sinew
