// Small things to draw whose pictures are known in closed form.
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/mesh.h"

namespace sinew::test {

// A sphere of latitude rings; closed, counter-clockwise from outside.
inline TriangleMesh make_sphere(float radius, std::uint32_t rings = 48, std::uint32_t sectors = 96) {
  TriangleMesh mesh;
  for (std::uint32_t ring = 0; ring <= rings; ++ring) {
    const float polar = std::numbers::pi_v<float> * ring / rings;
    for (std::uint32_t sector = 0; sector < sectors; ++sector) {
      const float turn = 2 * std::numbers::pi_v<float> * sector / sectors;
      mesh.positions.push_back(
          radius * Vec3f(std::sin(polar) * std::cos(turn), std::cos(polar), -std::sin(polar) * std::sin(turn)));
    }
  }
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t sector = 0; sector < sectors; ++sector) {
      const std::uint32_t a = ring * sectors + sector, b = ring * sectors + (sector + 1) % sectors;
      if (ring > 0) mesh.triangles.push_back({a, b + sectors, b});
      if (ring + 1 < rings) mesh.triangles.push_back({a, a + sectors, b + sectors});
    }
  }
  return mesh;
}

// A square of side 2 in the plane z = 0, facing +z.
inline TriangleMesh make_square() {
  TriangleMesh mesh;
  mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

}  // namespace sinew::test
