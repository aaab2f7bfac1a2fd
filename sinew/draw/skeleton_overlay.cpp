#include "sinew/draw/skeleton_overlay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Adds vertices and triangles of one colour; flat shapes get one vertex per corner so that their edges stay sharp.
class Builder {
 public:
  explicit Builder(TriangleMesh& mesh) : mesh_(mesh) {}

  void sphere(const Vec3d& centre, double radius, const Color& color) {
    constexpr int rings = 8, sectors = 14;
    const std::uint32_t first = static_cast<std::uint32_t>(mesh_.positions.size());
    for (int ring = 0; ring <= rings; ++ring) {
      const double polar = std::numbers::pi * ring / rings;
      for (int sector = 0; sector < sectors; ++sector) {
        const double turn = 2 * std::numbers::pi * sector / sectors;
        const Vec3d normal(std::sin(polar) * std::cos(turn), std::cos(polar), -std::sin(polar) * std::sin(turn));
        vertex(centre + radius * normal, normal, color);
      }
    }
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
      for (std::uint32_t sector = 0; sector < sectors; ++sector) {
        const std::uint32_t a = first + ring * sectors + sector, b = first + ring * sectors + (sector + 1) % sectors;
        mesh_.triangles.push_back({a, a + sectors, b + sectors});
        mesh_.triangles.push_back({a, b + sectors, b});
      }
    }
  }

  // Thick near `from`, running to a point at `to`.
  void octahedron(const Vec3d& from, const Vec3d& to, double radius, const Color& color) {
    const Vec3d axis = to - from;
    const Vec3d direction = axis.normalized();
    const Vec3d side = direction.unitOrthogonal(), other = direction.cross(side);
    const Vec3d waist = from + std::min(0.16 * axis.norm(), 1.5 * radius) * direction;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const auto corner = [&](int q) {
        const double angle = std::numbers::pi / 2 * q + std::numbers::pi / 4;
        return Vec3d(waist + radius * (std::cos(angle) * side + std::sin(angle) * other));
      };
      flat_triangle(corner(quarter), corner(quarter + 1), to, color);
      flat_triangle(corner(quarter + 1), corner(quarter), from, color);
    }
  }

 private:
  void vertex(const Vec3d& position, const Vec3d& normal, const Color& color) {
    mesh_.positions.push_back(position.cast<float>());
    mesh_.normals.push_back(normal.cast<float>());
    mesh_.colors.emplace_back(color[0], color[1], color[2], 1.0f);
  }

  void flat_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Color& color) {
    const std::uint32_t first = static_cast<std::uint32_t>(mesh_.positions.size());
    const Vec3d normal = (b - a).cross(c - a).normalized();
    for (const Vec3d& p : {a, b, c}) vertex(p, normal, color);
    mesh_.triangles.push_back({first, first + 1, first + 2});
  }

  TriangleMesh& mesh_;
};

}  // namespace

TriangleMesh skeleton_overlay(const Skeleton& skeleton, const std::vector<Affine3d>& transforms, double size,
                              const SkeletonStyle& style) {
  TriangleMesh mesh;
  Builder builder(mesh);
  const std::vector<std::vector<int>> children = children_of(skeleton);
  const auto drawn = [&](int joint) {
    return (style.helpers || skeleton.kinds[joint] != JointKind::helper) && transforms[joint].translation().allFinite();
  };
  const double thickest = 0.011 * size, thinnest = 0.0025 * size;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (!drawn(joint)) continue;
    const Vec3d here = transforms[joint].translation();
    const bool highlighted = joint == style.highlighted;
    const Color bone = highlighted ? style.highlight : style.bone;
    const Color ball = highlighted ? style.highlight : style.joint;
    double radius = 0.5 * thickest;
    for (int child : children[joint]) {
      if (!drawn(child)) continue;
      const Vec3d there = transforms[child].translation();
      const double length = (there - here).norm();
      if (length < 1e-6 * size) continue;
      const double thickness = std::clamp(0.085 * length, thinnest, thickest);
      builder.octahedron(here, there, thickness, bone);
      radius = std::clamp(0.06 * length, 0.25 * thickest, radius);
    }
    if (skeleton.kinds[joint] == JointKind::end) radius *= 0.6;
    builder.sphere(here, highlighted ? 1.2 * thickest : radius, ball);
  }
  return mesh;
}

}  // namespace sinew
