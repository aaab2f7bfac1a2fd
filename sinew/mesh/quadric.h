// Plane quadrics and points on triangles: the arithmetic of simplification.
#pragma once

#include <algorithm>

#include "sinew/eigen_types.h"

namespace sinew {

// Sum of weighted squared distances to planes: pᵀ A p + 2 bᵀ p + c (Garland and Heckbert 1997).
struct Quadric {
  Mat3d a = Mat3d::Zero();
  Vec3d b = Vec3d::Zero();
  double c = 0;

  // The plane through `point` with this unit normal.
  void add_plane(const Vec3d& normal, const Vec3d& point, double weight) {
    const double offset = -normal.dot(point);
    a += weight * normal * normal.transpose();
    b += weight * offset * normal;
    c += weight * offset * offset;
  }
  Quadric& operator+=(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    return *this;
  }
  double at(const Vec3d& p) const { return std::max(0.0, p.dot(a * p) + 2 * b.dot(p) + c); }
};

// Weights of the three corners at the point of the triangle closest to p: non-negative, sum to 1. Also for triangles
// without area. (Ericson, "Real-Time Collision Detection", 5.1.5.)
inline Vec3d closest_weights(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3d bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 - d3 > 0 ? d1 / (d1 - d3) : 0.0;
    return {1 - t, t, 0};
  }
  const Vec3d cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 - d6 > 0 ? d2 / (d2 - d6) : 0.0;
    return {1 - t, 0, t};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double length = (d4 - d3) + (d5 - d6);
    const double t = length > 0 ? (d4 - d3) / length : 0.0;
    return {0, 1 - t, t};
  }
  const double sum = va + vb + vc;
  if (!(sum > 0)) return {1, 0, 0};
  const double v = vb / sum, w = vc / sum;
  return {std::max(0.0, 1 - v - w), v, w};
}

}  // namespace sinew
