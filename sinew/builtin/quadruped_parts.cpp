#include <cmath>

#include "sinew/base/random.h"
#include "sinew/builtin/quadruped.h"

namespace sinew::builtin {
namespace {

// Linear RGB of the back, the belly and the markings.
struct Coat {
  Vec3f back, belly;
  double saddle;  // how far the darker back reaches down, 0 … 1
};

constexpr float coats[][6] = {
    {0.30f, 0.16f, 0.07f, 0.62f, 0.48f, 0.32f},    // brown and cream
    {0.05f, 0.045f, 0.04f, 0.42f, 0.24f, 0.10f},   // black and tan
    {0.28f, 0.27f, 0.26f, 0.70f, 0.68f, 0.64f},    // grey
    {0.55f, 0.30f, 0.10f, 0.78f, 0.66f, 0.50f},    // fox
    {0.62f, 0.52f, 0.38f, 0.80f, 0.74f, 0.64f},    // sand
    {0.13f, 0.075f, 0.04f, 0.20f, 0.12f, 0.065f},  // chocolate
};

Vec4f opaque(const Vec3f& c) { return {c.x(), c.y(), c.z(), 1.0f}; }

SurfacePart common_part(const QuadrupedPlan& plan, const QuadrupedWeights& weights) {
  SurfacePart part;
  part.weights = [&weights](const Vec3d& p) { return weights.at(p); };
  const double size = 2.2 * plan.unit * plan.proportions.length, height = plan.proportions.shoulder_height;
  part.uv = [size, height](const Vec3d& p) {
    return Vec2f(static_cast<float>(0.5 + (p.z() - 0.4 * p.x()) / size), static_cast<float>(1 - p.y() / (2 * height)));
  };
  return part;
}

}  // namespace

std::vector<SurfacePart> quadruped_parts(const QuadrupedPlan& plan, const QuadrupedField& body,
                                         const QuadrupedWeights& weights, std::uint64_t seed) {
  Random random = Random::stream(seed, 0xc0a7);
  const float* c = coats[random.below(std::size(coats))];
  const Coat coat{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}, random.uniform(0.3, 0.9)};
  const double u = plan.unit, h = u * plan.proportions.head;

  SurfacePart skin = common_part(plan, weights);
  skin.name = "Body";
  skin.material = "Coat";
  const Vec3d margin = Vec3d::Constant(0.02 * u);
  const AABBd bounds = body.field.bounds();
  skin.box = AABBd(bounds.min() - margin, bounds.max() + margin);
  skin.box.min().x() = 0;
  skin.cell = 0.022 * u;
  skin.simple = true;
  skin.field = [&body](const Vec3d& p) { return body.field.value(p); };
  skin.edge_length = [&plan, u](const Vec3d& p) {
    const double paw = 1 - smooth_step(0.04 * u, 0.11 * u, p.y());
    const double leg = 1 - smooth_step(0.20 * u, plan.hind_leg[1].y(), p.y());
    const double head =
        smooth_step(-0.03 * u, 0.05 * u, p.z() - plan.head.z()) * (p.y() > plan.spine.y() - 0.1 * u ? 1 : 0);
    const double tail = smooth_step(0.01 * u, 0.06 * u, plan.tail[0].z() - p.z());
    return (1 - 0.25 * leg) * (1 - 0.45 * paw) * (1 - 0.55 * head) * (1 - 0.3 * tail);
  };
  const Vec3d nose = plan.head + Vec3d(0, -0.010, 0.118 + 0.095 * plan.proportions.muzzle) * h;
  skin.colour = [&plan, coat, nose, u, h](const Vec3d& p) {
    const double low = plan.spine1.y() - (0.02 + 0.16 * coat.saddle) * u;
    double back = smooth_step(low - 0.05 * u, low + 0.05 * u, p.y());
    // On the head the muzzle is light.
    const double muzzle =
        smooth_step(0.07 * h, 0.13 * h, (p - plan.head).z()) * (p.y() > plan.neck.y() - 0.1 * u ? 1 : 0);
    back *= 1 - 0.7 * muzzle;
    Vec3f colour = coat.belly + static_cast<float>(back) * (coat.back - coat.belly);
    const double dark = 1 - smooth_step(0.017 * h, 0.026 * h, (p - nose).norm());
    colour += static_cast<float>(dark) * (Vec3f(0.015f, 0.012f, 0.012f) - colour);
    return opaque(colour);
  };

  SurfacePart eyes = common_part(plan, weights);
  eyes.name = "Eyes";
  eyes.material = "Eyes";
  const Vec3d centre = plan.eye;
  const double radius = plan.eye_radius;
  eyes.box = AABBd(centre - Vec3d::Constant(1.3 * radius), centre + Vec3d::Constant(1.3 * radius));
  eyes.cell = radius;
  eyes.field = [centre, radius](const Vec3d& p) { return (p - centre).norm() - radius; };
  eyes.edge_length = [](const Vec3d&) { return 0.30; };
  eyes.colour = [centre, radius](const Vec3d& p) {
    const double away = ((p - centre) / radius - Vec3d(0.55, 0.12, 0.82)).norm();
    const Vec3f iris(0.20f, 0.09f, 0.02f), pupil(0.01f, 0.01f, 0.01f), dark(0.06f, 0.04f, 0.03f);
    Vec3f colour = dark + static_cast<float>(1 - smooth_step(0.75, 0.95, away)) * (iris - dark);
    colour += static_cast<float>(1 - smooth_step(0.35, 0.50, away)) * (pupil - colour);
    return opaque(colour);
  };
  return {skin, eyes};
}

}  // namespace sinew::builtin
