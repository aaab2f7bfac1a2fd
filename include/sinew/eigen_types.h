// Short names for the Eigen types used across the library.
//
// Suffix f: float, what files and the real-time path hold. Suffix d: double, what offline algorithms compute in.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using Vec4f = Eigen::Vector4f;
using Vec3d = Eigen::Vector3d;
using Vec4d = Eigen::Vector4d;
using Mat3d = Eigen::Matrix3d;
using Mat4d = Eigen::Matrix4d;
using Quatd = Eigen::Quaterniond;
using Affine3d = Eigen::Affine3d;
using AABBf = Eigen::AlignedBox3f;
using AABBd = Eigen::AlignedBox3d;

}  // namespace sinew
