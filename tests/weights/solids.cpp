#include "tests/weights/solids.h"

#include "tests/support/shapes.h"

namespace sinew::test {

TriangleMesh solid_box(const Vec3f& low, const Vec3f& high, int cuts) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (int i = 0; i <= cuts; ++i) {
        for (int j = 0; j <= cuts; ++j) {
          Vec3f p;
          p[axis] = upper ? high[axis] : low[axis];
          p[u] = low[u] + (high[u] - low[u]) * static_cast<float>(i) / static_cast<float>(cuts);
          p[v] = low[v] + (high[v] - low[v]) * static_cast<float>(j) / static_cast<float>(cuts);
          mesh.positions.push_back(p);
        }
      }
      const auto side = static_cast<std::uint32_t>(cuts + 1);
      for (std::uint32_t i = 0; i + 1 < side; ++i) {
        for (std::uint32_t j = 0; j + 1 < side; ++j) {
          const std::uint32_t a = first + i * side + j, b = a + side, c = b + 1, d = a + 1;
          if (upper) {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
          } else {
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({a, d, c});
          }
        }
      }
    }
  }
  return mesh;
}

TriangleMesh flat_rectangle(float width, float height, int cells) {
  TriangleMesh mesh;
  const auto side = static_cast<std::uint32_t>(cells + 1);
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j) {
      mesh.positions.emplace_back(width * static_cast<float>(i) / static_cast<float>(cells),
                                  height * static_cast<float>(j) / static_cast<float>(cells), 0.0f);
    }
  }
  for (std::uint32_t i = 0; i + 1 < side; ++i) {
    for (std::uint32_t j = 0; j + 1 < side; ++j) {
      const std::uint32_t a = i * side + j;
      mesh.triangles.push_back({a, a + side, a + side + 1});
      mesh.triangles.push_back({a, a + side + 1, a + 1});
    }
  }
  return mesh;
}

TriangleMesh fork(float length, float thickness, float gap) {
  // The outline in the plane, as an extruded polygon of three rectangles with shared corners.
  const float t = thickness, outer = t + gap / 2, inner = gap / 2, base = t;
  const std::vector<Vec2f> corners = {{0, -outer},    {base, -outer}, {length, -outer}, {length, -inner},
                                      {base, -inner}, {base, inner},  {length, inner},  {length, outer},
                                      {base, outer},  {0, outer}};
  const std::vector<std::array<std::uint32_t, 4>> faces = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  TriangleMesh mesh;
  for (const float z : {-t / 2, t / 2}) {
    for (const Vec2f& c : corners) mesh.positions.emplace_back(c.x(), c.y(), z);
  }
  const auto count = static_cast<std::uint32_t>(corners.size());
  const auto add_flat = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + count, b + count, c + count});
  };
  for (const auto& f : faces) {
    add_flat(f[0], f[1], f[2]);
    add_flat(f[0], f[2], f[3]);
  }
  // The base: 0, 1, 4, 5, 8, 9.
  add_flat(0, 1, 4);
  add_flat(0, 4, 5);
  add_flat(0, 5, 9);
  add_flat(5, 8, 9);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t j = (i + 1) % count;
    mesh.triangles.push_back({i, j, j + count});
    mesh.triangles.push_back({i, j + count, i + count});
  }
  return mesh;
}

BiharmonicHandle wall_handle(float place, const Vec3f& middle, float half_y, float half_z, int lines) {
  BiharmonicHandle handle;
  for (int i = 0; i < lines; ++i) {
    const float z = middle.z() + half_z * (2.0f * (static_cast<float>(i) + 0.5f) / static_cast<float>(lines) - 1.0f);
    handle.bones.push_back({0, Vec3d(place, middle.y() - half_y, z), Vec3d(place, middle.y() + half_y, z)});
  }
  return handle;
}

}  // namespace sinew::test
