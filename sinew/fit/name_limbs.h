// What the paths of a taken-apart curve skeleton are, by where they are: names for the chains of a generated skeleton.
#pragma once

#include <string>
#include <vector>

#include "sinew/fit/creature_joints.h"

namespace sinew {

// Per path the name that its joints share, each one once: "leg_front_L", "wing_R", "ear_L", "fin_top", "leg_back_L_toe_2".
// Paths without joints have empty names. The spine has none: its joints are named one by one.
std::vector<std::string> name_limbs(const CurveSkeleton& curve, const CurvePaths& paths, const CreatureJoints& joints,
                                    const BodyFrame& frame);

// "root", "spine_1" …, "neck_1" …, "head" before the root; "hips_1" …, "tail_1" … behind it.
std::vector<std::string> name_spine(const CreatureJoints& joints);

}  // namespace sinew
