#include "sinew/builtin/proportions.h"

#include <algorithm>

#include "sinew/base/random.h"

namespace sinew::builtin {
namespace {

// Draws around an average: two standard deviations are `spread`, and nothing lies beyond three.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double operator()(double average, double spread) {
    return average + 0.5 * spread * std::clamp(random_.normal(), -3.0, 3.0);
  }
  double between(double low, double high) { return random_.uniform(low, high); }

 private:
  Random random_;
};

void vary_head(Proportions& p, Draw& draw) {
  p.head_width = draw(p.head_width, 0.08);
  p.head_depth = draw(p.head_depth, 0.06);
  p.jaw = draw(p.jaw, 0.12);
  p.chin = draw(p.chin, 0.15);
  p.nose = draw(p.nose, 0.25);
  p.ears = draw(p.ears, 0.15);
  p.eyes = draw(p.eyes, 0.06);
  p.cheeks = std::clamp(draw(p.cheeks, 0.4), 0.0, 1.3);
}

void vary_body(Proportions& p, Draw& draw) {
  const double weight = draw(1.0, 0.16);  // thin and heavy people are so all over
  p.head *= draw(1.0, 0.05);
  p.neck *= draw(1.0, 0.16);
  p.legs *= draw(1.0, 0.035);
  p.upper_arm *= draw(1.0, 0.05);
  p.forearm *= draw(1.0, 0.05);
  p.shoulder_width *= draw(1.0, 0.09);
  p.hip_width *= draw(1.0, 0.07) * std::clamp(0.7 + 0.3 * weight, 0.92, 1.2);
  p.waist *= draw(1.0, 0.10) * weight;
  p.chest_depth *= draw(1.0, 0.08) * (0.5 + 0.5 * weight);
  p.arm_girth *= draw(1.0, 0.12) * weight;
  p.leg_girth *= std::min(draw(1.0, 0.10) * (0.4 + 0.6 * weight), 1.16);
  p.neck_girth *= draw(1.0, 0.08) * (0.6 + 0.4 * weight);
  p.hand_size *= draw(1.0, 0.07);
  p.foot_size *= draw(1.0, 0.07);
  p.belly = std::clamp(draw(p.belly, 0.2) + 1.2 * (weight - 1.0), 0.0, 1.0);
  p.muscle = std::clamp(draw(p.muscle, 0.5), 0.0, 1.2);
  p.leg_spread_deg = draw(p.leg_spread_deg, 1.0);
}

}  // namespace

Proportions average_proportions(BuiltinKind kind) {
  Proportions p;
  switch (kind) {
    case BuiltinKind::adult:
    case BuiltinKind::quadruped:
      break;
    case BuiltinKind::child:
      p.height = 1.20;
      p.head = 0.172;
      p.neck = 0.040;
      p.legs = 0.490;
      p.upper_arm = 0.170;
      p.forearm = 0.138;
      p.shoulder_width = 0.96;
      p.hip_width = 0.98;
      p.waist = 1.10;
      p.arm_girth = 0.98;
      p.leg_girth = 0.98;
      p.neck_girth = 0.95;
      p.belly = 0.25;
      p.muscle = 0.15;
      p.jaw = 0.92;
      p.nose = 0.75;
      p.eyes = 1.18;
      p.chin = 0.85;
      p.cheeks = 0.8;
      break;
    case BuiltinKind::toon:
      p.height = 1.10;
      p.head = 0.335;
      p.neck = 0.012;
      p.legs = 0.330;
      p.upper_arm = 0.150;
      p.forearm = 0.125;
      p.shoulder_width = 1.12;
      p.hip_width = 1.25;
      p.waist = 1.30;
      p.chest_depth = 1.18;
      p.arm_girth = 1.15;
      p.leg_girth = 1.22;
      p.neck_girth = 1.20;
      p.hand_size = 1.40;
      p.foot_size = 1.35;
      p.belly = 0.35;
      p.muscle = 0.1;
      p.head_width = 1.10;
      p.jaw = 1.05;
      p.nose = 0.80;
      p.ears = 1.05;
      p.eyes = 1.45;
      p.cheeks = 1.0;
      p.leg_spread_deg = 4;
      break;
    case BuiltinKind::bulky:
      p.height = 1.88;
      p.head = 0.122;
      p.neck = 0.040;
      p.shoulder_width = 1.28;
      p.hip_width = 1.10;
      p.waist = 1.22;
      p.chest_depth = 1.28;
      p.arm_girth = 1.42;
      p.leg_girth = 1.14;
      p.neck_girth = 1.35;
      p.hand_size = 1.12;
      p.foot_size = 1.06;
      p.muscle = 1.0;
      p.belly = 0.05;
      p.jaw = 1.14;
      p.leg_spread_deg = 5;
      break;
  }
  return p;
}

Proportions random_proportions(BuiltinKind kind, std::uint64_t seed) {
  Draw draw(seed ^ (0x5eedull * (static_cast<std::uint64_t>(kind) + 1)));
  Proportions p = average_proportions(kind);
  const bool feminine = draw.between(0, 1) < 0.5;
  switch (kind) {
    case BuiltinKind::adult:
      p.feminine = feminine ? draw.between(0.75, 1.0) : draw.between(0.0, 0.15);
      p.height = feminine ? draw(1.65, 0.12) : draw(1.77, 0.14);
      break;
    case BuiltinKind::child:
      p.height = draw(1.20, 0.25);
      // Younger children have larger heads and shorter legs.
      p.head += 0.06 * (1.20 - p.height);
      p.legs -= 0.05 * (1.20 - p.height);
      break;
    case BuiltinKind::toon:
      p.height = draw(1.10, 0.2);
      p.head = draw(p.head, 0.05);
      p.feminine = feminine ? 0.3 : 0.0;
      break;
    case BuiltinKind::bulky:
      p.height = draw(1.88, 0.14);
      p.feminine = feminine ? draw.between(0.0, 0.3) : 0.0;
      break;
    case BuiltinKind::quadruped:
      break;
  }
  vary_body(p, draw);
  vary_head(p, draw);
  return p;
}

QuadrupedProportions random_quadruped_proportions(std::uint64_t seed) {
  Draw draw(seed ^ 0x9ad09edull);
  QuadrupedProportions p;
  p.shoulder_height = std::clamp(draw(0.60, 0.30), 0.30, 1.0);
  p.length = draw(1.0, 0.14);
  p.legs = draw(1.0, 0.16);
  p.girth = draw(1.0, 0.16);
  p.leg_girth = draw(1.0, 0.16);
  p.neck = draw(1.0, 0.25);
  p.neck_rise = std::clamp(draw(0.85, 0.6), 0.2, 1.4);
  p.head = draw(1.0, 0.16);
  p.muzzle = std::clamp(draw(1.0, 0.5), 0.45, 1.6);
  p.ears = std::clamp(draw(1.0, 0.5), 0.5, 1.7);
  p.ear_droop = draw.between(0, 1) < 0.6 ? 0.0 : 1.0;
  p.tail = std::clamp(draw(1.0, 0.6), 0.35, 1.7);
  p.tail_rise = draw.between(-0.8, 0.9);
  return p;
}

}  // namespace sinew::builtin
