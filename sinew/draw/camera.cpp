#include "sinew/draw/camera.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr std::array<std::pair<std::string_view, View>, 7> named_views = {{
    {"front", front_view},
    {"side", side_view},
    {"back", back_view},
    {"other-side", other_side_view},
    {"three-quarter", three_quarter_view},
    {"three-quarter-back", three_quarter_back_view},
    {"top", top_view},
}};

bool parse_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// The camera turned towards the scene, still at the origin.
Camera aim(const View& view, double angle_degrees) {
  constexpr double radians = std::numbers::pi / 180;
  const double turn = view.turn_degrees * radians, height = view.height_degrees * radians;
  Camera camera;
  camera.tangent = std::tan(angle_degrees * radians / 2);
  // Right stays level whatever the height, so that straight down is a view like any other.
  camera.right = Vec3d(std::cos(turn), 0, -std::sin(turn));
  camera.forward = -Vec3d(std::sin(turn) * std::cos(height), std::sin(height), std::cos(turn) * std::cos(height));
  camera.up = camera.right.cross(camera.forward);
  return camera;
}

}  // namespace

std::optional<View> parse_view(std::string_view text) {
  for (const auto& [name, view] : named_views) {
    if (name == text) return view;
  }
  const std::size_t colon = text.find(':');
  View view;
  if (colon == std::string_view::npos || !parse_number(text.substr(0, colon), view.turn_degrees) ||
      !parse_number(text.substr(colon + 1), view.height_degrees) || std::abs(view.height_degrees) > 90) {
    return std::nullopt;
  }
  return view;
}

Camera frame_points(const std::vector<Vec3f>& points, const View& view, const FramingOptions& options) {
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
