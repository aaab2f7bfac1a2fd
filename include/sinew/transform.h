// Translation, rotation and scale of a joint relative to its parent, as glTF and BVH store them.
#pragma once

#include "sinew/eigen_types.h"
#include "sinew/export.h"

namespace sinew {

struct SINEW_API Transform {
  Vec3d translation = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();  // unit length
  Vec3d scale = Vec3d::Ones();

  // translation * rotation * scale.
  Affine3d matrix() const;

  // The nearest such decomposition; shear is lost. A mirrored matrix gets a negative x scale.
  static Transform from_matrix(const Affine3d& matrix);
};

// Linear in translation and scale, shortest-arc spherical in rotation; t in [0, 1].
SINEW_API Transform interpolate(const Transform& a, const Transform& b, double t);

}  // namespace sinew
