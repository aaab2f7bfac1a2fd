#include "sinew/motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/base/plain_text.h"
#include "sinew/error.h"

namespace sinew {

Pose frame_pose(const Motion& motion, int frame) {
  if (frame < 0 || frame >= motion.frame_count()) {
    throw Error(ErrorCode::frame_unknown, "motion '" + motion.name + "' has " + std::to_string(motion.frame_count()) +
                                              " frames; there is no frame " + std::to_string(frame));
  }
  const auto begin = motion.transforms.begin() + static_cast<std::ptrdiff_t>(frame) * motion.joint_count;
  return Pose(begin, begin + motion.joint_count);
}

Pose sample_motion(const Motion& motion, double seconds, bool loop) {
  const int last = motion.frame_count() - 1;
  if (last <= 0) return frame_pose(motion, 0);
  const double duration = motion.duration();
  if (loop) seconds -= std::floor(seconds / duration) * duration;
  const double position = std::clamp(seconds * motion.frames_per_second, 0.0, static_cast<double>(last));
  const int frame = std::min(static_cast<int>(position), last - 1);
  Pose pose = frame_pose(motion, frame);
  const Pose next = frame_pose(motion, frame + 1);
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    pose[joint] = interpolate(pose[joint], next[joint], position - frame);
  }
  return pose;
}

constexpr double most_transforms =
    5e7;  // of a resampled motion: 200 joints for nearly three hours at 24 frames per second

Motion resample_motion(const Motion& motion, double frames_per_second) {
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second)) {
    throw Error(ErrorCode::option_out_of_range,
                "frames_per_second must be above 0, got " + number_text(frames_per_second));
  }
  Motion result{motion.name, frames_per_second, motion.joint_count, {}};
  if (motion.frame_count() == 0) return result;
  const double frames = 1 + std::ceil(motion.duration() * frames_per_second - 1e-6);
  if (!(frames * motion.joint_count <= most_transforms)) {
    throw Error(ErrorCode::option_out_of_range,
                "'" + motion.name + "' would have " + number_text(frames) + " frames at " +
                    number_text(frames_per_second) + " frames per second",
                "take a lower rate, or a shorter piece")
        .about("frames_per_second");
  }
  const int count = static_cast<int>(frames);
  result.transforms.reserve(static_cast<std::size_t>(count) * motion.joint_count);
  for (int frame = 0; frame < count; ++frame) {
    stop_if_cancelled(static_cast<std::size_t>(frame));
    const Pose pose = sample_motion(motion, frame / frames_per_second);
    result.transforms.insert(result.transforms.end(), pose.begin(), pose.end());
  }
  return result;
}

}  // namespace sinew
