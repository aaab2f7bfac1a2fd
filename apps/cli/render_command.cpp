// sinew render: pictures of characters, one or many on a sheet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "character_choices.h"
#include "commands.h"
#include "files.h"
#include "numbered_path.h"
#include "render_shots.h"
#include "sinew/draw/animated_png.h"
#include "sinew/draw/picture.h"
#include "sinew/draw/sheet.h"

namespace sinew::cli {
namespace {

std::vector<float> read_values(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::file_unreadable, "the values '" + path + "' cannot be read");
  std::vector<float> values;
  for (std::string word; file >> word;) {
    char* end = nullptr;
    values.push_back(std::strtof(word.c_str(), &end));
    if (*end != '\0') throw Error(ErrorCode::settings_invalid, fmt::format("'{}' in '{}' is not a number", word, path));
  }
  return values;
}

// Puts the mean of its points over the origin: what a camera that moves along with it sees, on a floor that is the same
// everywhere.
void bring_to_the_middle(PosedCharacter& posed) {
  std::vector<Vec3d> points;
  for (const Vec3f& p : posed.mesh.positions) points.push_back(p.cast<double>());
  if (points.empty()) {
    for (const Affine3d& joint : posed.joints) points.push_back(joint.translation());
  }
  if (points.empty()) return;
  Vec3d mean = Vec3d::Zero();
  for (const Vec3d& p : points) mean += p / static_cast<double>(points.size());
  const Vec3d shift(-mean.x(), 0, -mean.z());
  for (Vec3f& p : posed.mesh.positions) p += shift.cast<float>();
  for (Affine3d& joint : posed.joints) joint.pretranslate(shift);
}

// Everything one run draws.
class Job {
 public:
  Job(const RenderArguments& options, Session& session) : options_(options), session_(session) {}

  void run() {
    prepare();
    const Progress progress = session_.progress();
    std::vector<Tile> tiles;
    for (std::size_t i = 0; i < shots_.size(); ++i) {
      const double count = static_cast<double>(shots_.size());
      Image image = draw(shots_[i], progress.part(i / count, (i + 1) / count));
      if (numbered_) {
        write_output(encode_png(image), numbered_->path(i));
      } else {
        tiles.push_back({std::move(image), title_of(i)});
      }
    }
    finish(tiles);
  }

 private:
  void prepare() {
    numbered_ = NumberedPath::parse(options_.output);
    if (!is_standard_stream(options_.output) &&
        lower_case(std::filesystem::path(options_.output).extension().string()) != ".png") {
      throw Error(ErrorCode::output_format_unknown, "'" + options_.output + "' is not a PNG",
                  "give the output a name that ends in .png");
    }
    for (const std::string& input : options_.inputs) {
      characters_.push_back(load_file(input, session_));
      session_.warn(characters_.back().warnings);
    }
    views_ = parse_views(options_.views);
    for (std::size_t input = 0; input < characters_.size(); ++input) {
      const std::vector<Shot> shots = plan_shots(options_, characters_[input], input, views_.size());
      shots_.insert(shots_.end(), shots.begin(), shots.end());
    }
    const std::size_t titles = options_.animate ? characters_.size() : shots_.size();
    if (!options_.titles.empty() && options_.titles.size() != titles) {
      throw Error(ErrorCode::option_invalid, fmt::format("{} titles do not fit {} {}", options_.titles.size(), titles,
                                                         options_.animate ? "inputs" : "pictures"));
    }
    if (options_.animate && numbered_) {
      throw Error(ErrorCode::options_conflict, "an animation is one file",
                  "leave out either --animate or the # in its name");
    }
    const bool many = shots_.size() > 1 && !numbered_ && !options_.animate;
    std::tie(width_, height_) = parse_size(options_.size.empty() ? (many ? "400x400" : "800x800") : options_.size);
    frame_all();
  }

  PosedCharacter pose(const Shot& shot) const {
    const Character& character = characters_[shot.input];
    PosedCharacter posed;
    if (shot.seconds) {
      const Motion& motion = resolve_motion(character, options_.motion);
      const SkinningMethod method =
          options_.method == "dqs" ? SkinningMethod::dual_quaternion : SkinningMethod::linear_blend;
      posed = pose_character(character, sample_motion(motion, *shot.seconds), method);
    } else {
      posed = pose_character(character);
    }
    if (options_.up == "z") turn_z_up_to_y_up(posed);
    if (options_.follow) bring_to_the_middle(posed);
    return posed;
  }

  // One camera per input and view, and one floor per input, for all moments: a sequence must not jump. Nor must an
  // animation between its inputs: they share both.
  void frame_all() {
    for (std::size_t input = 0; input < characters_.size(); ++input) {
      std::vector<Vec3f> points;
      float lowest = std::numeric_limits<float>::infinity();
      std::set<std::pair<std::size_t, double>> seen;
      for (const Shot& shot : shots_) {
        if (!options_.animate && shot.input != input) continue;
        if (!seen.emplace(shot.input, shot.seconds.value_or(-1.0)).second) continue;
        const PosedCharacter posed = pose(shot);
        const Character& character = characters_[shot.input];
        const std::vector<Vec3f> whole = framing_points(character, posed);
        for (const Vec3f& p : whole) {
          if (p.allFinite()) lowest = std::min(lowest, p.y());
        }
        const std::vector<Vec3f> add =
            options_.zoom.empty() ? whole : framing_points(character, posed, resolve_joint(character, options_.zoom));
        points.insert(points.end(), add.begin(), add.end());
      }
      grounds_.push_back(std::isfinite(lowest) ? std::optional<float>(lowest) : std::nullopt);
      for (const View& view : views_)
        cameras_.push_back(frame_points(points, view, {.width = width_, .height = height_}));
    }
  }

  Image draw(const Shot& shot, const Progress& progress) {
    const Character& character = characters_[shot.input];
    PictureOptions picture;
    picture.mode = shot.mode;
    picture.joint = shot.joint;
    picture.skeleton = options_.skeleton;
    picture.legend = !options_.no_legend;
    picture.ground = grounds_[shot.input];
    picture.floor = !options_.no_ground;
    picture.render.width = width_;
    picture.render.height = height_;
    picture.render.samples = options_.samples;
    picture.render.seed = session_.seed();
    picture.render.wireframe = options_.wireframe;
    if (options_.flat) picture.render.lighting = Lighting::none;
    if (shot.mode == PictureMode::values) set_values(picture, shot.input);
    Warnings warnings;
    picture.warnings = &warnings;
    Image image =
        draw_character(character, pose(shot), cameras_[shot.input * views_.size() + shot.view], picture, progress);
    if (warned_.insert(shot.input).second) session_.warn(warnings);  // the same for every picture of a file
    return image;
  }

  void set_values(PictureOptions& picture, std::size_t input) const {
    if (options_.values.empty()) {
      throw Error(ErrorCode::option_missing, "--mode values needs values",
                  "use --values FILE with one number per vertex");
    }
    if (options_.values.size() > 1 && options_.values.size() != options_.inputs.size()) {
      throw Error(ErrorCode::option_invalid, "--values needs one file, or one for every input");
    }
    const std::string& file = options_.values[options_.values.size() > 1 ? input : 0];
    picture.values = read_values(file);
    picture.values_caption = std::filesystem::path(file).stem().string();
    picture.map =
        options_.map == "error" ? ColorMap::error : (options_.map == "weight" ? ColorMap::weight : ColorMap::viridis);
    if (options_.range.size() == 2) {
      picture.low = options_.range[0];
      picture.high = options_.range[1];
      return;
    }
    picture.low = std::numeric_limits<double>::infinity();
    picture.high = -picture.low;
    for (float value : picture.values) {
      if (!std::isfinite(value)) continue;
      picture.low = std::min<double>(picture.low, value);
      picture.high = std::max<double>(picture.high, value);
    }
    if (picture.low > picture.high)
      throw Error(ErrorCode::settings_invalid, "'" + file + "' does not hold a finite number");
  }

  // What sets this picture apart from the others on the sheet.
  std::string title_of(std::size_t index) const {
    const Shot& shot = shots_[index];
    if (!options_.titles.empty()) return options_.titles[options_.animate ? shot.input : index];
    std::vector<std::string> words;
    const bool alone = shots_.size() == 1;
    if (alone || characters_.size() > 1) {
      words.push_back(std::filesystem::path(name_of_input(options_.inputs[shot.input])).stem().string());
    }
    if (shot.joint >= 0) {
      if (options_.joints.size() > 1) words.push_back(characters_[shot.input].skeleton.names[shot.joint]);
    } else if (options_.modes.size() > 1) {
      words.push_back(picture_mode_name(shot.mode));
    }
    if (options_.modes.size() > 1 && shot.joint >= 0 && options_.joints.size() <= 1) words.push_back("weights");
    if (!shot.moment.empty() && (alone || options_.frames.size() + options_.times.size() > 0))
      words.push_back(shot.moment);
    if (views_.size() > 1) words.push_back(options_.views[shot.view]);
    return fmt::format("{}", fmt::join(words, ", "));
  }

  void finish(const std::vector<Tile>& tiles) {
    nlohmann::json pictures = nlohmann::json::array();
    for (std::size_t i = 0; i < shots_.size(); ++i) {
      const Shot& shot = shots_[i];
      nlohmann::json entry = {{"input", options_.inputs[shot.input]}, {"mode", picture_mode_name(shot.mode)}};
      if (shot.joint >= 0) entry["joint"] = characters_[shot.input].skeleton.names[shot.joint];
      if (shot.seconds) entry["seconds"] = *shot.seconds;
      if (!options_.views.empty()) entry["view"] = options_.views[shot.view];
      pictures.push_back(entry);
    }
    nlohmann::json result = {{"output", options_.output}, {"pictures", pictures}};
    if (numbered_) {
      session_.finish(
          result, fmt::format("wrote {} pictures of {}x{}: {} …", shots_.size(), width_, height_, numbered_->path(0)));
      return;
    }
    if (options_.animate) {
      write_animation(tiles, result);
      return;
    }
    const bool sheet = options_.sheet || tiles.size() > 1 || !options_.title.empty();
    const Image image =
        sheet ? compose_sheet(tiles, {.columns = options_.columns, .title = options_.title}) : tiles.front().image;
    write_output(encode_png(image), options_.output);
    result["width"] = image.width;
    result["height"] = image.height;
    session_.finish(result, fmt::format("wrote {} ({}x{}{})", options_.output, image.width, image.height,
                                        tiles.size() > 1 ? fmt::format(", {} pictures", tiles.size()) : ""));
  }

  // Every picture is a frame; those of the bind pose stay for a while.
  void write_animation(const std::vector<Tile>& tiles, nlohmann::json& result) {
    const bool framed = options_.sheet || !options_.title.empty() || !options_.titles.empty();
    std::vector<AnimationFrame> frames;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      frames.push_back({framed ? compose_sheet({tiles[i]}, {.title = options_.title}) : tiles[i].image,
                        shots_[i].seconds ? 1 / options_.fps : options_.hold});
    }
    const std::vector<std::byte> bytes = encode_animated_png(frames, {.plays = options_.plays});
    write_output(bytes, options_.output);
    const Image& first = frames.front().image;
    result["width"] = first.width;
    result["height"] = first.height;
    result["bytes"] = bytes.size();
    session_.finish(result, fmt::format("wrote {} ({}x{}, {} frames, {:.2f} MB)", options_.output, first.width,
                                        first.height, frames.size(), static_cast<double>(bytes.size()) / 1e6));
  }

  const RenderArguments& options_;
  Session& session_;
  std::optional<NumberedPath> numbered_;
  std::vector<Character> characters_;
  std::vector<View> views_;
  std::vector<Shot> shots_;
  std::vector<Camera> cameras_;  // [input * views + view]
  std::vector<std::optional<float>> grounds_;
  std::set<std::size_t> warned_;  // inputs whose warnings were said
  int width_ = 0, height_ = 0;
};

}  // namespace

void add_render_command(Session& session) {
  auto options = std::make_shared<RenderArguments>();
  Command* command =
      session.add_command("render", "draw pictures: shaded, weights, dominant joints, posed frames, sheets");
  command->add_option("INPUT", options->inputs, "characters, meshes, clouds or skeletons; several make a sheet")
      ->required();
  session
      .add_output(command, "-o,--output", options->output,
                  "file to write (.png); with #### in its name one numbered file per picture", Session::Formats::one)
      ->required();
  command
      ->add_option(
          "--mode", options->modes,
          "what to show, one or several with commas: shaded, weights, dominant, blended, influences, parts, values")
      ->delimiter(',')
      ->one_word()
      ->default_is("shaded");
  command
      ->add_option("--joint", options->joints,
                   "joints whose weights to show: names, ends of names, or indices, with commas")
      ->delimiter(',')
      ->one_word();
  command
      ->add_option("--view", options->views,
                   "where to look from, one or several with commas: front, side, back, other-side, three-quarter, "
                   "three-quarter-back, top, or TURN:HEIGHT in degrees")
      ->delimiter(',')
      ->one_word()
      ->default_is("three-quarter");
  command->add_option("--zoom", options->zoom, "joint to look at closely, by name");
  command->add_option("--size", options->size, "width x height of each picture in pixels")
      ->default_is("800x800, on sheets 400x400");
  command->add_option("--motion", options->motion, "motion to pose by: name, the end of it, or index")
      ->default_is("the first with --frames or --times, otherwise the bind pose");
  command
      ->add_option("--frame,--frames", options->frames, "frames of the motion: 7 or 0,10,20 or 0:60:10; -1 is the last")
      ->delimiter(',')
      ->one_word();
  command->add_option("--time,--times", options->times, "moments of the motion in seconds, with commas")
      ->delimiter(',')
      ->one_word();
  command->add_option("--method", options->method, "skinning: lbs (linear blend) or dqs (dual quaternions)")
      ->one_of({"lbs", "dqs"})
      ->show_default();
  command->add_flag("--animate", options->animate,
                    "write a moving picture (animated PNG): the frames or times asked for, or the whole motion; "
                    "inputs without a motion show their bind pose");
  command->add_option("--fps", options->fps, "frames per second of --animate")->in_range(0.1, 100.0)->show_default();
  command->add_option("--hold", options->hold, "seconds that --animate shows a bind pose")
      ->in_range(0.001, 65.0)
      ->show_default();
  command->add_option("--plays", options->plays, "how often --animate plays, 0 for ever")
      ->non_negative()
      ->show_default();
  command->add_flag("--follow", options->follow, "move the camera along with the character");
  command->add_flag("--skeleton", options->skeleton, "draw the skeleton over the mesh");
  command->add_flag("--wireframe", options->wireframe, "draw the edges of the triangles");
  command->add_flag("--flat", options->flat, "draw without light: the colours exactly as the map gives them");
  command
      ->add_option(
          "--values", options->values,
          "text file with one number per vertex for --mode values; one for all inputs, or one each with commas")
      ->delimiter(',')
      ->one_word();
  command->add_option("--range", options->range, "values at both ends of the colour map: LOW,HIGH")
      ->delimiter(',')
      ->expected(2)
      ->default_is("those of the file");
  command->add_option("--map", options->map, "colour map of the values: viridis, error or weight")
      ->one_of({"viridis", "error", "weight"})
      ->show_default();
  command->add_option("--up", options->up, "up axis of the file: y or z")->one_of({"y", "z"})->show_default();
  command->add_flag("--sheet", options->sheet, "put a title under the picture also when it is the only one");
  command->add_option("--columns", options->columns, "tiles per row of a sheet; 0 chooses")
      ->non_negative()
      ->show_default();
  command->add_option("--title", options->title, "heading over the sheet");
  command->add_option("--titles", options->titles, "titles of the tiles in order, with commas")
      ->delimiter(',')
      ->one_word();
  command->add_flag("--no-legend", options->no_legend, "leave out the legend");
  command->add_flag("--no-ground", options->no_ground, "leave out the floor and its shadow");
  command->add_option("--samples", options->samples, "rays per pixel, more is smoother and slower")
      ->in_range(1, 4096)
      ->show_default();
  session.on_run(command, [options, &session] { Job(*options, session).run(); });
}

}  // namespace sinew::cli
