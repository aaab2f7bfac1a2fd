// The plane between the two sides of a character, as its mesh has it.
#pragma once

#include "sinew/body_frame.h"
#include "sinew/mesh.h"

namespace sinew {

struct SidePlane {
  Vec3d normal = Vec3d::UnitX();  // unit length, towards the body's left
  double offset = 0;

  double side(const Vec3f& point) const { return point.cast<double>().dot(normal) - offset; }  // > 0: left
  Vec3f image(const Vec3f& point) const { return (point.cast<double>() - 2 * side(point) * normal).cast<float>(); }
  Vec3f image_direction(const Vec3f& direction) const {
    const Vec3d d = direction.cast<double>();
    return (d - 2 * d.dot(normal) * normal).cast<float>();
  }
};

// Joints are placed less exactly than vertices: of the joints' plane, the axis nearest to it through the joints' middle,
// the mesh's middle and the origin, the one that takes the most vertices to vertices counts.
SidePlane find_side_plane(const TriangleMesh& mesh, const JointMirror& joints);

}  // namespace sinew
