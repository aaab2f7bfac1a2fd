#include "sinew/mesh/shared_vertices.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew {

namespace {

constexpr std::uint64_t second_scale = 1;  // lowest bit of a place: which scale it is of

void add_places(const TriangleMesh& mesh, double unit, std::uint64_t scale, std::vector<std::uint64_t>& places) {
  for (const Vec3f& position : mesh.positions) {
    std::uint64_t place = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto step = static_cast<std::int64_t>(std::llround(position[axis] / unit));
      place = (place ^ static_cast<std::uint64_t>(step)) * 0x9e3779b97f4a7c15ull;
      place ^= place >> 29;
    }
    places.push_back((place & ~second_scale) | scale);
  }
}

}  // namespace

std::vector<std::uint64_t> vertex_places(const TriangleMesh& mesh) {
  const double diagonal = bounding_diagonal(mesh);
  std::vector<std::uint64_t> places;
  if (!(diagonal > 0)) return places;
  add_places(mesh, 1e-4 * diagonal, 0, places);
  add_places(mesh, 1e-4 * std::exp2(std::floor(std::log2(diagonal))), second_scale, places);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

double shared_places(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<std::uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  double share = 0;
  for (const std::uint64_t scale : {std::uint64_t{0}, second_scale}) {
    const auto count = [scale](const std::vector<std::uint64_t>& places) {
      return static_cast<double>(std::count_if(
          places.begin(), places.end(), [scale](std::uint64_t place) { return (place & second_scale) == scale; }));
    };
    share = std::max(share, count(common) / std::max(1.0, std::min(count(a), count(b))));
  }
  return share;
}

}  // namespace sinew
