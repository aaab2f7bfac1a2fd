// What a retargeted motion is like, measured on the result. Internal to retarget_motion.cpp.
#pragma once

#include <utility>
#include <vector>

#include "sinew/anatomy/joint_map.h"
#include "sinew/anatomy/joint_roles.h"
#include "sinew/retarget.h"
#include "sinew/retarget/body_contacts.h"
#include "sinew/retarget/foot_contacts.h"

namespace sinew {

struct ReportInput {
  const Skeleton& source;
  const std::vector<std::vector<Vec3d>>& source_positions;
  const Skeleton& target;
  const std::vector<Pose>& poses;  // the result
  const JointMap& map;
  const std::vector<JointIdentity>& source_joints;
  const std::vector<JointIdentity>& target_joints;
  const std::vector<Leg>& legs;  // of the target
  const std::vector<FootContact>& contacts;
  Mat3d alignment;  // source space → target space
  Vec3d up;         // of the target
  MovingBody source_body, target_body;
  const Motion& source_motion;
};

// Contacts, slide, floor, direction of the limbs, limits of the joints, hands inside the body and twist.
void measure_motion(const ReportInput& input, RetargetReport& report);

// Largest and mean slide over the contacts, divided by the height.
std::pair<double, double> measure_slide(const ReportInput& input);

}  // namespace sinew
