// Motions: poses of one skeleton at a uniform frame rate.
//
// Files with other key times are resampled when read; what a glTF file holds is kept untouched beside it and is what
// gets written back unless the motion was changed.
#pragma once

#include <string>
#include <vector>

#include "sinew/export.h"
#include "sinew/skeleton.h"

namespace sinew {

struct Motion {
  std::string name;
  double frames_per_second = 30.0;  // > 0
  int joint_count = 0;
  std::vector<Transform> transforms;  // frame-major: [frame * joint_count + joint], local like a Pose

  int frame_count() const { return joint_count > 0 ? static_cast<int>(transforms.size()) / joint_count : 0; }
  // Seconds from the first frame to the last.
  double duration() const { return frame_count() > 1 ? (frame_count() - 1) / frames_per_second : 0.0; }
};

SINEW_API Pose frame_pose(const Motion& motion, int frame);

// The pose at `seconds`, interpolated between frames; clamped to the motion's ends, or wrapped around when `loop`.
SINEW_API Pose sample_motion(const Motion& motion, double seconds, bool loop = false);

// The same motion at another frame rate: from the first frame to the last, interpolated. The last frame is kept when it
// falls between two new ones, so a resampled motion may be up to one new frame longer.
SINEW_API Motion resample_motion(const Motion& motion, double frames_per_second);

}  // namespace sinew
