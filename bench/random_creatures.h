// Creatures of balls and sticks: kinds that the training pool has few or none of, in shapes that no artist made.
//
// Each faces +z and stands on y = 0, with proportions drawn at random within wide limits. They teach the recogniser
// what makes a kind (how many limbs, where, how long), not what artists make of it.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "bench/judge_examples.h"
#include "sinew/recognise.h"

namespace sinew::bench {

class CreatureMaker {
 public:
  explicit CreatureMaker(std::uint64_t seed) : random_(seed) {}

  JudgedBody make(CreatureKind kind) {
    switch (kind) {
      case CreatureKind::four_legs:
        walker(2, random_.uniform(0.0, 0.9), false);
        break;
      case CreatureKind::winged_four_legged:
        walker(2, random_.uniform(0.2, 1.2), true);
        break;
      case CreatureKind::many_legs:
        walker(3 + static_cast<int>(random_.below(4)), 0, random_.uniform() < 0.25);
        break;
      case CreatureKind::bird:
        bird();
        break;
      case CreatureKind::fish:
        fish();
        break;
      case CreatureKind::snake:
        snake();
        break;
      default:
        two_legs_and_tail();
        break;
    }
    return std::move(body_);
  }

 private:
  double draw(double low, double high) { return random_.uniform(low, high); }

  void ball(const Vec3d& centre, const Vec3d& radii) {
    constexpr int rings = 8, around = 12;
    const auto first = static_cast<std::uint32_t>(body_.mesh.positions.size());
    for (int r = 0; r <= rings; ++r) {
      const double polar = std::numbers::pi * r / rings;
      for (int a = 0; a < around; ++a) {
        const double turn = 2 * std::numbers::pi * a / around;
        const Vec3d unit(std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn));
        body_.mesh.positions.push_back((centre + radii.cwiseProduct(unit)).cast<float>());
      }
    }
    for (std::uint32_t r = 0; r < rings; ++r) {
      for (std::uint32_t a = 0; a < around; ++a) {
        const std::uint32_t next = (a + 1) % around, top = first + r * around, low = top + around;
        body_.mesh.triangles.push_back({top + a, top + next, low + a});
        body_.mesh.triangles.push_back({top + next, low + next, low + a});
      }
    }
  }

  // A limb that becomes thinner: sticks from place to place, balls at the joints.
  void limb(const std::vector<Vec3d>& places, double radius, double end) {
    for (std::size_t i = 1; i < places.size(); ++i) {
      const double share = (static_cast<double>(i) - 0.5) / static_cast<double>(places.size() - 1);
      const double here = radius + share * (end - radius);
      append_stick(body_.mesh, places[i - 1], places[i], 0.85 * here);
      ball(places[i], Vec3d::Constant(here));
    }
  }
  void both(const std::vector<Vec3d>& places, double radius, double end) {
    std::vector<Vec3d> other = places;
    for (Vec3d& p : other) p.x() = -p.x();
    limb(places, radius, end);
    limb(other, radius, end);
  }

  void tail(const Vec3d& from, double length, double radius) {
    if (length < 0.05) return;
    const double rise = draw(-0.5, 0.7);
    limb({from, from + 0.5 * length * Vec3d(0, rise, -1).normalized(),
          from + length * Vec3d(0, rise * 0.6, -1).normalized()},
         radius, 0.3 * radius);
  }
  void head(const Vec3d& from, double size, bool long_snout) {
    ball(from, size * Vec3d(draw(0.7, 1), draw(0.8, 1.1), draw(0.8, 1.3)));
    if (long_snout) limb({from, from + size * Vec3d(0, draw(-0.5, 0), draw(1.2, 2.4))}, 0.55 * size, 0.35 * size);
    const double ears = draw(-0.5, 1.2);
    if (ears > 0.1) both({from, from + size * Vec3d(0.7, 0.9 + ears, draw(-0.6, 0.3))}, 0.25 * size, 0.12 * size);
  }
  void wings(const Vec3d& root, double span, bool spread) {
    const double thin = draw(0.012, 0.03), chord = span * draw(0.2, 0.5);
    const Vec3d tip = spread ? Vec3d(span, draw(-0.1, 0.5) * span, draw(-0.4, 0.1) * span)
                             : Vec3d(0.1, draw(-0.2, 0.1) * span, -0.7 * span);
    for (const double side : {1.0, -1.0}) {
      const Vec3d along(side * tip.x(), tip.y(), tip.z()), from(side * root.x(), root.y(), root.z());
      const Vec3d back = Vec3d(0, spread ? 0 : -1, spread ? -1 : 0.2).normalized();
      Mat3d axes;
      axes << 0.5 * along, 0.5 * chord * back, thin * along.cross(back).normalized();
      append_box(body_.mesh, from + 0.5 * along + 0.3 * chord * back, axes);
    }
  }

  void walker(int pairs, double tail_length, bool winged) {
    const bool many = pairs > 2;
    const double length = draw(0.5, 1.2), girth = draw(0.12, 0.3), legs = many ? draw(0.1, 0.5) : draw(0.25, 0.9);
    const double width = many ? draw(0.3, 0.9) : girth * draw(0.2, 0.8),
                 thick = many ? draw(0.02, 0.05) : draw(0.04, 0.1);
    const Vec3d middle(0, legs + girth * 0.8, 0);
    ball(middle, Vec3d(girth * draw(0.8, 1.3), girth, 0.55 * length));
    if (many && random_.uniform() < 0.6)
      ball(middle - Vec3d(0, 0, 0.7 * length), Vec3d::Constant(girth * draw(0.8, 1.6)));
    for (int p = 0; p < pairs; ++p) {
      const double z = length * (0.42 - 0.84 * p / std::max(1, pairs - 1)), root = many ? 0.5 * z : z;
      const double knee = many ? legs + draw(-0.1, 0.4) : 0.5 * legs, bend = draw(-0.08, 0.08);
      both({middle + Vec3d(0.6 * girth * (many ? 1 : 0.7), -0.2 * girth, root - middle.z()),
            Vec3d(many ? 0.6 * width + 0.5 * girth : 0.7 * girth, knee, z + bend),
            Vec3d(many ? width + 0.3 * girth : width + 0.4 * girth, thick, many ? 1.2 * z : z)},
           thick, 0.7 * thick);
    }
    const double neck = many ? 0.1 : draw(0.1, 0.9), up = many ? 0.0 : draw(0.1, 1.4);
    const Vec3d skull = middle + Vec3d(0, 0, 0.5 * length) + neck * Vec3d(0, up, 1).normalized();
    limb({middle + Vec3d(0, 0, 0.4 * length), skull}, 0.5 * girth, 0.4 * girth);
    head(skull, girth * draw(0.45, 0.8), random_.uniform() < 0.7);
    tail(middle - Vec3d(0, 0, 0.5 * length), tail_length, 0.3 * girth);
    if (winged) wings(middle + Vec3d(0.5 * girth, 0.7 * girth, 0.2 * length), draw(0.5, 1.5), random_.uniform() < 0.8);
  }

  void bird() {
    const double girth = draw(0.15, 0.35), legs = draw(0.05, 0.9), lean = draw(-0.2, 0.9),
                 length = girth * draw(1.1, 1.8);
    const Vec3d axis = Vec3d(0, lean, 1).normalized(), middle(0, legs + girth, 0);
    for (int i = -2; i <= 2; ++i) {
      ball(middle + 0.25 * i * length * axis, Vec3d::Constant(girth * (1 - 0.12 * i * i)));
    }
    both({middle + Vec3d(0.4 * girth, -0.6 * girth, 0), Vec3d(0.45 * girth, 0.5 * legs, draw(-0.08, 0.05)),
          Vec3d(0.45 * girth, 0.02, 0), Vec3d(0.5 * girth, 0.015, draw(0.08, 0.2))},
         draw(0.02, 0.06), 0.02);
    const double neck = draw(0.05, 0.8);
    const Vec3d skull = middle + 0.6 * length * axis + neck * Vec3d(0, 1, draw(-0.2, 0.6)).normalized();
    limb({middle + 0.4 * length * axis, skull}, 0.4 * girth, 0.3 * girth);
    const double size = girth * draw(0.4, 0.8);
    ball(skull, Vec3d::Constant(size));
    limb({skull, skull + Vec3d(0, draw(-0.5, 0.1) * size, size + draw(0.05, 0.4))}, 0.35 * size, 0.1 * size);
    wings(middle + Vec3d(0.9 * girth, 0.3 * girth, 0.2 * length), draw(0.4, 1.6), random_.uniform() < 0.5);
    const Vec3d end = middle - 0.9 * length * axis;
    append_box(body_.mesh, end - draw(0.05, 0.3) * axis, Vec3d(draw(0.05, 0.3), 0.02, draw(0.1, 0.35)).asDiagonal());
  }

  void fish() {
    const double length = draw(0.8, 2.0), tall = draw(0.12, 0.5), wide = tall * draw(0.2, 1.3), y = 1;
    const int parts = 9;
    for (int i = 0; i < parts; ++i) {
      const double t = i / static_cast<double>(parts - 1),
                   size = std::max(0.12, std::sin(std::pow(t, 0.8) * 2.7 + 0.25));
      ball({0, y, length * (t - 0.5)}, Vec3d(wide * size, tall * size, 0.12 * length));
    }
    const bool whale = random_.uniform() < 0.4;
    const double fluke = draw(0.15, 0.5);
    Vec3d half(0.02, fluke, draw(0.06, 0.18));
    if (whale) std::swap(half.x(), half.y());
    append_box(body_.mesh, {0, y, -0.55 * length}, half.asDiagonal());
    if (random_.uniform() < 0.8) {
      append_box(body_.mesh, {0, y + tall, draw(-0.2, 0.2) * length},
                 Vec3d(0.02, draw(0.06, 0.25), draw(0.05, 0.2)).asDiagonal());
    }
    if (random_.uniform() < 0.85) {
      const double reach = draw(0.1, 0.6), z = draw(0.0, 0.25) * length;
      both({Vec3d(0.5 * wide, y - 0.2 * tall, z), Vec3d(wide + reach, y - draw(0.0, 0.6) * tall, z - 0.5 * reach)},
           0.05, 0.03);
    }
  }

  void snake() {
    const double length = draw(1.5, 4), radius = draw(0.03, 0.1) * length, waves = draw(0, 3),
                 swing = draw(0, 0.25) * length;
    const double raised = random_.uniform() < 0.4 ? draw(0.1, 0.4) * length : 0.0;
    std::vector<Vec3d> places;
    constexpr int count = 24;
    for (int i = 0; i <= count; ++i) {
      const double t = i / static_cast<double>(count);
      const double lift = std::max(0.0, t - 0.7) / 0.3;
      places.emplace_back(swing * std::sin(2 * std::numbers::pi * waves * t), radius + raised * lift,
                          length * (t - 0.5) * (1 - 0.2 * lift * (raised > 0)));
    }
    for (std::size_t i = 1; i < places.size(); ++i) {
      const double thick = radius * std::min(1.0, 0.15 + 2.2 * static_cast<double>(i) / count);
      append_stick(body_.mesh, places[i - 1], places[i], 0.8 * thick);
      ball(places[i], Vec3d::Constant(thick));
    }
    ball(places.back(), radius * Vec3d(draw(0.9, 1.6), draw(0.7, 1.1), draw(1.1, 1.8)));
  }

  void two_legs_and_tail() {
    const double legs = draw(0.3, 0.9), girth = draw(0.13, 0.3), length = draw(0.4, 0.9), lean = draw(0.0, 1.6);
    const Vec3d axis = Vec3d(0, lean, 1).normalized(), hips(0, legs, 0), chest = hips + length * axis;
    limb({hips, 0.5 * (hips + chest), chest}, girth, 0.8 * girth);
    ball(hips, Vec3d::Constant(girth * draw(0.9, 1.2)));
    const double thigh = draw(0.05, 0.13);
    both({hips + Vec3d(0.7 * girth, 0, 0), Vec3d(0.9 * girth, 0.55 * legs, draw(0, 0.2)),
          Vec3d(0.9 * girth, 0.15 * legs, draw(-0.2, 0)), Vec3d(0.9 * girth, 0.03, draw(0.08, 0.25))},
         thigh, 0.04);
    if (random_.uniform() < 0.8) {
      const double arm = draw(0.1, 0.45);
      both({chest + Vec3d(0.7 * girth, -0.1, 0), chest + Vec3d(0.9 * girth, -0.1 - 0.7 * arm, 0.1),
            chest + Vec3d(0.9 * girth, -0.1 - 0.8 * arm, 0.1 + 0.5 * arm)},
           0.035, 0.025);
    }
    const Vec3d skull = chest + draw(0.1, 0.5) * Vec3d(0, draw(0.2, 1.2), 1).normalized();
    limb({chest, skull}, 0.6 * girth, 0.5 * girth);
    head(skull, girth * draw(0.5, 1.0), random_.uniform() < 0.8);
    tail(hips - Vec3d(0, 0, 0.5 * girth), draw(0.5, 1.6), girth * draw(0.4, 0.8));
  }

  Random random_;
  JudgedBody body_;
};

// The kinds that it makes.
inline constexpr std::array made_kinds{CreatureKind::four_legs,
                                       CreatureKind::bird,
                                       CreatureKind::fish,
                                       CreatureKind::snake,
                                       CreatureKind::many_legs,
                                       CreatureKind::two_legs_and_tail,
                                       CreatureKind::winged_four_legged};

// One of many: number 0, 1, … of its kind, turned and stretched as well.
inline JudgedBody made_creature(CreatureKind kind, int number) {
  const auto seed = static_cast<std::uint64_t>(1000 * number + static_cast<int>(kind));
  return changed(CreatureMaker(seed).make(kind), seed);
}

}  // namespace sinew::bench
