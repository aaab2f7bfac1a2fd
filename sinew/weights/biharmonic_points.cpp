#include "sinew/weights/biharmonic_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr int neighbours_3d = 20, neighbours_2d = 12;

struct HandlePoint {
  Vec3f position;
  int handle;
};

// Points along the part of a segment that is inside, about one spacing apart and half a spacing from its ends, so that
// two bones that meet in a joint share it evenly.
void sample_segment(const SolidDomain& domain, const SpacingField& spacing, const Vec3f& a, const Vec3f& b, int handle,
                    std::vector<HandlePoint>& points) {
  const double length = (b - a).cast<double>().norm();
  if (length == 0.0) {
    if (domain.contains(a)) points.push_back({a, handle});
    return;
  }
  // Narrow spacing anywhere along the segment governs all of it: a few points more do no harm.
  double step = length;
  for (int i = 0; i <= 8; ++i) {
    const Vec3f p = a + static_cast<float>(i / 8.0) * (b - a);
    step = std::min(step, spacing.at(p));
  }
  const int count = std::max(1, static_cast<int>(std::lround(length / step)));
  for (int i = 0; i < count; ++i) {
    const Vec3f p = a + static_cast<float>((i + 0.5) / count) * (b - a);
    if (domain.contains(p)) points.push_back({p, handle});
  }
}

// Interleaves the bits of a point's place in the box: sorts along a space-filling (Morton) curve.
std::uint64_t morton_code(const Vec3f& p, const AABBf& box) {
  const float extent = std::max(box.sizes().maxCoeff(), 1e-30f);
  std::uint64_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double unit = std::clamp<double>((p[axis] - box.min()[axis]) / extent, 0.0, 1.0);
    const auto cell = static_cast<std::uint64_t>(unit * ((1 << 20) - 1));
    for (int bit = 0; bit < 20; ++bit) code |= (cell >> bit & 1) << (3 * bit + axis);
  }
  return code;
}

}  // namespace

struct VisibleNeighbours::Tree {
  NearestPoints points;
};

VisibleNeighbours::VisibleNeighbours(const SolidDomain& domain, const std::vector<Vec3f>& points)
    : domain_(domain), points_(points), tree_(std::make_unique<Tree>(Tree{NearestPoints(points)})) {}
VisibleNeighbours::~VisibleNeighbours() = default;

void VisibleNeighbours::find(const Vec3f& from, int wanted, std::int64_t exclude,
                             std::vector<std::uint32_t>& result) const {
  std::vector<NearPoint> near;
  // Behind a wall many near points may be hidden: look further until enough are seen.
  for (int looked_at = 2 * wanted; looked_at <= 32 * wanted; looked_at *= 4) {
    result.clear();
    tree_->points.nearest(from, looked_at, near);
    for (const NearPoint& n : near) {
      if (static_cast<std::int64_t>(n.index) == exclude || !domain_.sees(from, points_[n.index])) continue;
      result.push_back(n.index);
      if (static_cast<int>(result.size()) == wanted) return;
    }
    if (2 * static_cast<int>(result.size()) >= wanted) return;
  }
}

BiharmonicPoints make_biharmonic_points(const SolidDomain& domain, const SpacingField& spacing,
                                        const std::vector<BiharmonicHandle>& handles, const BiharmonicOptions& options,
                                        Warnings&) {
  std::vector<HandlePoint> on_handles;
  for (std::size_t h = 0; h < handles.size(); ++h) {
    for (const auto& [a, b] : handles[h].segments) {
      sample_segment(domain, spacing, a, b, static_cast<int>(h), on_handles);
    }
  }
  std::vector<Vec3f> fixed;
  for (const HandlePoint& p : on_handles) fixed.push_back(p.position);
  const VolumeSamples samples = sample_volume(domain, spacing, fixed, options.seed);

  const std::size_t count = samples.positions.size();
  std::vector<std::uint64_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i] = morton_code(samples.positions[i], domain.bounds());
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return codes[a] != codes[b] ? codes[a] < codes[b] : a < b; });

  BiharmonicPoints points;
  for (std::uint32_t i : order) {
    points.positions.push_back(samples.positions[i]);
    points.spacing.push_back(samples.spacing[i]);
    points.volume.push_back(samples.volume[i]);
    points.handle.push_back(i < on_handles.size() ? on_handles[i].handle : -1);
  }
  points.insideness.resize(count);
  const VisibleNeighbours visible(domain, points.positions);
  std::vector<std::vector<std::uint32_t>> lists(count);
  const int wanted = domain.dimension() == 2 ? neighbours_2d : neighbours_3d;
  parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      points.insideness[i] = std::max(domain.insideness(points.positions[i]), 0.01);
      visible.find(points.positions[i], wanted, static_cast<std::int64_t>(i), lists[i]);
    }
  });
  points.neighbours = to_index_rows(lists);
  return points;
}

}  // namespace sinew
