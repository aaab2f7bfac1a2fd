// Joint names and joint axes as other programs expect them, so that clips of their world play by name.
//
//   use_names(character.skeleton, character.motions, NameConvention::unreal);
//
// Which joint gets which name follows from the part of the body that it is (docs/names.md). The skin and every motion stay
// what they are in space: only names, and the axes that rotations count from, change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/error.h"
#include "sinew/export.h"
#include "sinew/motion.h"
#include "sinew/skeleton.h"

namespace sinew {

enum class NameConvention : std::uint8_t {
  keep,    // as they are
  mixamo,  // "mixamorig:LeftForeArm"; bones along Y
  unreal,  // "lowerarm_l"; bones along X on the left, against it on the right, as the mannequin has them
  unity,   // "LeftLowerArm": the names of Unity's humanoid; axes stay
  vrm,     // "leftLowerArm": the names of VRM 1.0; axes stay
  rigify,  // "forearm.L": those of Rigify's human meta-rig; axes stay
};

// "mixamo" → NameConvention::mixamo; nothing for other words.
SINEW_API std::optional<NameConvention> name_convention(std::string_view word);
// "keep", "mixamo", …, in the order of the enumeration.
SINEW_API std::vector<std::string> name_convention_words();

// What every joint would be called. Joints that the convention has no name for keep theirs, without the prefix of another
// convention; all names are unique.
SINEW_API std::vector<std::string> names_in_convention(const Skeleton& skeleton, NameConvention convention);

// Gives the skeleton names and, for Mixamo and Unreal, axes of the convention; the motions move every point of a skin as
// before. A joint that is scaled unevenly at rest or in a motion keeps its axes (warning "axes-kept"). Warns "no-body" and
// keeps the names when no joint is part of a body that it knows. Throws Error(bad_input) for motions of another skeleton.
SINEW_API Warnings use_names(Skeleton& skeleton, std::vector<Motion>& motions, NameConvention convention);

}  // namespace sinew
