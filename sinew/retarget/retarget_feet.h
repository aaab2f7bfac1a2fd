// Feet that stand: places on the ground for every contact, and the poses that reach them. Internal to retarget.cpp.
#pragma once

#include "sinew/retarget.h"
#include "sinew/retarget/foot_contacts.h"

namespace sinew {

struct FeetInput {
  const Skeleton& skeleton;           // of the target
  const std::vector<Leg>& legs;       // of the target
  std::vector<FootContact> contacts;  // of `legs`
  BodyFrame frame;                    // of the target
  int carrier = 0;                    // joint that is lowered when a leg is too short
  int hips = 0;                       // joint that tells which way the body faces
  double frames_per_second = 30;
};

// Changes the poses so that every contact stands on one place at the height it has at rest. The body is raised or lowered
// so that the legs on the ground keep their bend; toes and hands do not go through the floor.
void plant_feet(const FeetInput& input, std::vector<Pose>& poses);

// Moves a pose's carrier by `offset` in character space.
void move_carrier(const Skeleton& skeleton, int carrier, const Vec3d& offset, Pose& pose);

}  // namespace sinew
