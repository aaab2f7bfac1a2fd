// Triangle meshes and point clouds as plain arrays.
//
// A point cloud is a mesh without triangles. Optional attributes are empty or hold one entry per vertex. Vertices that
// a file splits at UV or normal seams stay split here; algorithms that need one surface use weld_positions (weld.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/export.h"

namespace sinew {

using Triangle = std::array<std::uint32_t, 3>;  // counter-clockwise seen from outside

struct TriangleMesh {
  std::vector<Vec3f> positions;
  std::vector<Vec3f> normals;   // unit length
  std::vector<Vec4f> tangents;  // xyz unit length, w = handedness ±1, as in glTF
  std::vector<Vec2f> uvs;       // first set, v downwards as in glTF
  std::vector<Vec4f> colors;    // linear RGBA in [0, 1]
  std::vector<Triangle> triangles;

  std::size_t vertex_count() const { return positions.size(); }
  bool is_point_cloud() const { return triangles.empty(); }
};

SINEW_API AABBf bounding_box(const TriangleMesh& mesh);
// Diagonal of the bounding box: the length that tolerances and error figures are relative to. 0 for an empty mesh.
SINEW_API double bounding_diagonal(const TriangleMesh& mesh);

// Area-weighted vertex normals, unit length; (0,0,1) at vertices without area. Does not look across seams.
SINEW_API std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions,
                                            const std::vector<Triangle>& triangles);

// Throws Error(bad_input) when an index is out of range or an attribute has the wrong length.
SINEW_API void check_mesh(const TriangleMesh& mesh);

}  // namespace sinew
