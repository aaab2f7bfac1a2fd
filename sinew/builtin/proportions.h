// What makes one built-in character differ from another.
//
// Numbers without a unit are relative to an average adult: 1 means average. `random_proportions` draws a plausible set
// for a kind; change what you like before building.
#pragma once

#include <cstdint>

namespace sinew {

enum class BuiltinKind : std::uint8_t { adult, child, toon, bulky, quadruped };

}  // namespace sinew

namespace sinew::builtin {

struct Proportions {
  double height = 1.75;       // metres, crown to sole
  double head = 0.133;        // chin to crown, fraction of the height
  double neck = 0.050;        // shoulder line to chin, fraction of the height
  double legs = 0.530;        // hip joint above the floor, fraction of the height
  double upper_arm = 0.180;   // fraction of the height
  double forearm = 0.148;     // fraction of the height
  double shoulder_width = 1;  // 0.7 … 1.5
  double hip_width = 1;
  double waist = 1;
  double chest_depth = 1;
  double belly = 0;     // 0 flat … 1 round
  double muscle = 0.5;  // 0 soft … 1 athletic
  double feminine = 0;  // 0 … 1
  double arm_girth = 1;
  double leg_girth = 1;
  double neck_girth = 1;
  double hand_size = 1;
  double foot_size = 1;
  double head_width = 1;
  double head_depth = 1;
  double jaw = 1;  // width of the jaw
  double chin = 1;
  double nose = 1;
  double ears = 1;
  double eyes = 1;
  double cheeks = 0;          // 0 lean … 1 chubby
  double arm_angle_deg = 0;   // below the horizontal: 0 is a T pose, 45 an A pose
  double leg_spread_deg = 3;  // of each leg from the vertical
};

// The same for a four-legged animal; relative to a medium-sized dog.
struct QuadrupedProportions {
  double shoulder_height = 0.60;  // metres
  double length = 1;              // of the trunk
  double legs = 1;
  double girth = 1;  // of the trunk
  double leg_girth = 1;
  double neck = 1;       // length
  double neck_rise = 1;  // 0 level … 1.5 upright
  double head = 1;
  double muzzle = 1;  // length
  double ears = 1;
  double ear_droop = 0;  // 0 upright … 1 hanging
  double tail = 1;
  double tail_rise = 0.3;  // -1 hanging … 1 upright
};

QuadrupedProportions random_quadruped_proportions(std::uint64_t seed);

Proportions average_proportions(BuiltinKind kind);
Proportions random_proportions(BuiltinKind kind, std::uint64_t seed);

}  // namespace sinew::builtin
