// Hands on the own body: a hand on the hip stays on the hip of another body, hands that clap meet, and hands that pass
// a wider body do not pass through it. Internal to retarget_motion.cpp.
//
// After "Egocentric normalisation" (Molla, Debarba, Boulic 2018): where a palm is close to a part of the body, its place
// is told in half widths of that part, and it comes to the same place of the target's part by inverse kinematics.
#pragma once

#include "sinew/retarget/body_volume.h"
#include "sinew/retarget/foot_contacts.h"

namespace sinew {

// One body and how it moves.
struct MovingBody {
  const Skeleton& skeleton;
  const std::vector<JointIdentity>& joints;
  const BodyVolume& shape;
  BodyFrame frame;
};

struct BodyContactInput {
  MovingBody source, target;
  const Motion& motion;                      // of the source
  Mat3d alignment;                           // source space → target space
  int hips = 0;                              // of the target
  const std::vector<Leg>& legs;              // of the target, which the contacts are about
  const std::vector<FootContact>& contacts;  // hands that stand on the ground stay there
};

// Changes the arms of the poses. Nothing happens where one of the bodies is not understood.
void keep_body_contacts(const BodyContactInput& input, std::vector<Pose>& poses);

// How deep palms and forearms are inside trunk, head and legs in one pose, of the height; 0: outside.
double self_penetration(const MovingBody& body, const Pose& pose);

}  // namespace sinew
