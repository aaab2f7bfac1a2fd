#include "sinew/mesh/self_intersections.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t leaf_size = 4, grain = 256;

// Sign of the volume of tetrahedron abcd: +1, -1, or 0 when rounding could have changed it. Coordinates are floats, so
// their differences are all but exact in double; the bound is the one of Shewchuk's first filter, slightly enlarged.
int volume_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d u = a - d, v = b - d, w = c - d;
  const double vw = v.x() * w.y(), wv = w.x() * v.y(), wu = w.x() * u.y(), uw = u.x() * w.y(), uv = u.x() * v.y(),
               vu = v.x() * u.y();
  const double determinant = u.z() * (vw - wv) + v.z() * (wu - uw) + w.z() * (uv - vu);
  const double magnitude = std::abs(u.z()) * (std::abs(vw) + std::abs(wv)) +
                           std::abs(v.z()) * (std::abs(wu) + std::abs(uw)) +
                           std::abs(w.z()) * (std::abs(uv) + std::abs(vu));
  if (!(std::abs(determinant) > 1e-15 * magnitude)) return 0;
  return determinant > 0 ? 1 : -1;
}

using Corners = std::array<Vec3d, 3>;

// Whether the segment pq, whose ends lie strictly on both sides of the plane, passes through the triangle's inside.
bool passes_through(const Vec3d& p, const Vec3d& q, const Corners& t) {
  const int s0 = volume_sign(p, q, t[0], t[1]), s1 = volume_sign(p, q, t[1], t[2]), s2 = volume_sign(p, q, t[2], t[0]);
  return s0 != 0 && s0 == s1 && s1 == s2;
}

bool edge_passes_through(const Corners& edges_of, const Corners& t, const std::array<int, 3>& side) {
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (side[k] * side[next] < 0 && passes_through(edges_of[k], edges_of[next], t)) return true;
  }
  return false;
}

std::array<int, 3> sides(const Corners& corners, const Corners& plane) {
  return {volume_sign(plane[0], plane[1], plane[2], corners[0]), volume_sign(plane[0], plane[1], plane[2], corners[1]),
          volume_sign(plane[0], plane[1], plane[2], corners[2])};
}

bool on_one_side(const std::array<int, 3>& side) {
  return (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0);
}

bool triangles_cross(const Corners& a, const Corners& b) {
  const std::array<int, 3> a_sides = sides(a, b);
  const std::array<int, 3> b_sides = sides(b, a);
  if (on_one_side(a_sides) && on_one_side(b_sides)) return false;
  return edge_passes_through(a, b, a_sides) || edge_passes_through(b, a, b_sides);
}

// A binary tree of boxes over the triangles, split at the median.
class TriangleTree {
 public:
  TriangleTree(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles)
      : positions_(positions), triangles_(triangles), boxes_(triangles.size()) {
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      bool finite = true;
      for (std::uint32_t vertex : triangles[t]) {
        finite = finite && positions[vertex].allFinite();
        boxes_[t].extend(positions[vertex]);
      }
      if (finite) order_.push_back(t);
    }
    if (!order_.empty()) build(0, order_.size());
  }

  // Calls visit(other) for every triangle other than `triangle` that crosses it, until visit returns false.
  template <typename Visit>
  void crossings(std::uint32_t triangle, Visit&& visit) const {
    if (nodes_.empty() || !finite(triangle)) return;
    const AABBf& box = boxes_[triangle];
    const Corners corners = corners_of(triangle);
    std::uint32_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const Node& node = nodes_[stack[--depth]];
      if (!node.box.intersects(box)) continue;
      if (node.is_leaf()) {
        for (std::size_t i = node.begin; i < node.end; ++i) {
          const std::uint32_t other = order_[i];
          if (other == triangle || !boxes_[other].intersects(box) || share_vertex(triangle, other)) continue;
          if (triangles_cross(corners, corners_of(other)) && !visit(other)) return;
        }
      } else {
        stack[depth++] = node.right;
        stack[depth++] = node.left;
      }
    }
  }

 private:
  struct Node {
    AABBf box;
    std::size_t begin = 0, end = 0;  // of a leaf: its part of order_
    std::uint32_t left = 0, right = 0;
    bool is_leaf() const { return right == 0; }
  };

  std::uint32_t build(std::size_t begin, std::size_t end) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    stop_if_cancelled(index);
    nodes_.emplace_back();
    AABBf box, centres;
    for (std::size_t i = begin; i < end; ++i) {
      box.extend(boxes_[order_[i]]);
      centres.extend(boxes_[order_[i]].center());
    }
    nodes_[index].box = box;
    nodes_[index].begin = begin;
    nodes_[index].end = end;
    if (end - begin <= leaf_size) return index;
    int axis = 0;
    centres.sizes().maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                     order_.begin() + static_cast<std::ptrdiff_t>(middle),
                     order_.begin() + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t a, std::uint32_t b) {
                       const float x = boxes_[a].center()[axis], y = boxes_[b].center()[axis];
                       return x < y || (x == y && a < b);
                     });
    nodes_[index].left = build(begin, middle);
    nodes_[index].right = build(middle, end);
    return index;
  }

  bool finite(std::uint32_t triangle) const {
    const Triangle& t = triangles_[triangle];
    return positions_[t[0]].allFinite() && positions_[t[1]].allFinite() && positions_[t[2]].allFinite();
  }

  bool share_vertex(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t x : triangles_[a]) {
      for (std::uint32_t y : triangles_[b]) {
        if (x == y) return true;
      }
    }
    return false;
  }

  Corners corners_of(std::uint32_t triangle) const {
    const Triangle& t = triangles_[triangle];
    return {positions_[t[0]].cast<double>(), positions_[t[1]].cast<double>(), positions_[t[2]].cast<double>()};
  }

  const std::vector<Vec3f>& positions_;
  const std::vector<Triangle>& triangles_;
  std::vector<AABBf> boxes_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<std::uint8_t> self_intersecting_triangles(const std::vector<Vec3f>& positions,
                                                      const std::vector<Triangle>& triangles) {
  const TriangleTree tree(positions, triangles);
  std::vector<std::uint8_t> crosses(triangles.size(), 0);
  parallel_for(triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      tree.crossings(static_cast<std::uint32_t>(t), [&](std::uint32_t) {
        crosses[t] = 1;
        return false;
      });
    }
  });
  return crosses;
}

std::size_t count_self_intersecting_triangles(const std::vector<Vec3f>& positions,
                                              const std::vector<Triangle>& triangles) {
  const std::vector<std::uint8_t> crosses = self_intersecting_triangles(positions, triangles);
  return std::accumulate(crosses.begin(), crosses.end(), std::size_t{0});
}

std::vector<std::array<std::uint32_t, 2>> self_intersection_pairs(const std::vector<Vec3f>& positions,
                                                                  const std::vector<Triangle>& triangles) {
  using Pairs = std::vector<std::array<std::uint32_t, 2>>;
  const TriangleTree tree(positions, triangles);
  std::vector<Pairs> blocks((triangles.size() + grain - 1) / grain);
  parallel_for(triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    Pairs& pairs = blocks[begin / grain];
    for (std::size_t t = begin; t < end; ++t) {
      tree.crossings(static_cast<std::uint32_t>(t), [&](std::uint32_t other) {
        if (other > t) pairs.push_back({static_cast<std::uint32_t>(t), other});
        return true;
      });
    }
    std::sort(pairs.begin(), pairs.end());
  });
  Pairs all;
  for (const Pairs& pairs : blocks) all.insert(all.end(), pairs.begin(), pairs.end());
  return all;
}

}  // namespace sinew
