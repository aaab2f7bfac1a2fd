// A perspective camera, and framing that shows all of a thing as large as it goes.
//
// Y is up. "Front" looks at the side that faces +Z, as glTF asks of characters.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

struct Camera {
  Vec3d eye{0, 0, 1};
  Vec3d right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};  // unit length, at right angles
  double tangent = 0.25;                                 // of half the vertical angle of view
};

// The side a thing is seen from.
struct View {
  double turn_degrees = 0;    // around the vertical axis, from the front towards the thing's left (+X)
  double height_degrees = 0;  // above the horizon, -90…90
};

inline constexpr View front_view{0, 6}, side_view{90, 6}, back_view{180, 6}, other_side_view{-90, 6};
inline constexpr View three_quarter_view{35, 14}, three_quarter_back_view{145, 14}, top_view{0, 90};

// "front", "side", "back", "other-side", "three-quarter", "three-quarter-back", "top", or "TURN:HEIGHT" in degrees
// ("30:15"); nothing for other words.
std::optional<View> parse_view(std::string_view text);

struct FramingOptions {
  int width = 800, height = 800;  // of the picture, in pixels
  double margin = 0.06;           // of each half side left empty, 0…0.9
  double angle_degrees = 24;      // vertical angle of view: small, as for portraits
};

// The nearest camera on the given side that sees all `points` (exactly: two of them touch the margin). Points that are
// not finite are ignored; without any point the unit cube is framed. To keep a sequence from jumping, frame the points
// of all its frames once.
Camera frame_points(const std::vector<Vec3f>& points, const View& view, const FramingOptions& options = {});

// Where a point falls: x, y in pixels from the top left corner, z the depth along `forward` (behind the eye when <= 0).
Vec3d project(const Camera& camera, const Vec3d& point, int width, int height);

// Direction (unit length) through a place of the picture, in pixels from the top left corner.
Vec3d ray_direction(const Camera& camera, double x, double y, int width, int height);

}  // namespace sinew
