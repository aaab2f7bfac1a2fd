#include "sinew/fit/bring_inside.h"

#include <cmath>

#include "sinew/mesh/solid_domain.h"

namespace sinew {
namespace {

// A place inside, a little behind the surface that is nearest to a place outside: under that surface, or, where it is
// an edge or a tip, straight on from the place. False when the surface is further than a tenth of the body.
bool place_behind_surface(const SolidDomain& domain, const Vec3f& place, Vec3f& behind) {
  const auto diagonal = static_cast<float>(domain.diagonal());
  ClosestPoint skin;
  if (!domain.closest_point(place, skin, 0.1f * diagonal)) return false;
  const Vec3f onwards = (skin.position - place).normalized();
  for (const float depth : {0.01f, 0.004f, 0.0015f, 0.0005f, 0.00015f}) {
    if (domain.point_under_surface(place, 0.1f * diagonal, depth * diagonal, behind)) return true;
    behind = skin.position + depth * diagonal * onwards;
    ClosestPoint other;
    if (domain.contains(behind) && !domain.closest_point(behind, other, 0.25f * depth * diagonal)) return true;
  }
  return false;
}

}  // namespace

void bring_inside(const SolidDomain& domain, const std::vector<char>& matters, Skeleton& skeleton,
                  std::vector<char>& inside) {
  inside.assign(skeleton.names.size(), 0);
  std::vector<Vec3d> moved(skeleton.names.size(), Vec3d::Zero());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Vec3d before = skeleton.position(joint);
    const int parent = skeleton.parents[joint];
    const auto settle = [&](const Vec3d& place) {
      inside[joint] = domain.contains(place.cast<float>());
      if (!inside[joint]) return false;
      skeleton.rest[joint].translation() = place;
      moved[joint] = place - before;
      return true;
    };
    if (settle(before) || !matters[joint]) continue;
    const Vec3d carried = parent >= 0 ? Vec3d(before + moved[parent]) : before;
    Vec3f behind;
    if (settle(carried)) continue;
    if (place_behind_surface(domain, carried.cast<float>(), behind) && settle(behind.cast<double>())) continue;
    int above = parent;
    while (above >= 0 && !inside[above]) above = skeleton.parents[above];
    if (above < 0) continue;
    // Ever nearer to it: at the last step a thousandth of the way is left.
    for (int step = 1; step <= 40; ++step) {
      const double left = std::pow(10.0, -3.0 * step / 40.0);
      if (settle(skeleton.position(above) + left * (carried - skeleton.position(above)))) break;
    }
  }
}

}  // namespace sinew
