#include "retarget_clip.h"

namespace sinew::cli {

Skeleton usable_rest_pose(const Skeleton& clip, const Skeleton& target, Warnings& warnings) {
  constexpr double not_at_rest = 0.15;  // artists' bind poses stay below 0.06, frames of a walk begin at 0.2
  if (rest_asymmetry(clip) < not_at_rest) return clip;
  const JointMatch names = match_joints(clip, target);
  if (2 * names.matched() < clip.joint_count() && 2 * names.matched() < target.joint_count()) {
    warnings.push_back({"posed-rest-pose",
                        "the motion's skeleton is not at rest in its file, so the result may be twisted; --rest FILE "
                        "takes the rest pose from a character of the same rig"});
    return clip;
  }
  warnings.push_back({"posed-rest-pose",
                      "the motion's skeleton is not at rest in its file; the rest pose of the character, whose joints "
                      "have the same names, was used"});
  return with_rest_rotations_of(clip, target);
}

}  // namespace sinew::cli
