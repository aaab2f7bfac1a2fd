#include "sinew/weights/tools/compatible_surface.h"

namespace sinew {
namespace {

constexpr int most_vertices = 24;  // around a point that are asked when the closest point faces elsewhere

bool agree(const Vec3d& a, const Vec3f& b, double cosine) {
  const double length = a.norm() * b.cast<double>().norm();
  return !(length > 0) || a.dot(b.cast<double>()) >= cosine * length;
}

}  // namespace

CompatibleSurface::CompatibleSurface(const TriangleMesh& mesh, std::vector<Vec3f> normals)
    : triangles_(mesh.triangles), normals_(std::move(normals)), points_(mesh.positions) {
  if (!mesh.is_point_cloud()) scene_ = std::make_unique<RayScene>(mesh.positions, mesh.triangles);
}

Vec3d CompatibleSurface::normal_at(const SurfacePlace& place) const {
  Vec3d normal = Vec3d::Zero();
  for (int i = 0; i < 3; ++i) normal += place.share[i] * normals_[place.corners[i]].cast<double>();
  return normal;
}

bool CompatibleSurface::find_any(const Vec3f& point, double reach, SurfacePlace& place) const {
  ClosestPoint closest;
  if (scene_ && scene_->closest_point(point, closest, static_cast<float>(reach))) {
    const Vec3d share = closest.barycentric.cast<double>().cwiseMax(0.0);
    place = {triangles_[closest.triangle], share / share.sum(), closest.distance};
    return true;
  }
  NearPoint near;
  if (!points_.nearest(point, near, reach)) return false;
  place = {{near.index, near.index, near.index}, Vec3d::UnitX(), near.distance};
  return true;
}

bool CompatibleSurface::agrees(const SurfacePlace& place, const Vec3f& normal, double cosine) const {
  return agree(normal_at(place), normal, cosine);
}

bool CompatibleSurface::find(const Vec3f& point, const Vec3f& normal, double reach, double cosine,
                             SurfacePlace& place) const {
  if (!find_any(point, reach, place)) return false;
  if (agrees(place, normal, cosine)) return true;
  std::vector<NearPoint> around;
  points_.nearest(point, most_vertices, around);
  for (const NearPoint& near : around) {
    if (near.distance > reach) break;
    if (!agree(normals_[near.index].cast<double>(), normal, cosine)) continue;
    place = {{near.index, near.index, near.index}, Vec3d::UnitX(), near.distance};
    return true;
  }
  return false;
}

}  // namespace sinew
