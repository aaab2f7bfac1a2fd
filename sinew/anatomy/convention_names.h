// Which joint of a skeleton a naming convention has a name for, and which: joint_vocabulary.h the other way round.
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/name_convention.h"

namespace sinew {

// A joint's place in the human body as conventions see it: the spine is numbered from the hips to the chest, and of
// several joints that are the same part only one has it.
struct BodyPlace {
  JointRole role = JointRole::unknown;  // unknown: no convention has a name for it; chest counts as spine
  BodySide side = BodySide::centre;
  int index = 0;            // from 0, along spine, neck and fingers
  int count = 1;            // joints of that line
  bool metacarpal = false;  // of a finger: in the palm, before the first knuckle
};

// One entry per joint. End markers and helpers have no place, except a root above the hips.
std::vector<BodyPlace> body_places(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

// "" when the convention has no name for it.
std::string convention_name(NameConvention convention, const BodyPlace& place);

}  // namespace sinew
