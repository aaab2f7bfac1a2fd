// Joint maps as JSON, for people to read and edit.
//
//   {
//     "source": "walk.bvh",                       what the map was made from; not read back
//     "joints": {
//       "LeftUpLeg": "LHip",                      joint of the character: joint of the motion
//       "Spine1": {"from": "Hips", "to": "Chest", "share": 0.5},
//       "Tail": null                              follows nothing
//     }
//   }
//
// Joints that the file does not name keep what the automatic map says, so a file may hold corrections only.
#pragma once

#include <string>
#include <string_view>

#include "sinew/anatomy/joint_map.h"

namespace sinew {

std::string joint_map_to_json(const JointMap& map, const Skeleton& source, const Skeleton& target,
                              std::string_view source_name);

// Changes `map` as the text says. Throws Error(bad_input) for text that is not of this form or names a joint that one
// of the skeletons does not have.
void apply_joint_map_json(std::string_view text, const Skeleton& source, const Skeleton& target, JointMap& map);

}  // namespace sinew
