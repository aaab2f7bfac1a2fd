// How thick a body is around its bones: what hands touch when they touch their own body. From the skin where there is
// one, otherwise as people are.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/anatomy/legs.h"
#include "sinew/character.h"

namespace sinew {

// Half widths in the character's unit; 0: not known. They do not depend on the pose.
struct BodyGirths {
  double trunk_width = 0, trunk_depth = 0;  // across and along the way the body faces
  double head = 0, head_height = 0;         // radius, and how far its middle is above its joint
  double upper_arm = 0, thigh = 0, shin = 0;
};

// Of the skin, by the strongest joint of each vertex; all zero without a skin or a body that is understood.
BodyGirths measure_girths(const Character& character);

// A part of a body as a segment between two places that move with joints, and the half widths around it.
struct BodyPart {
  enum class Kind : std::uint8_t { trunk, head, upper_arm, thigh, shin };
  Kind kind = Kind::trunk;
  BodySide side = BodySide::centre;
  int from = -1, to = -1;  // joints that the ends move with
  Vec3d begin, end;        // at rest, in character space
  double width = 0, depth = 0;
};

struct BodyVolume {
  std::vector<BodyPart> parts;  // empty: not a body with arms, legs and a head that stands on two legs
  std::vector<Leg> arms;        // left and right, or empty
  double height = 0;            // of a person with such legs and such a trunk
};

// Half widths that `girths` does not know are those of a person of this height.
BodyVolume body_volume(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const BodyGirths& girths);

// Where a part is in one pose: its ends and its axes (across, along, forward).
struct PlacedPart {
  Vec3d begin, end;
  Mat3d axes;
};
PlacedPart place_part(const BodyPart& part, const std::vector<Affine3d>& skinning, const BodyFrame& frame);

// A point seen from a part: which place of its segment is nearest, and how far away in its own half widths, along its
// axes. `distance` below 1 is inside.
struct PartCoordinates {
  double along = 0;  // 0 … 1
  Vec3d offset;
  double distance() const { return offset.norm(); }
};
PartCoordinates coordinates_of(const Vec3d& point, const BodyPart& part, const PlacedPart& placed);
Vec3d point_at(const PartCoordinates& coordinates, const BodyPart& part, const PlacedPart& placed);

// The middle of a hand in a pose: among its knuckles, or as far beyond the wrist as hands are.
Vec3d palm_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const Leg& arm,
              const std::vector<Affine3d>& global);

}  // namespace sinew
