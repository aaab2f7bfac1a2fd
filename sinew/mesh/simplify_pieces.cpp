#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/cancellation.h"
#include "sinew/base/disjoint_sets.h"
#include "sinew/mesh/simplify_surface.h"

namespace sinew {

void SimplifySurface::find_pieces() {
  DisjointSets sets(position.size());
  for (std::uint32_t t = 0; t < corners.size(); ++t) {
    stop_if_cancelled(t);
    if (!alive[t]) continue;
    sets.join(point(t, 0), point(t, 1));
    sets.join(point(t, 1), point(t, 2));
  }
  piece_of.assign(position.size(), 0);
  std::vector<std::uint32_t> number(position.size(), 0xffffffffu);
  std::vector<Eigen::AlignedBox3d> boxes;
  for (std::uint32_t p = 0; p < position.size(); ++p) {
    if (triangles_of[p].empty()) continue;
    std::uint32_t& piece = number[sets.find(p)];
    if (piece == 0xffffffffu) {
      piece = static_cast<std::uint32_t>(boxes.size());
      boxes.emplace_back();
    }
    piece_of[p] = piece;
    boxes[piece].extend(position[p]);
  }
  for (const Eigen::AlignedBox3d& box : boxes) piece_size.push_back(0.5 * box.diagonal().norm());
  droppable.resize(piece_size.size());
  std::iota(droppable.begin(), droppable.end(), 0u);
  // The smallest at the end, where it is taken from.
  std::stable_sort(droppable.begin(), droppable.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return piece_size[a] > piece_size[b]; });
  if (!droppable.empty()) droppable.erase(droppable.begin());
}

bool SimplifySurface::within_limits(const Collapse& collapse) const {
  if (options.max_error <= 0 && piece_size.empty()) return true;
  const double size = area[collapse.from] + area[collapse.into];
  if (!(size > 0)) return true;
  const double error = std::sqrt(collapse.cost / size);
  if (options.max_error > 0 && error > options.max_error) return false;
  return piece_size.empty() || error <= options.piece_error * piece_size[piece_of[collapse.from]];
}

bool SimplifySurface::next_piece_may_go(bool stuck) const {
  if (droppable.empty()) return false;
  const double size = piece_size[droppable.back()];
  if (options.max_error > 0 && size > options.max_error) return false;
  return stuck ? options.max_error > 0 || size <= 0.25 * *std::max_element(piece_size.begin(), piece_size.end())
               : size <= largest_error;
}

void SimplifySurface::drop_next_piece() {
  const std::uint32_t piece = droppable.back();
  droppable.pop_back();
  for (std::uint32_t p = 0; p < position.size(); ++p) {
    if (triangles_of[p].empty() || piece_of[p] != piece) continue;
    for (const std::uint32_t t : triangles_of[p]) {
      if (!alive[t]) continue;
      alive[t] = 0;
      hung_on[t].clear();
      for (int k = 0; k < 3; ++k) live_vertices -= --uses[corners[t][k]] == 0;
    }
    triangles_of[p].clear();
    --live_points;
  }
  for (Hung& h : hung) {
    if (h.triangle != 0xffffffffu && !alive[h.triangle]) h.triangle = 0xffffffffu;
  }
  largest_error = std::max(largest_error, piece_size[piece]);
  ++dropped;
}

}  // namespace sinew
