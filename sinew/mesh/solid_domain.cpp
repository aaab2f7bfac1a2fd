#include "sinew/mesh/solid_domain.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "sinew/base/random.h"
#include "sinew/mesh/cloud_normals.h"

namespace sinew {
namespace {

// Thresholds of the source (section 5.2): what is below the lower one is outside however broken the surface is.
constexpr double lowest_threshold = 0.1;
constexpr double highest_threshold = 0.5;
constexpr double ramp = 0.15;
// A mesh is planar when it is this much thinner than wide.
constexpr double planar_tolerance = 1e-5;

// The split of values in [0, 1] that leaves the least variance on both sides (Otsu 1979);
// in the middle of all splits that do.
double otsu_split(const std::vector<float>& values) {
  constexpr int bins = 50;
  double count[bins] = {}, total = 0.0, total_sum = 0.0;
  for (float value : values) {
    const double clamped = std::clamp(static_cast<double>(value), 0.0, 1.0);
    const int bin = std::min(bins - 1, static_cast<int>(clamped * bins));
    count[bin] += 1.0;
    total += 1.0;
    total_sum += (bin + 0.5) / bins;
  }
  double below = 0.0, below_sum = 0.0, best = -1.0, first = highest_threshold, last = highest_threshold;
  for (int bin = 0; bin + 1 < bins; ++bin) {
    below += count[bin];
    below_sum += count[bin] * (bin + 0.5) / bins;
    if (below == 0.0 || below == total) continue;
    const double difference = below_sum / below - (total_sum - below_sum) / (total - below);
    const double between = below * (total - below) * difference * difference;
    if (between > best * (1 + 1e-9)) {
      best = between;
      first = (bin + 1.0) / bins;
    }
    if (between > best * (1 - 1e-9)) last = (bin + 1.0) / bins;
  }
  return (first + last) / 2;
}

// Directions spread evenly over the half sphere (a Fibonacci lattice): chords need no opposite ones.
std::vector<Vec3f> chord_directions(int count) {
  std::vector<Vec3f> directions;
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = (i + 0.5) / count, radius = std::sqrt(1.0 - z * z);
    directions.push_back(Vec3d(radius * std::cos(golden * i), radius * std::sin(golden * i), z).cast<float>());
  }
  return directions;
}

}  // namespace

SolidDomain::SolidDomain(const TriangleMesh& mesh) {
  check_mesh(mesh);
  std::vector<std::uint32_t> finite;
  for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) {
    if (mesh.positions[i].allFinite()) finite.push_back(i);
  }
  if (finite.size() < mesh.positions.size()) {
    warnings_.push_back({"positions-not-finite", std::to_string(mesh.positions.size() - finite.size()) +
                                                     " positions are not finite and were ignored"});
  }
  for (std::uint32_t i : finite) bounds_.extend(mesh.positions[i]);
  diagonal_ = finite.empty() ? 0.0 : bounds_.diagonal().cast<double>().norm();
  if (!(diagonal_ > 0.0)) throw Error(ErrorCode::mesh_degenerate, "all vertices of the mesh lie at one point");
  if (mesh.is_point_cloud()) {
    use_cloud(mesh, finite);
  } else {
    positions_ = mesh.positions;
    for (const Triangle& t : mesh.triangles) {
      if (positions_[t[0]].allFinite() && positions_[t[1]].allFinite() && positions_[t[2]].allFinite()) {
        triangles_.push_back(t);
      }
    }
    // Positions nobody uses must not reach the planarity test.
    for (Vec3f& p : positions_) {
      if (!p.allFinite()) p = bounds_.center();
    }
    winding_ = std::make_unique<WindingNumber>(positions_, triangles_);
  }
  surface_ = std::make_unique<RayScene>(positions_, triangles_);
  if (!mesh.is_point_cloud()) use_plane();
  threshold_ = dimension_ == 3 ? choose_threshold() : highest_threshold;
}

void SolidDomain::use_cloud(const TriangleMesh& mesh, const std::vector<std::uint32_t>& finite) {
  std::vector<Vec3f> points, normals;
  for (std::uint32_t i : finite) {
    points.push_back(mesh.positions[i]);
    if (!mesh.normals.empty()) normals.push_back(mesh.normals[i]);
  }
  if (normals.empty()) {
    normals = estimate_cloud_normals(points);
    warnings_.push_back({"normals-estimated", "the point cloud has no normals; they were estimated"});
  }
  const std::vector<float> areas = cloud_areas(points);
  winding_ = std::make_unique<WindingNumber>(points, normals, areas);
  // Discs reach a little over their neighbours, so that no view slips through between them.
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float radius = 1.5f * std::sqrt(areas[i] / static_cast<float>(std::numbers::pi));
    const Vec3f u = normals[i].unitOrthogonal(), v = normals[i].cross(u);
    const auto first = static_cast<std::uint32_t>(positions_.size());
    for (int corner = 0; corner < 4; ++corner) {
      const float a = corner < 2 ? radius : -radius, b = corner == 0 || corner == 3 ? radius : -radius;
      positions_.push_back(points[i] + a * u - b * v);
    }
    triangles_.push_back({first, first + 1, first + 2});
    triangles_.push_back({first, first + 2, first + 3});
  }
}

// A planar mesh has no volume: its inside is the sheet, and its open edges become walls that stand on it.
void SolidDomain::use_plane() {
  Mat3d covariance = Mat3d::Zero();
  const Vec3d centre = bounds_.center().cast<double>();
  for (const Triangle& t : triangles_) {
    for (std::uint32_t v : t) {
      const Vec3d d = positions_[v].cast<double>() - centre;
      covariance += d * d.transpose();
    }
  }
  const Eigen::SelfAdjointEigenSolver<Mat3d> axes(covariance);
  const Vec3d normal = axes.eigenvectors().col(0);
  const double offset = normal.dot(positions_[triangles_.empty() ? 0 : triangles_[0][0]].cast<double>());
  for (const Triangle& t : triangles_) {
    for (std::uint32_t v : t) {
      if (std::abs(normal.dot(positions_[v].cast<double>()) - offset) > planar_tolerance * diagonal_) return;
    }
  }
  dimension_ = 2;
  plane_normal_ = normal.cast<float>();
  const auto less = [](const Vec3f& a, const Vec3f& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  };
  const auto edge_less = [&](const std::pair<Vec3f, Vec3f>& a, const std::pair<Vec3f, Vec3f>& b) {
    return less(a.first, b.first) || (!less(b.first, a.first) && less(a.second, b.second));
  };
  // By position, so that seams do not look like open edges.
  std::map<std::pair<Vec3f, Vec3f>, int, decltype(edge_less)> uses(edge_less);
  for (const Triangle& t : triangles_) {
    for (int i = 0; i < 3; ++i) {
      std::pair<Vec3f, Vec3f> edge{positions_[t[i]], positions_[t[(i + 1) % 3]]};
      if (less(edge.second, edge.first)) std::swap(edge.first, edge.second);
      ++uses[edge];
    }
  }
  std::vector<Vec3f> corners;
  std::vector<Triangle> walls;
  const Vec3f up = static_cast<float>(diagonal_) * plane_normal_;
  for (const auto& [edge, count] : uses) {
    if (count != 1) continue;
    const auto first = static_cast<std::uint32_t>(corners.size());
    for (const Vec3f& corner :
         {Vec3f(edge.first - up), Vec3f(edge.second - up), Vec3f(edge.second + up), Vec3f(edge.first + up)}) {
      corners.push_back(corner);
    }
    walls.push_back({first, first + 1, first + 2});
    walls.push_back({first, first + 2, first + 3});
  }
  walls_ = std::make_unique<RayScene>(corners, walls);
}

// A surface with missing pieces has winding numbers below one inside, so the line between in and out moves down.
// Where nearly everything that is enclosed is enclosed backwards, the surface is inside out.
double SolidDomain::choose_threshold() {
  Random random(1);
  std::vector<float> values;
  for (int i = 0; i < 4000; ++i) {
    const double z = random.uniform(), y = random.uniform(), x = random.uniform();
    const Vec3d unit(x, y, z);
    const Vec3f p = bounds_.min() + unit.cast<float>().cwiseProduct(bounds_.sizes());
    values.push_back((*winding_)(p));
  }
  const auto enclosed = [&](float sign) {
    return std::count_if(values.begin(), values.end(), [&](float value) { return sign * value > lowest_threshold; });
  };
  if (enclosed(-1.0f) > 4 * enclosed(1.0f)) {
    outwards_ = -1.0f;
    for (float& value : values) value = -value;
  }
  return std::clamp(otsu_split(values), lowest_threshold, highest_threshold);
}

double SolidDomain::insideness(const Vec3f& point) const {
  if (dimension_ == 2) {
    ClosestPoint closest;
    return surface_->closest_point(point, closest, static_cast<float>(1e-4 * diagonal_)) ? 1.0 : 0.0;
  }
  return std::clamp((outwards_ * (*winding_)(point)-threshold_) / ramp, 0.0, 1.0);
}

bool SolidDomain::sees(const Vec3f& from, const Vec3f& to) const {
  return (walls_ ? *walls_ : *surface_).visible(from, to, 0.0f);
}

bool SolidDomain::closest_point(const Vec3f& point, ClosestPoint& result, float radius) const {
  return surface_->closest_point(point, result, radius);
}

bool SolidDomain::closest_wall(const Vec3f& point, ClosestPoint& result, float radius) const {
  return (walls_ ? *walls_ : *surface_).closest_point(point, result, radius);
}

Vec3f SolidDomain::surface_normal(std::uint32_t triangle) const {
  const Triangle& t = triangles_[triangle];
  const Vec3d a = positions_[t[0]].cast<double>();
  const Vec3d cross = (positions_[t[1]].cast<double>() - a).cross(positions_[t[2]].cast<double>() - a);
  const double length = cross.norm();
  return length > 0.0 ? Vec3f((cross / length).cast<float>()) : Vec3f(0, 0, 1);
}

namespace {

double triangle_area(const std::vector<Vec3f>& positions, const Triangle& t) {
  const Vec3d a = positions[t[0]].cast<double>();
  return 0.5 * (positions[t[1]].cast<double>() - a).cross(positions[t[2]].cast<double>() - a).norm();
}

}  // namespace

double SolidDomain::area() const {
  double sum = 0.0;
  for (const Triangle& t : triangles_) sum += triangle_area(positions_, t);
  return sum;
}

std::vector<Vec3f> SolidDomain::spread_over_surface(std::size_t count) const {
  std::vector<Vec3f> places;
  const double step = area() / static_cast<double>(count);
  double due = 0.5;
  Random random(1);
  for (const Triangle& t : triangles_) {
    for (due += triangle_area(positions_, t) / step; due >= 1.0; due -= 1.0) {
      double u = random.uniform(), v = random.uniform();
      if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
      const Vec3d a = positions_[t[0]].cast<double>();
      places.push_back(
          (a + u * (positions_[t[1]].cast<double>() - a) + v * (positions_[t[2]].cast<double>() - a)).cast<float>());
    }
  }
  return places;
}

bool SolidDomain::point_under_surface(const Vec3f& point, float radius, float depth, Vec3f& result) const {
  ClosestPoint closest;
  if (!closest_point(point, closest, radius)) return false;
  result = closest.position;
  if (dimension_ == 2) return true;
  const Vec3f normal = surface_normal(closest.triangle);
  for (float side : {-1.0f, 1.0f}) {
    result = closest.position + side * depth * normal;
    // Clear of the surface on all sides: neither in the corner of two faces,
    // nor through a plate thinner than the depth.
    ClosestPoint other;
    if (contains(result) && !closest_point(result, other, 0.5f * depth) &&
        sees(result, closest.position + side * 0.1f * depth * normal)) {
      return true;
    }
  }
  return false;
}

double SolidDomain::thickness(const Vec3f& point) const {
  static const std::vector<Vec3f> in_space = chord_directions(13);
  std::vector<float> chords;
  const RayScene& walls = walls_ ? *walls_ : *surface_;
  const Vec3f u = plane_normal_.unitOrthogonal(), v = plane_normal_.cross(u);
  for (int i = 0; i < static_cast<int>(in_space.size()); ++i) {
    Vec3f direction = in_space[i];
    if (dimension_ == 2) {
      const float angle = static_cast<float>(std::numbers::pi * i / in_space.size());
      direction = std::cos(angle) * u + std::sin(angle) * v;
    }
    float chord = 0.0f;
    for (float sign : {1.0f, -1.0f}) {
      RayHit hit;
      const auto far = static_cast<float>(diagonal_);
      chord += walls.intersect(point, sign * direction, hit, 0.0f, far) ? hit.distance : far;
    }
    chords.push_back(chord);
  }
  // Beside a convex edge half of the chords are short however thick the shape is, in a corner three quarters.
  const auto chosen = chords.begin() + 3 * chords.size() / 4;
  std::nth_element(chords.begin(), chosen, chords.end());
  return *chosen;
}

}  // namespace sinew
