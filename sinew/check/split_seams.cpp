// Seams that tear: the surface goes on from one triangle to the next, but the copies of their common vertices have
// other weights. Pieces that only touch (the shells of a robot) are no seam: there the surface does not go on.
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/disjoint_sets.h"
#include "sinew/check/detectors.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr double torn = 0.05;  // half L1 distance from which copies tear

}  // namespace

void find_split_seams(const CheckedSkin& skin, Suspicions& found) {
  // Copies with the same weights are one vertex already: what is still double differs.
  const Weld weld = weld_positions(skin.mesh.positions, 1e-6 * skin.diagonal);
  if (weld.welded_count() == skin.vertex_count()) return;
  struct Side {
    int triangles = 0;
    std::array<std::array<std::uint32_t, 2>, 2> ends{};  // of the first two triangles, in order of place
  };
  std::map<Edge, Side> sides;
  for (const Triangle& triangle : skin.mesh.triangles) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      std::uint32_t a = triangle[corner], b = triangle[(corner + 1) % 3];
      if (weld.welded_of[a] > weld.welded_of[b]) std::swap(a, b);
      Side& side = sides[{weld.welded_of[a], weld.welded_of[b]}];
      if (side.triangles < 2) side.ends[static_cast<std::size_t>(side.triangles)] = {a, b};
      ++side.triangles;
    }
  }
  std::vector<char> torn_place(skin.vertex_count(), 0);
  DisjointSets together(skin.vertex_count());
  std::vector<Offset> gap(skin.vertex_count());
  for (const auto& [edge, side] : sides) {
    if (side.triangles != 2) continue;
    std::vector<std::uint32_t> ends;
    for (std::size_t end = 0; end < 2; ++end) {
      const std::uint32_t a = side.ends[0][end], b = side.ends[1][end];
      if (a == b) continue;
      const WeightList apart = difference(weights_of(skin, a), weights_of(skin, b));
      if (magnitude(apart) < torn || !skin.is_weighted(a) || !skin.is_weighted(b)) continue;
      torn_place[a] = torn_place[b] = 1;
      together.join(a, b);
      ends.push_back(a);
      const Offset offset = worst_offset(skin, skin.position(a), apart);
      for (const std::uint32_t vertex : {a, b}) {
        if (offset.distance > gap[vertex].distance) gap[vertex] = offset;
      }
    }
    if (ends.size() == 2) together.join(ends[0], ends[1]);
  }
  std::map<std::uint32_t, Suspicion> seams;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    if (!torn_place[vertex]) continue;
    Suspicion& own = seams[together.find(vertex)];
    own.kind = FindingKind::split_seam;
    own.vertices.push_back(vertex);
    if (gap[vertex].distance > own.offset.distance) own.offset = gap[vertex];
  }
  for (auto& [first, own] : seams) found.push_back(std::move(own));
}

}  // namespace sinew
