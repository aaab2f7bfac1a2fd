// Closed meshes around skeletons, whose true joints are therefore known.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "sinew/builtin/implicit_surface.h"
#include "tests/support/figure.h"

namespace sinew::test {

inline double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double t = along.squaredNorm() > 0 ? std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
  return (p - a - t * along).norm();
}

// Flesh around the bones of a skeleton: a closed mesh whose true joints are known.
inline TriangleMesh flesh(const Skeleton& skeleton, const std::map<std::string, double>& radii, double usual) {
  struct Capsule {
    Vec3d a, b;
    double radius;
  };
  std::vector<Capsule> capsules;
  AABBd box;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    box.extend(skeleton.position(j));
    if (skeleton.parents[j] < 0) continue;
    const auto found = radii.find(skeleton.names[j]);
    const double radius = found != radii.end() ? found->second : usual;
    if (radius > 0) capsules.push_back({skeleton.position(skeleton.parents[j]), skeleton.position(j), radius});
  }
  const ScalarField field = [&](const Vec3d& p) {
    double least = 1e300;
    for (const Capsule& c : capsules) least = std::min(least, distance_to_segment(p, c.a, c.b) - c.radius);
    return least;
  };
  ImplicitOptions options;
  options.box = AABBd(box.min() - Vec3d::Constant(0.31), box.max() + Vec3d::Constant(0.3));
  options.cell_size = [](const Vec3d&) { return 0.03; };
  options.largest_cell = 0.06;
  return implicit_surface(field, options);
}

inline TriangleMesh person(const Skeleton& skeleton = standing_figure()) {
  return flesh(skeleton,
               {{"Spine", 0.14},
                {"Chest", 0.14},
                {"Neck", 0.1},
                {"Head", 0.07},
                {"LeftEye", 0.1},
                {"RightEye", 0.1},
                {"LeftUpLeg", 0.1},
                {"RightUpLeg", 0.1},
                {"LeftLeg", 0.07},
                {"RightLeg", 0.07}},
               0.045);
}

}  // namespace sinew::test
