#include "sinew/draw/surface.h"

#include <algorithm>

namespace sinew {
namespace {

bool usable(const Vec3f& normal) { return normal.allFinite() && normal.squaredNorm() > 0.01f; }

// Whether a mesh's own normals can be trusted: there are some, and they are not at odds with the triangles. A triangle
// wound the wrong way has three normals against it; one or two against it mean broken normals, which some files have
// by the thousand.
bool has_good_normals(const TriangleMesh& mesh) {
  if (!std::any_of(mesh.normals.begin(), mesh.normals.end(), usable)) return false;
  std::size_t mixed = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3f& a = mesh.positions[t[0]];
    const Vec3f face = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a);
    const auto against =
        std::count_if(t.begin(), t.end(), [&](std::uint32_t v) { return face.dot(mesh.normals[v]) < 0; });
    mixed += against == 1 || against == 2;
  }
  return static_cast<double>(mixed) <= 0.05 * static_cast<double>(mesh.triangles.size());
}

// The shading normals of a mesh's triangle corners: its own where they are good, computed ones otherwise.
std::vector<std::array<Vec3f, 3>> corner_normals(const TriangleMesh& mesh) {
  if (!has_good_normals(mesh)) return crease_normals(mesh);
  std::vector<std::array<Vec3f, 3>> normals(mesh.triangles.size());
  for (std::size_t t = 0; t < normals.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Vec3f& n = mesh.normals[mesh.triangles[t][k]];
      normals[t][k] = usable(n) ? n : Vec3f(0, 0, 0);
    }
  }
  return normals;
}

}  // namespace

Surface::Surface(const TriangleMesh& mesh, float point_radius)
    : mesh_(mesh),
      cloud_(mesh.is_point_cloud()),
      rays_(cloud_ ? RayScene::of_spheres(mesh.positions, point_radius) : RayScene(mesh.positions, mesh.triangles)) {
  if (!cloud_) normals_ = corner_normals(mesh);
}

bool Surface::intersect(const Vec3f& origin, const Vec3f& direction, SurfaceHit& hit) const {
  RayHit found;
  if (!rays_.intersect(origin, direction, found)) return false;
  hit.distance = found.distance;
  hit.position = origin + found.distance * direction;
  hit.geometric_normal = found.geometric_normal.normalized();
  if (hit.geometric_normal.dot(direction) > 0) hit.geometric_normal = -hit.geometric_normal;
  hit.normal = hit.geometric_normal;
  if (cloud_) {
    hit.place = {{found.triangle, found.triangle, found.triangle}, Vec3f(1, 0, 0)};
    if (!mesh_.normals.empty() && mesh_.normals[found.triangle].squaredNorm() > 0.01f) {
      hit.normal = mesh_.normals[found.triangle].normalized();
    }
  } else {
    const float u = found.barycentric.x(), v = found.barycentric.y();
    hit.place = {mesh_.triangles[found.triangle], Vec3f(1 - u - v, u, v)};
    const std::array<Vec3f, 3>& n = normals_[found.triangle];
    const Vec3f sum = hit.place.barycentric[0] * n[0] + u * n[1] + v * n[2];
    if (sum.squaredNorm() > 1e-6f) hit.normal = sum.normalized();
    lift_to_smooth_surface(found.triangle, hit);
  }
  if (hit.normal.dot(hit.geometric_normal) < 0) hit.normal = -hit.normal;
  // A smooth normal may look away from the eye near the outline: bend it back.
  const float away = hit.normal.dot(direction);
  if (away > -0.02f) hit.normal = (hit.normal - (away + 0.02f) * direction).normalized();
  return true;
}

float Surface::edge_distance(const SurfaceHit& hit) const {
  const Vec3f &a = mesh_.positions[hit.place.corners[0]], &b = mesh_.positions[hit.place.corners[1]],
              &c = mesh_.positions[hit.place.corners[2]];
  const float twice_area = (b - a).cross(c - a).norm();
  const std::array<float, 3> opposite = {(c - b).norm(), (a - c).norm(), (b - a).norm()};
  float nearest = std::numeric_limits<float>::infinity();
  for (int k = 0; k < 3; ++k) nearest = std::min(nearest, hit.place.barycentric[k] * twice_area / opposite[k]);
  return nearest;
}

// So that the flat facets of a coarse mesh do not shadow themselves (Hanika, "Hacking the shadow terminator", Ray
// Tracing Gems II, 2021).
void Surface::lift_to_smooth_surface(std::uint32_t triangle, SurfaceHit& hit) const {
  Vec3f offset = Vec3f::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3f& stored = normals_[triangle][k];
    const Vec3f n = stored.dot(hit.geometric_normal) < 0 ? Vec3f(-stored) : stored;
    const float below = std::min(0.0f, (hit.position - mesh_.positions[hit.place.corners[k]]).dot(n));
    offset -= hit.place.barycentric[k] * below * n;
  }
  hit.position += offset;
}

}  // namespace sinew
