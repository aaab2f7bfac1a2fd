// What a joint's name says about its job. Names are only hints: geometry has the last word (bones.h).
#pragma once

#include <string_view>

namespace sinew {

// "HeadTop_End", "Bip01 HeadNub", "Index_Tip", "tail_leaf": the end of a bone rather than a bone.
bool is_end_marker_name(std::string_view name);

// "kneeIK.l", "PoleTarget.R", "control-toe-roll.l", "handslot.r", "weapon_attach": moved by animators or holding props.
bool is_control_name(std::string_view name);

// "LeftHandIndex4", "mixamorig:RightHandThumb4": the fourth joint of a finger marks its tip.
bool is_fingertip_name(std::string_view name);

}  // namespace sinew
