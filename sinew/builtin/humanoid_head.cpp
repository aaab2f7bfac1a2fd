#include <cmath>

#include "sinew/builtin/humanoid_field.h"

namespace sinew::builtin {
namespace {

Affine3d turned(const Vec3d& place, double pitch, double yaw, double roll) {
  Affine3d frame = Affine3d::Identity();
  frame.translation() = place;
  frame.linear() = (Eigen::AngleAxisd(yaw, Vec3d::UnitY()) * Eigen::AngleAxisd(pitch, Vec3d::UnitX()) *
                    Eigen::AngleAxisd(roll, Vec3d::UnitZ()))
                       .toRotationMatrix();
  return frame;
}

}  // namespace

void add_head(BodyField& field, const HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double h = plan.head_unit, u = plan.unit, f = p.feminine;
  const double w = h * p.head_width, d = h * p.head_depth;
  const Vec3d origin(0, plan.chin_y, 0.006 * h);
  const auto face = [&](double x, double y, double z) { return Vec3d(origin + Vec3d(x * w, y * h, z * d)); };

  Loft skull;
  skull.frame = Affine3d(Eigen::Translation3d(origin));
  skull.squareness = 2.15;
  skull.start_cap = 0.010 * h;
  skull.end_cap = 0.064 * h;
  const double jaw = w * p.jaw * (1 - 0.08 * f), cheek = 0.007 * w * p.cheeks;
  // Half-width, then how far the section reaches to the front and to the back of the axis: the chin's lies wholly in
  // front of it.
  const double sections[][4] = {
      {0.010, 0.026 * jaw * p.chin, 0.074, -0.026},
      {0.024, 0.040 * jaw + cheek, 0.081, -0.004},
      {0.045, 0.052 * jaw + 1.5 * cheek, 0.083, 0.030},
      {0.070, 0.0595 * jaw + 1.5 * cheek, 0.084, 0.066},
      {0.100, 0.066 * w + cheek, 0.084, 0.089},
      {0.130, 0.0705 * w, 0.083, 0.099},
      {0.150, 0.0725 * w, 0.083, 0.102},
      {0.169, 0.0720 * w, 0.079, 0.099},
  };
  for (const auto& [y, half_width, front, back] : sections) {
    const double half = 0.5 * (front + back) * d;
    skull.stations.push_back({y * h, half_width, half, half, 0, 0.5 * (front - back) * d});
  }
  field.add(skull, 0);

  const double girth = u * p.neck_girth * (1 - 0.16 * f);
  field.add(RoundCone{{0, plan.shoulder_y - 0.03 * u, -0.034 * u},
                      {0, plan.chin_y + 0.050 * h, -0.016 * h},
                      0.060 * girth,
                      0.054 * girth},
            0.020 * h);

  const auto blob = [&](const Vec3d& place, double x, double y, double z) {
    return Ellipsoid{turned(place, 0, 0, 0), Vec3d(x * w, y * h, z * d)};
  };
  // Brow, eye sockets and cheekbones.
  const double brow = 1 - 0.35 * f - 0.2 * (p.eyes - 1);
  field.add(Ellipsoid{turned(face(0.029, 0.133, 0.066), 0.25, 0.35, -0.08),
                      Vec3d(0.027 * w, 0.008 * h, (0.013 + 0.003 * brow) * d)},
            0.016 * h);
  const double e = p.eyes;
  field.carve(Ellipsoid{turned(face(0.0305, 0.1165, 0.089), 0, 0.30, 0), Vec3d(0.019 * w, 0.0115 * h, 0.0135 * d) * e},
              0.015 * h);
  field.add(blob(face(0.045, 0.088, 0.050), 0.020, 0.016, 0.022), 0.026 * h);
  // Eyelids: balls that stand out over the top and the bottom of the eyeball only.
  const auto lid = [&](double up, double radius) {
    const Vec3d size = Vec3d::Constant(radius * plan.eye_radius);
    field.add(Ellipsoid{turned(plan.eye + Vec3d(0, up * plan.eye_radius, 0), 0, 0, 0), size}, 0.004 * h);
  };
  lid(0.34, 0.90);
  lid(-0.30, 0.85);
  // Nose: bridge, tip, wings.
  const double n = p.nose;
  field.add(RoundCone{face(0, 0.128, 0.078), face(0, 0.0875, 0.091 + 0.011 * n), 0.0068 * h, 0.0088 * h * n},
            0.010 * h);
  field.add(blob(face(0, 0.0890, 0.0850), 0.0115 * n, 0.0125, 0.0125 * n), 0.008 * h);
  field.add(blob(face(0.0105 * n, 0.0840, 0.087), 0.0075 * n, 0.0068 * n, 0.0105 * n), 0.007 * h);
  // Lips and chin.
  field.add(blob(face(0, 0.0585, 0.0815), 0.0225, 0.0048, 0.0075), 0.006 * h);
  field.add(blob(face(0, 0.0495, 0.0800), 0.0195, 0.0052, 0.0080), 0.005 * h);
  field.add(blob(face(0, 0.0175, 0.0690), 0.0190 * p.chin, 0.0130 * p.chin, 0.0150 * p.chin), 0.018 * h);
  // An ear is a shallow bowl.
  const double ear = p.ears;
  const Vec3d ear_place = face(0.0715, 0.104, -0.006);
  field.add(Ellipsoid{turned(ear_place + Vec3d(0.0045, 0.002, -0.002) * h, -0.15, -0.45, -0.15),
                      Vec3d(0.0085 * h, 0.0315 * h, 0.0190 * h) * ear},
            0.007 * h);
  field.carve(Ellipsoid{turned(ear_place + Vec3d(0.0165, 0.004, 0.004) * h, -0.15, -0.45, -0.15),
                        Vec3d(0.0055 * h, 0.0200 * h, 0.0105 * h) * ear},
              0.004 * h);
}

}  // namespace sinew::builtin
