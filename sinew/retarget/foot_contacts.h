// Feet on the ground: when a foot stands still in a motion, and how far it slides.
#pragma once

#include <vector>

#include "sinew/anatomy/legs.h"
#include "sinew/motion.h"
#include "sinew/retarget.h"

namespace sinew {

// Frames [begin, end) in which a point of a foot rests on the ground.
struct FootContact {
  int leg = 0;  // index into the legs
  bool toe = false;
  int begin = 0, end = 0;
  double height = -1;  // of hands: where the point stands above the floor; negative: as high as at rest
};

// Height of the floor in character space at rest: of the lowest joint of the feet.
double floor_at_rest(const Skeleton& skeleton, const std::vector<Leg>& legs, const Vec3d& up);

// Contacts of feet and toes, in order of leg, toe and time; of hands, where they are as low as the feet.
// `positions`: [frame][joint] in character space.
std::vector<FootContact> find_contacts(const Skeleton& skeleton, const std::vector<std::vector<Vec3d>>& positions,
                                       double frames_per_second, const std::vector<Leg>& legs, const Vec3d& up,
                                       const ContactOptions& options = {});

// Joint positions of every frame, in character space.
std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const Motion& motion);
std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const std::vector<Pose>& poses);

// How far the point of one contact moves over the ground while it should stand: the largest distance from its mean
// place, measured horizontally, in the character's unit.
double contact_slide(const std::vector<std::vector<Vec3d>>& positions, const FootContact& contact,
                     const std::vector<Leg>& legs, const Vec3d& up);

}  // namespace sinew
