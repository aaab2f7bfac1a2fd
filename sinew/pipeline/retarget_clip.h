// The motions of a clip whose rest pose is settled already, played on a character.
#pragma once

#include "sinew/retarget.h"
#include "sinew/retarget/clip_rest_pose.h"

namespace sinew {

// Throws Error(usage) for numbers out of range.
void check_retarget_options(const RetargetOptions& options);

// `rest`: the clip's skeleton in a rest pose that serves. Otherwise as retarget_motions.
RetargetResult retarget_clip(const ClipRest& rest, const Character& clip, Character& character,
                             const RetargetOptions& options, const Progress& progress);

}  // namespace sinew
