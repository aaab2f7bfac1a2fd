#include "sinew/draw/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

// Triangle corners (3 * triangle + corner) around each welded vertex, as one list with offsets.
struct CornerFans {
  std::vector<std::uint32_t> offsets, corners;
};

CornerFans corner_fans(const std::vector<Triangle>& triangles, const Weld& weld) {
  CornerFans fans;
  fans.offsets.assign(weld.welded_count() + 1, 0);
  for (const Triangle& t : triangles) {
    for (std::uint32_t v : t) ++fans.offsets[weld.welded_of[v] + 1];
  }
  for (std::size_t i = 1; i < fans.offsets.size(); ++i) fans.offsets[i] += fans.offsets[i - 1];
  fans.corners.resize(3 * triangles.size());
  std::vector<std::uint32_t> next(fans.offsets.begin(), fans.offsets.end() - 1);
  for (std::uint32_t i = 0; i < fans.corners.size(); ++i) {
    fans.corners[next[weld.welded_of[triangles[i / 3][i % 3]]]++] = i;
  }
  return fans;
}

}  // namespace

Scene make_scene(TriangleMesh mesh) {
  Scene scene;
  float lowest = std::numeric_limits<float>::infinity();
  for (const Vec3f& p : mesh.positions) {
    if (p.allFinite()) lowest = std::min(lowest, p.y());
  }
  if (std::isfinite(lowest)) scene.ground = lowest;
  scene.mesh = std::move(mesh);
  return scene;
}

std::vector<std::array<Vec3f, 3>> crease_normals(const TriangleMesh& mesh, double crease_degrees) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Vec3f> face(count, Vec3f::Zero());              // unit length, zero without area
  std::vector<std::array<float, 3>> angle(count, {0, 0, 0});  // at the corners
  for (std::size_t t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) {
      const Vec3f& here = mesh.positions[mesh.triangles[t][k]];
      const Vec3f a = mesh.positions[mesh.triangles[t][(k + 1) % 3]] - here;
      const Vec3f b = mesh.positions[mesh.triangles[t][(k + 2) % 3]] - here;
      const Vec3f cross = a.cross(b);
      const float length = cross.norm();
      if (!(length > 0) || !std::isfinite(length)) continue;
      angle[t][k] = std::atan2(length, a.dot(b));
      face[t] = cross / length;
    }
  }
  const Weld weld = weld_positions(mesh.positions);
  const CornerFans fans = corner_fans(mesh.triangles, weld);
  const float limit = static_cast<float>(std::cos(crease_degrees * std::numbers::pi / 180));
  std::vector<std::array<Vec3f, 3>> normals(count);
  // Fans of thousands of triangles would cost their square; past this size they are smoothed as a whole.
  constexpr std::uint32_t largest_fan = 512;
  for (std::size_t v = 0; v < weld.welded_count(); ++v) {
    const std::uint32_t begin = fans.offsets[v], end = fans.offsets[v + 1];
    Vec3f whole = Vec3f::Zero();
    for (std::uint32_t i = begin; i < end; ++i) {
      whole += angle[fans.corners[i] / 3][fans.corners[i] % 3] * face[fans.corners[i] / 3];
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t own = fans.corners[i] / 3;
      Vec3f sum = whole;
      if (end - begin <= largest_fan) {
        sum.setZero();
        for (std::uint32_t j = begin; j < end; ++j) {
          const std::uint32_t other = fans.corners[j] / 3;
          if (face[own].dot(face[other]) >= limit) sum += angle[other][fans.corners[j] % 3] * face[other];
        }
      }
      const float length = sum.norm();
      const Vec3f fallback = face[own].isZero() ? Vec3f(0, 0, 1) : face[own];
      normals[own][fans.corners[i] % 3] = length > 1e-6f ? Vec3f(sum / length) : fallback;
    }
  }
  return normals;
}

float choose_point_radius(const std::vector<Vec3f>& points) {
  std::vector<Vec3f> finite;
  for (const Vec3f& p : points) {
    if (p.allFinite()) finite.push_back(p);
  }
  if (finite.size() < 2) return 0;
  const NearestPoints tree(finite);
  constexpr int neighbours = 7;  // six and the point itself
  constexpr std::size_t samples = 2000;
  std::vector<double> spacing;
  std::vector<NearPoint> near;
  const std::size_t step = std::max<std::size_t>(1, finite.size() / samples);
  for (std::size_t i = 0; i < finite.size(); i += step) {
    tree.nearest(finite[i], neighbours, near);
    if (near.back().distance > 0) spacing.push_back(near.back().distance);
  }
  if (spacing.empty()) return 0;
  std::nth_element(spacing.begin(), spacing.begin() + spacing.size() / 2, spacing.end());
  return static_cast<float>(0.7 * spacing[spacing.size() / 2]);
}

}  // namespace sinew
