// The space the networks work in, and points spread over a surface.
//
// x to the body's left, y up, z forward; the ground at 0 and the height 1;
// x and z count from the centre of the surface.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/random.h"
#include "sinew/mesh.h"

namespace sinew {

struct BodySpace {
  Mat3d axes = Mat3d::Identity();  // rows: left, up, forward
  Vec3d origin = Vec3d::Zero();    // in the mesh's space
  double height = 1;               // in the mesh's unit

  Vec3d to_body(const Vec3d& p) const { return axes * (p - origin) / height; }
  Vec3d from_body(const Vec3d& p) const { return height * (axes.transpose() * p) + origin; }
};

// Throws Error(bad_input) when the mesh has no triangle with an area, or no height along `frame.up`.
BodySpace body_space(const TriangleMesh& mesh, const BodyFrame& frame);

// Positions in body space, and normals: unit length, of the triangles around each vertex, across seams.
TriangleMesh to_body_space(const TriangleMesh& mesh, const BodySpace& space);

struct SurfaceSample {
  std::uint32_t triangle = 0;
  std::array<float, 3> share{};  // of the three corners
};

// `count` places at random, as many per area everywhere. Triangles with corners that are not finite are never chosen.
std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, std::size_t count, Random& random);

}  // namespace sinew
