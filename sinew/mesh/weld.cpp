#include "sinew/mesh/weld.h"

#include <bit>
#include <cmath>
#include <unordered_map>

#include "sinew/base/cancellation.h"

namespace sinew {
namespace {

// Cell of a uniform grid (tolerance > 0) or the exact position (tolerance 0), hashed.
struct CellKey {
  std::int64_t x, y, z;
  bool operator==(const CellKey&) const = default;
};

struct CellHash {
  std::size_t operator()(const CellKey& key) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ull;
    for (std::int64_t part : {key.x, key.y, key.z}) {
      hash ^= static_cast<std::uint64_t>(part);
      hash *= 0xff51afd7ed558ccdull;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

CellKey exact_key(const Vec3f& p) {
  const auto bits = [](float value) {
    return static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value == 0.0f ? 0.0f : value));
  };
  return {bits(p.x()), bits(p.y()), bits(p.z())};
}

Weld weld_exactly(const std::vector<Vec3f>& positions) {
  Weld weld;
  weld.welded_of.resize(positions.size());
  std::unordered_map<CellKey, std::uint32_t, CellHash> seen;
  seen.reserve(positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    stop_if_cancelled(i);
    const auto next = static_cast<std::uint32_t>(weld.representative.size());
    const auto [entry, inserted] = seen.try_emplace(exact_key(positions[i]), next);
    if (inserted) weld.representative.push_back(i);
    weld.welded_of[i] = entry->second;
  }
  return weld;
}

Weld weld_within(const std::vector<Vec3f>& positions, double tolerance) {
  Weld weld;
  weld.welded_of.resize(positions.size());
  std::unordered_multimap<CellKey, std::uint32_t, CellHash> cells;  // cell → welded vertex
  cells.reserve(positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    stop_if_cancelled(i);
    const Vec3d p = positions[i].cast<double>();
    const auto cell = [&](int axis) { return static_cast<std::int64_t>(std::floor(p[axis] / tolerance)); };
    const CellKey home{cell(0), cell(1), cell(2)};
    std::int64_t found = -1;
    for (int n = 0; n < 27; ++n) {
      const CellKey key{home.x + n % 3 - 1, home.y + n / 3 % 3 - 1, home.z + n / 9 - 1};
      const auto [begin, end] = cells.equal_range(key);
      for (auto entry = begin; entry != end; ++entry) {
        const Vec3d other = positions[weld.representative[entry->second]].cast<double>();
        if ((other - p).norm() <= tolerance && (found < 0 || entry->second < found)) found = entry->second;
      }
    }
    if (found < 0) {
      found = static_cast<std::int64_t>(weld.representative.size());
      weld.representative.push_back(i);
      cells.emplace(home, static_cast<std::uint32_t>(found));
    }
    weld.welded_of[i] = static_cast<std::uint32_t>(found);
  }
  return weld;
}

}  // namespace

Weld weld_positions(const std::vector<Vec3f>& positions, double tolerance) {
  return tolerance > 0.0 ? weld_within(positions, tolerance) : weld_exactly(positions);
}

TriangleMesh welded_mesh(const TriangleMesh& mesh, const Weld& weld, std::vector<std::uint32_t>* kept_triangles) {
  TriangleMesh result;
  result.positions.reserve(weld.welded_count());
  for (std::uint32_t vertex : weld.representative) result.positions.push_back(mesh.positions[vertex]);
  result.triangles.reserve(mesh.triangles.size());
  if (kept_triangles) kept_triangles->clear();
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const Triangle welded{weld.welded_of[t[0]], weld.welded_of[t[1]], weld.welded_of[t[2]]};
    if (welded[0] == welded[1] || welded[1] == welded[2] || welded[2] == welded[0]) continue;
    result.triangles.push_back(welded);
    if (kept_triangles) kept_triangles->push_back(i);
  }
  return result;
}

}  // namespace sinew
