#include "sinew/base/rotation.h"

namespace sinew {

Quatd rotation_between(const Vec3d& from, const Vec3d& to) {
  const Vec3d a = from.stableNormalized(), b = to.stableNormalized();
  if (a.isZero() || b.isZero()) return Quatd::Identity();
  // Half the angle lies on the way from a to a + b; its cosine and sine are the quaternion's.
  const Vec3d half = a + b;
  if (half.norm() < 1e-9) {
    const Vec3d axis = a.unitOrthogonal();
    return Quatd(0, axis.x(), axis.y(), axis.z());
  }
  const Vec3d middle = half.normalized(), axis = a.cross(middle);
  return Quatd(a.dot(middle), axis.x(), axis.y(), axis.z()).normalized();
}

}  // namespace sinew
