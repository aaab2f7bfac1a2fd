#include "sinew/mesh/laplacian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

// The tufted cover: 2 × |triangles| intrinsic triangles. Side s of face f is the edge from corner s to corner s+1;
// half-edge h = 3 f + s. Every half-edge has exactly one twin.
struct TuftedCover {
  std::vector<std::uint32_t> vertex;  // per half-edge: the corner it starts at
  std::vector<double> length;         // per half-edge
  std::vector<std::uint32_t> twin;    // per half-edge
};

constexpr std::uint32_t next_side(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }

// Lengthens all edges by the same amount so that every triangle satisfies its inequality with `slack` to spare.
void mollify(std::vector<double>& lengths, double slack) {
  double missing = 0.0;
  for (std::size_t f = 0; f + 2 < lengths.size(); f += 3) {
    for (int s = 0; s < 3; ++s) {
      const double gap = lengths[f + (s + 1) % 3] + lengths[f + (s + 2) % 3] - lengths[f + s];
      missing = std::max(missing, slack - gap);
    }
  }
  if (missing > 0.0) {
    for (double& length : lengths) length += missing;
  }
}

TuftedCover build_cover(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                        double mollification) {
  const std::size_t count = triangles.size();
  std::vector<double> lengths(3 * count);
  for (std::size_t f = 0; f < count; ++f) {
    for (int s = 0; s < 3; ++s) {
      const Vec3d a = positions[triangles[f][s]].cast<double>();
      const Vec3d b = positions[triangles[f][(s + 1) % 3]].cast<double>();
      lengths[3 * f + s] = (b - a).norm();
    }
  }
  const double mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
  mollify(lengths, mollification * mean);

  TuftedCover cover;
  cover.vertex.resize(6 * count);
  cover.length.resize(6 * count);
  cover.twin.resize(6 * count);
  // Front face f keeps the corner order (0 1 2), back face count + f runs (0 2 1): its side 0 is the front's side 2
  // backwards, side 1 the front's side 1, side 2 the front's side 0.
  for (std::size_t f = 0; f < count; ++f) {
    const Triangle& t = triangles[f];
    const std::size_t front = 3 * f, back = 3 * (count + f);
    for (int s = 0; s < 3; ++s) {
      cover.vertex[front + s] = t[s];
      cover.vertex[back + s] = t[(3 - s) % 3];
      cover.length[front + s] = lengths[3 * f + s];
      cover.length[back + s] = lengths[3 * f + 2 - s];
    }
  }
  // Around an edge with faces f1 … fn, the back of each is glued to the front of the next; a boundary edge closes
  // on itself. Which half-edge of a face is "front" is decided by the edge's direction, not by the face's.
  struct Side {
    std::uint32_t low, high, face_side;
  };
  std::vector<Side> sides(3 * count);
  for (std::uint32_t h = 0; h < 3 * count; ++h) {
    const std::uint32_t a = triangles[h / 3][h % 3], b = triangles[h / 3][(h + 1) % 3];
    sides[h] = {std::min(a, b), std::max(a, b), h};
  }
  stop_if_cancelled();
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    if (x.low != y.low) return x.low < y.low;
    if (x.high != y.high) return x.high < y.high;
    return x.face_side < y.face_side;
  });
  const auto front_half_edge = [&](const Side& side) {  // the one that runs low → high
    const std::uint32_t h = side.face_side;
    if (cover.vertex[h] == side.low) return h;
    return static_cast<std::uint32_t>(3 * count) + 3 * (h / 3) + 2 - h % 3;
  };
  const auto back_half_edge = [&](const Side& side) {
    const std::uint32_t h = side.face_side;
    if (cover.vertex[h] != side.low) return h;
    return static_cast<std::uint32_t>(3 * count) + 3 * (h / 3) + 2 - h % 3;
  };
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin + 1;
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t following = i + 1 < end ? i + 1 : begin;
      const std::uint32_t a = front_half_edge(sides[i]), b = back_half_edge(sides[following]);
      cover.twin[a] = b;
      cover.twin[b] = a;
    }
    begin = end;
  }
  return cover;
}

double triangle_area(double a, double b, double c) {
  const double s = (a + b + c) / 2;
  return std::sqrt(std::max(0.0, s * (s - a) * (s - b) * (s - c)));
}

// Cotangent of the angle opposite half-edge h.
double opposite_cotangent(const TuftedCover& cover, std::uint32_t h) {
  const double a = cover.length[h], b = cover.length[next_side(h)], c = cover.length[next_side(next_side(h))];
  const double area = triangle_area(a, b, c);
  return area > 0 ? (b * b + c * c - a * a) / (4 * area) : 0.0;
}

double edge_weight(const TuftedCover& cover, std::uint32_t h) {
  return opposite_cotangent(cover, h) + opposite_cotangent(cover, cover.twin[h]);
}

// Length of the other diagonal of the two triangles beside half-edge h, laid flat.
double flipped_length(const TuftedCover& cover, std::uint32_t h) {
  const auto apex = [&](std::uint32_t side) {  // with side on the x axis from 0, the corner opposite it
    const double base = cover.length[side];
    const double from_end = cover.length[next_side(side)], from_start = cover.length[next_side(next_side(side))];
    const double x = (base * base + from_start * from_start - from_end * from_end) / (2 * base);
    return Eigen::Vector2d(x, std::sqrt(std::max(0.0, from_start * from_start - x * x)));
  };
  const Eigen::Vector2d above = apex(h);
  Eigen::Vector2d below = apex(cover.twin[h]);
  below = Eigen::Vector2d(cover.length[h] - below.x(), -below.y());
  return (above - below).norm();
}

// Replaces the edge of h by the other diagonal. Faces keep their numbers; the flipped edge stays h and its twin.
void flip(TuftedCover& cover, std::uint32_t h, double new_length) {
  const std::uint32_t t = cover.twin[h];
  const std::uint32_t h1 = next_side(h), h2 = next_side(h1), t1 = next_side(t), t2 = next_side(t1);
  // Before: face of h = (a b c) with h: a→b, h1: b→c, h2: c→a; face of t = (b a d) with t: b→a, t1: a→d, t2: d→b.
  // After: h: d→c, h1: c→a, h2: a→d; t: c→d, t1: d→b, t2: b→c.
  const std::uint32_t a = cover.vertex[h], b = cover.vertex[t], c = cover.vertex[h2], d = cover.vertex[t2];
  const std::array<std::uint32_t, 4> outer{h2, t1, t2, h1};  // c→a, a→d, d→b, b→c
  const std::array<std::uint32_t, 4> moved{h1, h2, t1, t2};  // where they go
  std::array<double, 4> lengths{};
  std::array<std::uint32_t, 4> twins{};
  for (int i = 0; i < 4; ++i) {
    lengths[i] = cover.length[outer[i]];
    twins[i] = cover.twin[outer[i]];
  }
  const auto renamed = [&](std::uint32_t half_edge) {
    for (int i = 0; i < 4; ++i) {
      if (outer[i] == half_edge) return moved[i];
    }
    return half_edge;
  };
  const std::array<std::uint32_t, 4> starts{c, a, d, b};
  for (int i = 0; i < 4; ++i) {
    cover.vertex[moved[i]] = starts[i];
    cover.length[moved[i]] = lengths[i];
    cover.twin[moved[i]] = renamed(twins[i]);
  }
  for (int i = 0; i < 4; ++i) cover.twin[cover.twin[moved[i]]] = moved[i];
  cover.vertex[h] = d;
  cover.vertex[t] = c;
  cover.length[h] = cover.length[t] = new_length;
}

void make_delaunay(TuftedCover& cover) {
  std::vector<std::uint32_t> queue;
  std::vector<char> queued(cover.vertex.size(), 0);
  const auto enqueue = [&](std::uint32_t h) {
    const std::uint32_t first = std::min(h, cover.twin[h]);
    if (!queued[first]) {
      queued[first] = 1;
      queue.push_back(first);
    }
  };
  for (std::uint32_t h = 0; h < cover.vertex.size(); ++h) enqueue(h);
  // Flipping ends by itself in exact arithmetic; the bound only guards against rounding on nearly cocircular corners.
  std::size_t flips_left = 10 * cover.vertex.size() + 1000;
  for (std::size_t step = 0; !queue.empty() && flips_left > 0; ++step) {
    stop_if_cancelled(step);
    const std::uint32_t h = queue.back();
    queue.pop_back();
    queued[h] = 0;
    const std::uint32_t t = cover.twin[h];
    if (h / 3 == t / 3 || edge_weight(cover, h) >= -1e-9) continue;
    const double length = flipped_length(cover, h);
    if (!(length > 0)) continue;
    flip(cover, h, length);
    --flips_left;
    for (std::uint32_t side : {next_side(h), next_side(next_side(h)), next_side(t), next_side(next_side(t))}) {
      enqueue(side);
    }
  }
}

}  // namespace

Laplacian robust_laplacian(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                           double mollification) {
  const auto count = static_cast<Eigen::Index>(positions.size());
  Laplacian result{Eigen::SparseMatrix<double>(count, count), Eigen::VectorXd::Zero(count)};
  if (triangles.empty()) return result;
  TuftedCover cover = build_cover(positions, triangles, mollification);
  make_delaunay(cover);

  // Both copies of every face together count twice.
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * cover.vertex.size());
  for (std::uint32_t h = 0; h < cover.vertex.size(); ++h) {
    stop_if_cancelled(h);
    if (h % 3 == 0) {
      const double area = triangle_area(cover.length[h], cover.length[h + 1], cover.length[h + 2]);
      for (int s = 0; s < 3; ++s) result.mass[cover.vertex[h + s]] += area / 6;
    }
    if (h > cover.twin[h]) continue;
    const std::uint32_t a = cover.vertex[h], b = cover.vertex[next_side(h)];
    const double weight = std::max(0.0, edge_weight(cover, h)) / 4;
    if (a == b || weight == 0.0) continue;
    entries.emplace_back(a, b, -weight);
    entries.emplace_back(b, a, -weight);
    entries.emplace_back(a, a, weight);
    entries.emplace_back(b, b, weight);
  }
  stop_if_cancelled();
  result.stiffness.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Laplacian cloud_laplacian(const std::vector<Vec3f>& positions, int neighbours) {
  const auto count = static_cast<Eigen::Index>(positions.size());
  Laplacian result{Eigen::SparseMatrix<double>(count, count), Eigen::VectorXd::Zero(count)};
  if (count < 2) return result;
  const NearestPoints points(positions);
  std::vector<std::vector<NearPoint>> near(positions.size());
  parallel_for(positions.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      points.nearest(positions[v], neighbours + 1, near[v]);
      std::erase_if(near[v], [&](const NearPoint& p) { return p.index == v; });
      if (near[v].size() > static_cast<std::size_t>(neighbours)) near[v].pop_back();
    }
  });

  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * positions.size() * static_cast<std::size_t>(neighbours));
  for (std::size_t v = 0; v < positions.size(); ++v) {
    double squares = 0;
    for (const NearPoint& p : near[v]) squares += p.distance * p.distance;
    const double reach = near[v].back().distance;
    const double area = std::numbers::pi * reach * reach / static_cast<double>(near[v].size());
    result.mass[static_cast<Eigen::Index>(v)] = area;
    // Half from each end: Σ w |e|² = 4 area when neighbours are mutual.
    const double weight = squares > 0 ? 2 * area / squares : 1.0;
    for (const NearPoint& p : near[v]) {
      const auto a = static_cast<int>(v), b = static_cast<int>(p.index);
      entries.emplace_back(a, b, -weight);
      entries.emplace_back(b, a, -weight);
      entries.emplace_back(a, a, weight);
      entries.emplace_back(b, b, weight);
    }
  }
  stop_if_cancelled();
  result.stiffness.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace sinew
