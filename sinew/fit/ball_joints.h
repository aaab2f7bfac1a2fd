// Joints that a modeller made visible: balls between the parts of a robot, a mannequin or a doll.
#pragma once

#include "sinew/fit/body_shape.h"
#include "sinew/mesh.h"

namespace sinew {

struct BallJoint {
  Vec3d centre = Vec3d::Zero();
  double radius = 0;
};

// Separate pieces of the mesh that are round: about as wide as deep as high, their surface everywhere about as far from
// their middle, and between 0.7 and 6 hundredths of `height` in radius.
std::vector<BallJoint> find_ball_joints(const TriangleMesh& mesh, double height);

// Moves shoulders, elbows, wrists, hips, knees and ankles of a two-legged body into balls that lie on their limb within
// 0.08 heights of them.
void settle_in_balls(const std::vector<BallJoint>& balls, BodyShape& shape);

}  // namespace sinew
