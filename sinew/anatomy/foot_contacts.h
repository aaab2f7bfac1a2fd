// Feet on the ground: which joints make a leg, when a foot stands still in a motion, and how far it slides.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_roles.h"
#include "sinew/motion.h"
#include "sinew/rig/ik.h"

namespace sinew {

struct Leg {
  Limb limb;     // thigh, shin and foot; of a front leg: upper arm, forearm and hand
  int toe = -1;  // where the foot touches the ground in front: a toe joint or an end marker; -1: unknown
  BodySide side = BodySide::centre;
  bool front = false;
  bool paw = false;  // of an animal that stands on its toes: wrist and hock are never on the ground

  double length(const Skeleton& skeleton) const;  // thigh to foot along the bones
};

// Whether the trunk lies rather than stands.
bool stands_on_all_fours(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

// Legs whose three joints are known. Arms count as front legs when the skeleton stands on all fours.
std::vector<Leg> legs_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

// Frames [begin, end) in which a point of a foot rests on the ground.
struct FootContact {
  int leg = 0;  // index into the legs
  bool toe = false;
  int begin = 0, end = 0;
};

struct ContactOptions {
  double speed = 0.3;          // leg lengths per second: slower is standing
  double height = 0.06;        // leg lengths above where this point usually is at its lowest
  double shortest = 0.06;      // seconds
  double ground_share = 0.05;  // of the frames: those that are taken to be on the ground
};

// Contacts of feet and toes, in order of leg, toe and time. `positions`: [frame][joint] in character space.
std::vector<FootContact> find_contacts(const Skeleton& skeleton, const std::vector<std::vector<Vec3d>>& positions,
                                       double frames_per_second, const std::vector<Leg>& legs, const Vec3d& up,
                                       const ContactOptions& options = {});

// Joint positions of every frame, in character space.
std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const Motion& motion);

// How far the point of one contact moves over the ground while it should stand: the largest distance from its mean
// place, measured horizontally, in the character's unit.
double contact_slide(const std::vector<std::vector<Vec3d>>& positions, const FootContact& contact,
                     const std::vector<Leg>& legs, const Vec3d& up);

}  // namespace sinew
