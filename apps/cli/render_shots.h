// What `sinew render` is asked to draw, as a list of single pictures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/draw/camera.h"
#include "sinew/draw/picture.h"

namespace sinew::cli {

struct RenderArguments {
  std::vector<std::string> inputs, modes{"shaded"}, joints, views, frames;
  std::vector<std::string> titles, values;
  std::vector<double> times, range;
  std::string output, size, zoom, motion, method = "lbs", map = "viridis", up = "y", title;
  int samples = 16, columns = 0, plays = 0;
  double fps = 15, hold = 1;
  bool skeleton = false, wireframe = false, sheet = false, flat = false, no_legend = false, no_ground = false;
  bool animate = false, follow = false;
};

// One picture to draw: which character, in which pose, from where, showing what.
struct Shot {
  std::size_t input = 0;
  std::size_t view = 0;
  std::optional<double> seconds;  // none: the bind pose
  std::string moment;             // "frame 10", "1.5 s", or empty
  PictureMode mode = PictureMode::shaded;
  int joint = -1;
};

// WIDTHxHEIGHT, or one number for both. Throws Error(usage).
std::pair<int, int> parse_size(const std::string& text);

// Throws Error(usage) for a word that is not a view.
std::vector<View> parse_views(const std::vector<std::string>& texts);

// The shots of one input: every mode (and joint) in every view at every moment. An animation without frames or times
// takes the whole motion at its own rate, and the bind pose of inputs that hold no motion.
std::vector<Shot> plan_shots(const RenderArguments& options, const Character& character, std::size_t input,
                             std::size_t views);

}  // namespace sinew::cli
