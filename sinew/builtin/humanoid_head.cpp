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
  const double top = 0.233 * h;
  const Vec3d origin(0, plan.chin_y, 0.006 * h);
  const auto face = [&](double x, double y, double z) { return Vec3d(origin + Vec3d(x * w, y * h, z * d)); };

  Loft skull;
  skull.frame = Affine3d(Eigen::Translation3d(origin));
  skull.squareness = 2.2;
  skull.start_cap = 0.012 * h;
  skull.end_cap = 0.062 * h;
  const double jaw = w * p.jaw * (1 - 0.08 * f), cheek = 0.008 * w * p.cheeks;
  skull.stations = {
      {0.010 * h, 0.024 * jaw * p.chin, 0.076 * d, -0.020 * d},
      {0.026 * h, 0.042 * jaw + cheek, 0.084 * d, 0.004 * d},
      {0.050 * h, 0.054 * jaw + 1.5 * cheek, 0.084 * d, 0.045 * d},
      {0.075 * h, 0.060 * jaw + 1.5 * cheek, 0.083 * d, 0.074 * d},
      {0.105 * h, 0.067 * w + cheek, 0.083 * d, 0.092 * d},
      {0.135 * h, 0.071 * w, 0.085 * d, 0.101 * d},
      {0.160 * h, 0.074 * w, 0.084 * d, 0.103 * d},
      {top - 0.060 * h, 0.073 * w, 0.080 * d, 0.099 * d},
  };
  // "back" is a distance to the other side: the chin's section lies wholly in front of the axis.
  for (LoftStation& s : skull.stations) {
    const double middle = 0.5 * (s.front - s.back), half = 0.5 * (s.front + s.back);
    s.shift_z = middle;
    s.front = s.back = half;
  }
  field.add(skull, 0);

  const double girth = u * p.neck_girth * (1 - 0.16 * f);
  field.add(RoundCone{{0, plan.shoulder_y - 0.03 * u, -0.034 * u},
                      {0, plan.chin_y + 0.045 * h, -0.012 * h},
                      0.060 * girth,
                      0.054 * girth},
            0.022 * h);

  // Brow, eye sockets, cheekbones, nose, mouth, chin, ears.
  field.add(Ellipsoid{turned(face(0.030, 0.137, 0.074), 0, 0.3, 0), Vec3d(0.030 * w, 0.010 * h, 0.016 * d)}, 0.014 * h);
  field.carve(Ellipsoid{turned(face(0.031, 0.116, 0.094), 0, 0.3, 0), Vec3d(0.022 * w, 0.015 * h, 0.017 * d)},
              0.016 * h);
  field.add(Ellipsoid{turned(face(0.046, 0.092, 0.060), 0, 0, 0), Vec3d(0.022 * w, 0.015 * h, 0.020 * d)}, 0.018 * h);
  const double n = p.nose;
  field.add(RoundCone{face(0, 0.124, 0.080), face(0, 0.088, 0.098 + 0.010 * (n - 1)), 0.0075 * h, 0.0100 * h * n},
            0.012 * h);
  field.add(Ellipsoid{turned(face(0.011 * n, 0.083, 0.090), 0, 0, 0), Vec3d(0.0085 * w, 0.0070 * h, 0.0105 * d) * n},
            0.007 * h);
  field.add(Ellipsoid{turned(face(0, 0.056, 0.083), 0, 0, 0), Vec3d(0.024 * w, 0.0055 * h, 0.0075 * d)}, 0.007 * h);
  field.add(Ellipsoid{turned(face(0, 0.047, 0.081), 0, 0, 0), Vec3d(0.020 * w, 0.0055 * h, 0.0080 * d)}, 0.005 * h);
  field.add(Ellipsoid{turned(face(0, 0.018, 0.072), 0, 0, 0), Vec3d(0.020 * w, 0.014 * h, 0.014 * d) * p.chin},
            0.018 * h);
  const double e = p.ears;
  field.add(
      Ellipsoid{turned(face(0.076, 0.108, -0.008), 0.15, -0.35, -0.12), Vec3d(0.0075 * w, 0.031 * h, 0.018 * d) * e},
      0.008 * h);
}

}  // namespace sinew::builtin
