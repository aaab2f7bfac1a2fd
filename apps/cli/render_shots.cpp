#include "render_shots.h"

#include <fmt/format.h>

#include <cmath>

#include "character_choices.h"
#include "sinew/base/closest_name.h"
#include "sinew/error.h"

namespace sinew::cli {
namespace {

using ShotMoment = std::pair<std::optional<double>, std::string>;

Error wrong_choice(const std::string& option, const std::string& given, const std::vector<std::string>& known) {
  return Error(ErrorCode::choice_unknown, "'" + given + "' is not a " + option, choices_for(given, known));
}

std::vector<ShotMoment> moments_of(const RenderArguments& options, const Character& character) {
  const bool whole = options.animate && options.frames.empty() && options.times.empty();
  const bool posed = whole || !options.frames.empty() || !options.times.empty() || !options.motion.empty();
  if (!posed || (options.animate && character.motions.empty())) return {{std::nullopt, ""}};
  const Motion& motion = resolve_motion(character, options.motion);
  std::vector<ShotMoment> moments;
  for (int frame : resolve_frames(motion, options.frames)) {
    moments.emplace_back(frame / motion.frames_per_second, fmt::format("frame {}", frame));
  }
  for (double time : options.times) moments.emplace_back(time, fmt::format("{:g} s", time));
  if (whole) {
    const int steps = static_cast<int>(std::floor(motion.duration() * options.fps + 1e-9));
    for (int step = 0; step <= steps; ++step) moments.emplace_back(step / options.fps, "");
  }
  if (moments.empty()) moments.emplace_back(0.0, "frame 0");
  return moments;
}

std::vector<int> joints_of(const RenderArguments& options, const Character& character, PictureMode mode) {
  if (mode != PictureMode::weights) return {-1};
  if (options.joints.empty()) {
    throw Error(ErrorCode::option_missing, "--mode weights needs a joint", "use --joint NAME, or several: --joint A,B");
  }
  std::vector<int> joints;
  for (const std::string& joint : options.joints) joints.push_back(resolve_joint(character, joint));
  return joints;
}

}  // namespace

std::pair<int, int> parse_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  const std::optional<int> width = whole_number(text.substr(0, cross));
  const std::optional<int> height = cross == std::string::npos ? width : whole_number(text.substr(cross + 1));
  if (!width || !height || *width < 1 || *height < 1) {
    throw Error(ErrorCode::option_invalid, "'" + text + "' is not a picture size", "use for example --size 800x600");
  }
  return {*width, *height};
}

std::vector<View> parse_views(const std::vector<std::string>& texts) {
  std::vector<View> views;
  for (const std::string& text : texts.empty() ? std::vector<std::string>{"three-quarter"} : texts) {
    const std::optional<View> view = parse_view(text);
    if (!view) {
      throw wrong_choice(
          "view", text,
          {"front", "side", "back", "other-side", "three-quarter", "three-quarter-back", "top", "TURN:HEIGHT"});
    }
    views.push_back(*view);
  }
  return views;
}

std::vector<Shot> plan_shots(const RenderArguments& options, const Character& character, std::size_t input,
                             std::size_t views) {
  const std::vector<ShotMoment> moments = moments_of(options, character);
  std::vector<Shot> shots;
  for (const std::string& name : options.modes) {
    const std::optional<PictureMode> mode = picture_mode_from_name(name);
    if (!mode) {
      throw wrong_choice("mode", name, {"shaded", "weights", "dominant", "blended", "influences", "parts", "values"});
    }
    for (int joint : joints_of(options, character, *mode)) {
      for (const auto& [seconds, moment] : moments) {
        for (std::size_t view = 0; view < views; ++view) shots.push_back({input, view, seconds, moment, *mode, joint});
      }
    }
  }
  return shots;
}

}  // namespace sinew::cli
