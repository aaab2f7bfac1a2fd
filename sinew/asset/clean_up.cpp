#include "sinew/asset/clean_up.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sinew {
namespace {

constexpr float largest_coordinate = 1e15f;  // squares of differences still fit a float
constexpr float unit_tolerance = 0.01f;      // normals stored in bytes are off by up to 0.007

void refuse_bad_positions(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const float largest = mesh.positions[i].cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (largest <= largest_coordinate) continue;
    throw Error(ErrorCode::mesh_invalid,
                "vertex " + std::to_string(i) +
                    (std::isfinite(largest) ? " lies farther than 1e15 from the origin" : " is not finite"),
                "the file is damaged, or was exported with a division by zero: export it again");
  }
}

void warn(Character& character, std::size_t count, const char* code, const std::string& message) {
  if (count > 0) character.warnings.push_back({code, std::to_string(count) + " " + message});
}

void repair_normals(Character& character) {
  TriangleMesh& mesh = character.mesh;
  std::vector<Vec3f> computed;
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
    Vec3f& normal = mesh.normals[i];
    const float length = normal.stableNorm();
    if (std::isfinite(length) && length > 1e-6f) {
      if (std::abs(length - 1.0f) > unit_tolerance) normal /= length;
      continue;
    }
    if (computed.empty()) computed = vertex_normals(mesh.positions, mesh.triangles);
    normal = computed[i];
    ++replaced;
  }
  warn(character, replaced, "bad-normals", "normals were zero or not finite; they were computed from the triangles");
}

void repair_attributes(Character& character) {
  TriangleMesh& mesh = character.mesh;
  std::size_t replaced = 0;
  for (Vec4f& tangent : mesh.tangents) {
    const float length = tangent.head<3>().stableNorm();
    const bool good = std::isfinite(length) && length > 1e-6f;
    replaced += !good;
    if (!good) {
      tangent = Vec4f(1, 0, 0, 1);
    } else if (std::abs(length - 1.0f) > unit_tolerance) {
      tangent.head<3>() /= length;
    }
    tangent.w() = tangent.w() < 0 ? -1.0f : 1.0f;
  }
  for (Vec2f& uv : mesh.uvs) {
    if (uv.allFinite()) continue;
    uv.setZero();
    ++replaced;
  }
  for (Vec4f& color : mesh.colors) {
    if (color.allFinite()) continue;
    color.setOnes();
    ++replaced;
  }
  warn(character, replaced, "bad-attributes",
       "tangents, texture coordinates or colours were not finite and were reset");
}

std::size_t count_zero_area(const TriangleMesh& mesh) {
  std::size_t count = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.positions[t[0]].cast<double>();
    const Vec3d ab = mesh.positions[t[1]].cast<double>() - a, ac = mesh.positions[t[2]].cast<double>() - a;
    count += ab.cross(ac).squaredNorm() == 0.0;
  }
  return count;
}

std::size_t count_isolated(const TriangleMesh& mesh) {
  if (mesh.is_point_cloud()) return 0;
  std::vector<bool> used(mesh.vertex_count(), false);
  for (const Triangle& t : mesh.triangles) {
    for (std::uint32_t vertex : t) used[vertex] = true;
  }
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}  // namespace

void clean_up(Character& character) {
  if (character.mesh.positions.empty() && character.skeleton.empty()) {
    throw Error(ErrorCode::file_empty, "it holds neither a mesh nor a skeleton", "check that the export included them");
  }
  check_mesh(character.mesh);
  refuse_bad_positions(character.mesh);
  repair_normals(character);
  repair_attributes(character);
  warn(character, count_zero_area(character.mesh), "zero-area-triangles", "triangles have no area; they were kept");
  warn(character, count_isolated(character.mesh), "isolated-vertices",
       "vertices belong to no triangle; they were kept");
  check_character(character);
}

}  // namespace sinew
