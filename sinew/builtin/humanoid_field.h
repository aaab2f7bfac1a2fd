// The flesh of a built-in human around its plan (humanoid_plan.h): left half and middle; the right half is mirrored.
#pragma once

#include "sinew/builtin/body_field.h"
#include "sinew/builtin/humanoid_plan.h"

namespace sinew::builtin {

// Groups of the field, for whoever must know how far a point is from an arm or from the third finger.
struct HumanoidGroups {
  int torso = 0, leg = 0, foot = 0, arm = 0, head = 0;
  int first_finger = 0;  // one group per finger, in the plan's order
};

struct HumanoidField {
  BodyField field;
  HumanoidGroups groups;
};

HumanoidField humanoid_field(const HumanoidPlan& plan);

// Head, face and neck: part of humanoid_field, in a file of its own.
void add_head(BodyField& field, const HumanoidPlan& plan);

}  // namespace sinew::builtin
