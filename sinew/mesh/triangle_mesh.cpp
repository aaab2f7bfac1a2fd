#include <string>

#include "sinew/error.h"
#include "sinew/mesh.h"

namespace sinew {

AABBf bounding_box(const TriangleMesh& mesh) {
  AABBf box;
  for (const Vec3f& position : mesh.positions) box.extend(position);
  return box;
}

double bounding_diagonal(const TriangleMesh& mesh) {
  return mesh.positions.empty() ? 0.0 : bounding_box(mesh).diagonal().cast<double>().norm();
}

std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles) {
  std::vector<Vec3d> sums(positions.size(), Vec3d::Zero());
  for (const Triangle& t : triangles) {
    const Vec3d a = positions[t[0]].cast<double>();
    const Vec3d cross = (positions[t[1]].cast<double>() - a).cross(positions[t[2]].cast<double>() - a);
    for (std::uint32_t vertex : t) sums[vertex] += cross;
  }
  std::vector<Vec3f> normals(positions.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double length = sums[i].norm();
    normals[i] = length > 0.0 ? Vec3f((sums[i] / length).cast<float>()) : Vec3f(0, 0, 1);
  }
  return normals;
}

void check_mesh(const TriangleMesh& mesh) {
  const std::size_t count = mesh.positions.size();
  const auto check_length = [count](std::size_t length, const char* name) {
    if (length != 0 && length != count) {
      throw Error(ErrorCode::mesh_invalid, std::string("the mesh has ") + std::to_string(count) + " positions but " +
                                               std::to_string(length) + " " + name);
    }
  };
  check_length(mesh.normals.size(), "normals");
  check_length(mesh.tangents.size(), "tangents");
  check_length(mesh.uvs.size(), "texture coordinates");
  check_length(mesh.colors.size(), "colours");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::uint32_t vertex : mesh.triangles[i]) {
      if (vertex >= count) {
        throw Error(ErrorCode::mesh_invalid, "triangle " + std::to_string(i) + " uses vertex " +
                                                 std::to_string(vertex) + " of " + std::to_string(count));
      }
    }
  }
}

}  // namespace sinew
