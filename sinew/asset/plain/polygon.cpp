#include "sinew/asset/plain/polygon.h"

#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using Point = Eigen::Vector2d;

constexpr std::size_t max_clipped_corners = 1024;

// Twice the signed area of abc.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// The polygon seen along its area vector (Newell), counter-clockwise; empty when it has no area.
std::vector<Point> flatten(std::span<const Vec3f> corners) {
  const Vec3d origin = corners[0].cast<double>();
  Vec3d area = Vec3d::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    area += (corners[i].cast<double>() - origin).cross(corners[i + 1].cast<double>() - origin);
  }
  int axis;
  if (!(area.cwiseAbs().maxCoeff(&axis) > 0) || !area.allFinite()) return {};
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double sign = area[axis] > 0 ? 1.0 : -1.0;
  std::vector<Point> points(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) points[i] = Point(sign * corners[i][u], corners[i][v]);
  return points;
}

bool is_convex(const std::vector<Point>& p) {
  const std::size_t n = p.size();
  // Every fan triangle and every corner must turn left; the fan test also rules out polygons that wind twice.
  for (std::size_t i = 0; i < n; ++i) {
    if (turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) < 0) return false;
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (turn(p[0], p[i], p[i + 1]) < 0) return false;
  }
  return true;
}

bool inside(const Point& a, const Point& b, const Point& c, const Point& p) {
  if (p == a || p == b || p == c) return false;
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

// Whether the corner `i` of the remaining polygon can be cut off.
bool is_ear(const std::vector<Point>& p, const std::vector<std::uint32_t>& left, std::size_t i) {
  const std::size_t n = left.size();
  const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
  const Point &a = p[left[before]], &b = p[left[i]], &c = p[left[after]];
  if (turn(a, b, c) <= 0) return false;
  for (std::size_t other = 0; other < n; ++other) {
    if (other != before && other != i && other != after && inside(a, b, c, p[left[other]])) return false;
  }
  return true;
}

}  // namespace

void triangulate_polygon(std::span<const Vec3f> corners, std::vector<std::array<std::uint32_t, 3>>& triangles) {
  triangles.clear();
  const auto count = static_cast<std::uint32_t>(corners.size());
  if (count < 3) return;
  std::vector<Point> points;
  if (count > 3 && count <= max_clipped_corners) points = flatten(corners);
  if (points.empty() || is_convex(points)) {
    for (std::uint32_t i = 1; i + 1 < count; ++i) triangles.push_back({0, i, i + 1});
    return;
  }
  std::vector<std::uint32_t> left(count);
  std::iota(left.begin(), left.end(), 0u);
  std::size_t i = 1, tried = 0;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    i %= n;
    // A polygon that crosses itself may run out of ears: then the next corner is cut off as it is.
    if (is_ear(points, left, i) || tried >= n) {
      triangles.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      tried = 0;
    } else {
      ++i;
      ++tried;
    }
  }
  triangles.push_back({left[0], left[1], left[2]});
}

}  // namespace sinew
