#include "sinew/draw/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr std::array<std::pair<std::string_view, View>, 7> view_names = {{
    {"front", View::front},
    {"side", View::side},
    {"back", View::back},
    {"left", View::left},
    {"three-quarter", View::three_quarter},
    {"three-quarter-back", View::three_quarter_back},
    {"top", View::top},
}};

// Turn around the vertical axis from the front, and height above the horizon, in degrees.
std::pair<double, double> angles_of(View view) {
  switch (view) {
    case View::front:
      return {0, 6};
    case View::side:
      return {90, 6};
    case View::back:
      return {180, 6};
    case View::left:
      return {-90, 6};
    case View::three_quarter:
      return {35, 14};
    case View::three_quarter_back:
      return {145, 14};
    case View::top:
      return {0, 89.9};
  }
  return {0, 0};
}

// The camera turned towards the scene, still at the origin.
Camera aim(View view, double angle_degrees) {
  const double radians = std::numbers::pi / 180;
  const auto [turn, height] = angles_of(view);
  Camera camera;
  camera.tangent = std::tan(angle_degrees * radians / 2);
  const Vec3d towards_eye(std::sin(turn * radians) * std::cos(height * radians), std::sin(height * radians),
                          std::cos(turn * radians) * std::cos(height * radians));
  camera.forward = -towards_eye;
  camera.right = camera.forward.cross(Vec3d::UnitY()).normalized();
  camera.up = camera.right.cross(camera.forward);
  return camera;
}

}  // namespace

std::optional<View> view_from_name(std::string_view name) {
  for (const auto& [known, view] : view_names) {
    if (known == name) return view;
  }
  return std::nullopt;
}

std::string view_name(View view) {
  for (const auto& [name, known] : view_names) {
    if (known == view) return std::string(name);
  }
  return {};
}

Camera frame_points(const std::vector<Vec3f>& points, View view, const FramingOptions& options) {
  Camera camera = aim(view, options.angle_degrees);
  const double fill = 1 - std::clamp(options.margin, 0.0, 0.9);
  const double tangent_y = camera.tangent * fill;
  const double tangent_x = camera.tangent * fill * options.width / options.height;

  // A point (x, y, z) in camera axes is seen from eye e when |x - e.x| <= tangent_x (z - e.z), and the same for y.
  // Each side gives one bound on a combination of e.x and e.z; the extreme points decide.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double right_bound = -infinity, left_bound = infinity, upper_bound = -infinity, lower_bound = infinity;
  double nearest = infinity, farthest = -infinity;
  const auto include = [&](const Vec3d& point) {
    const double x = point.dot(camera.right), y = point.dot(camera.up), z = point.dot(camera.forward);
    right_bound = std::max(right_bound, x - tangent_x * z);
    left_bound = std::min(left_bound, x + tangent_x * z);
    upper_bound = std::max(upper_bound, y - tangent_y * z);
    lower_bound = std::min(lower_bound, y + tangent_y * z);
    nearest = std::min(nearest, z);
    farthest = std::max(farthest, z);
  };
  for (const Vec3f& point : points) {
    if (point.allFinite()) include(point.cast<double>());
  }
  if (nearest > farthest) {
    for (int corner = 0; corner < 8; ++corner) include(Vec3d(corner & 1, corner >> 1 & 1, corner >> 2 & 1));
  }
  const double x = (right_bound + left_bound) / 2, y = (upper_bound + lower_bound) / 2;
  double z = std::min((left_bound - right_bound) / (2 * tangent_x), (lower_bound - upper_bound) / (2 * tangent_y));
  // A single point, or points in a line towards the eye, ask for no distance at all.
  const double depth = farthest - nearest;
  z = std::min(z, nearest - std::max(1e-3 * depth, depth > 0 ? 0.0 : std::max(1e-3, 1e-3 * std::abs(nearest))));
  camera.eye = x * camera.right + y * camera.up + z * camera.forward;
  return camera;
}

Vec3d project(const Camera& camera, const Vec3d& point, int width, int height) {
  const Vec3d offset = point - camera.eye;
  const double depth = offset.dot(camera.forward);
  const double scale = height / (2 * camera.tangent * depth);
  return {width / 2.0 + offset.dot(camera.right) * scale, height / 2.0 - offset.dot(camera.up) * scale, depth};
}

Vec3d ray_direction(const Camera& camera, double x, double y, int width, int height) {
  const double scale = 2 * camera.tangent / height;
  return (camera.forward + (x - width / 2.0) * scale * camera.right + (height / 2.0 - y) * scale * camera.up)
      .normalized();
}

}  // namespace sinew
