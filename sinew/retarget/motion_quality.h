// What a motion is like, measured on itself: for the report of a retargeted motion and for any file with motions.
#pragma once

#include <utility>
#include <vector>

#include "sinew/retarget.h"
#include "sinew/retarget/body_volume.h"
#include "sinew/retarget/foot_contacts.h"

namespace sinew {

// Joint positions of every frame.
using FramePositions = std::vector<std::vector<Vec3d>>;

// From the lowest joint to the highest; above zero.
double height_along(const Skeleton& skeleton, const Vec3d& up);

// Largest and mean slide over the contacts, divided by the height.
std::pair<double, double> slide_of(const FramePositions& positions, const std::vector<FootContact>& contacts,
                                   const std::vector<Leg>& legs, const Vec3d& up, double height);

struct FloorContact {
  double deepest = 0, median = 0;  // divided by the height
};

// Lowest point of feet and toes above `floor` as far as it is at rest above `rest_floor`: the deepest, and the middle of
// those frames in which something stands.
struct FloorInput {
  const Skeleton& skeleton;
  const FramePositions& positions;
  const std::vector<FootContact>& contacts;
  const std::vector<Leg>& legs;
  Vec3d up;
  double height;
  double raised = 0;  // of the floor over that of the rest pose
};
FloorContact floor_contact(const FloorInput& input);

// Share of the turns of arms, legs and spine that no body can make. `counts`: per joint whether it does; empty: all do.
double limits_broken(const Skeleton& skeleton, const std::vector<Pose>& poses, const std::vector<char>& counts = {});

// Degrees that joints of arms and legs turn about their bones, away from the rest pose, in the worst hundredth.
double largest_twist(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                     const std::vector<Pose>& poses);

// Of one motion of a skeleton.
MotionQuality motion_quality(const Skeleton& skeleton, const Motion& motion, const BodyGirths& girths);

}  // namespace sinew
