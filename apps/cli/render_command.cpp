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
#include "session.h"
#include "sinew/draw/picture.h"
#include "sinew/draw/sheet.h"
#include "sinew/io.h"

namespace sinew::cli {
namespace {

struct RenderArguments {
  std::vector<std::string> inputs, modes{"shaded"}, joints, views, frames;
  std::vector<std::string> titles, values;
  std::vector<double> times, range;
  std::string output, size, zoom, motion, method = "lbs", map = "viridis", up = "y", title;
  int samples = 16, columns = 0;
  bool skeleton = false, wireframe = false, sheet = false, flat = false, no_legend = false, no_ground = false;
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

Error wrong_choice(const std::string& option, const std::string& given, const std::string& known) {
  return Error(ErrorKind::usage, "'" + given + "' is no " + option, "known: " + known);
}

std::pair<int, int> parse_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  const std::optional<int> width = whole_number(text.substr(0, cross));
  const std::optional<int> height = cross == std::string::npos ? width : whole_number(text.substr(cross + 1));
  if (!width || !height || *width < 1 || *height < 1) {
    throw Error(ErrorKind::usage, "'" + text + "' is no picture size", "say --size 800x600");
  }
  return {*width, *height};
}

std::vector<float> read_values(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw bad_input("the values '" + path + "' cannot be read");
  std::vector<float> values;
  for (std::string word; file >> word;) {
    char* end = nullptr;
    values.push_back(std::strtof(word.c_str(), &end));
    if (*end != '\0') throw bad_input(fmt::format("'{}' in '{}' is no number", word, path));
  }
  return values;
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
      if (numbered_files()) {
        write_png(image, numbered(i));
      } else {
        tiles.push_back({std::move(image), title_of(i)});
      }
    }
    finish(tiles);
  }

 private:
  void prepare() {
    if (lower_case(std::filesystem::path(options_.output).extension().string()) != ".png") {
      throw Error(ErrorKind::usage, "'" + options_.output + "' is no PNG", "give the output a name that ends in .png");
    }
    for (const std::string& input : options_.inputs) {
      characters_.push_back(load_character(input));
      if (characters_.back().name.empty()) characters_.back().name = std::filesystem::path(input).stem().string();
      session_.warn(characters_.back().warnings);
    }
    for (const std::string& text :
         options_.views.empty() ? std::vector<std::string>{"three-quarter"} : options_.views) {
      const std::optional<View> view = parse_view(text);
      if (!view) {
        throw wrong_choice("view", text,
                           "front, side, back, other-side, three-quarter, three-quarter-back, top, or TURN:HEIGHT");
      }
      views_.push_back(*view);
    }
    for (std::size_t input = 0; input < characters_.size(); ++input) plan(input);
    if (!options_.titles.empty() && options_.titles.size() != shots_.size()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} titles do not fit {} pictures", options_.titles.size(), shots_.size()));
    }
    const bool many = shots_.size() > 1 && !numbered_files();
    std::tie(width_, height_) = parse_size(options_.size.empty() ? (many ? "400x400" : "800x800") : options_.size);
    frame_all();
  }

  // The shots of one input: every mode (and joint) in every view at every moment.
  void plan(std::size_t input) {
    const Character& character = characters_[input];
    std::vector<std::pair<std::optional<double>, std::string>> moments;
    if (!options_.frames.empty() || !options_.times.empty() || !options_.motion.empty()) {
      const Motion& motion = resolve_motion(character, options_.motion);
      for (int frame : resolve_frames(motion, options_.frames)) {
        moments.emplace_back(frame / motion.frames_per_second, fmt::format("frame {}", frame));
      }
      for (double time : options_.times) moments.emplace_back(time, fmt::format("{:g} s", time));
      if (moments.empty()) moments.emplace_back(0.0, "frame 0");
    } else {
      moments.emplace_back(std::nullopt, "");
    }
    for (const std::string& name : options_.modes) {
      const std::optional<PictureMode> mode = picture_mode_from_name(name);
      if (!mode) throw wrong_choice("mode", name, "shaded, weights, dominant, blended, influences, parts, values");
      std::vector<int> joints{-1};
      if (*mode == PictureMode::weights) {
        if (options_.joints.empty()) {
          throw Error(ErrorKind::usage, "weights of which joint?", "say --joint NAME (several: --joint A,B)");
        }
        joints.clear();
        for (const std::string& joint : options_.joints) joints.push_back(resolve_joint(character, joint));
      }
      for (int joint : joints) {
        for (const auto& [seconds, moment] : moments) {
          for (std::size_t view = 0; view < views_.size(); ++view) {
            shots_.push_back({input, view, seconds, moment, *mode, joint});
          }
        }
      }
    }
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
    return posed;
  }

  // One camera per input and view, and one floor per input, for all moments: a sequence must not jump.
  void frame_all() {
    for (std::size_t input = 0; input < characters_.size(); ++input) {
      std::vector<Vec3f> points;
      float lowest = std::numeric_limits<float>::infinity();
      std::vector<double> seen;
      for (const Shot& shot : shots_) {
        const double moment = shot.seconds.value_or(-1.0);
        if (shot.input != input || std::find(seen.begin(), seen.end(), moment) != seen.end()) continue;
        seen.push_back(moment);
        const PosedCharacter posed = pose(shot);
        const std::vector<Vec3f> whole = framing_points(characters_[input], posed);
        for (const Vec3f& p : whole) {
          if (p.allFinite()) lowest = std::min(lowest, p.y());
        }
        const std::vector<Vec3f> add =
            options_.zoom.empty()
                ? whole
                : framing_points(characters_[input], posed, resolve_joint(characters_[input], options_.zoom));
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
      throw Error(ErrorKind::usage, "which values?", "say --values FILE: one number per vertex");
    }
    if (options_.values.size() > 1 && options_.values.size() != options_.inputs.size()) {
      throw Error(ErrorKind::usage, "--values wants one file, or one for every input");
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
    if (picture.low > picture.high) throw bad_input("'" + file + "' holds no finite number");
  }

  // What sets this picture apart from the others on the sheet.
  std::string title_of(std::size_t index) const {
    if (!options_.titles.empty()) return options_.titles[index];
    const Shot& shot = shots_[index];
    std::vector<std::string> words;
    const bool alone = shots_.size() == 1;
    if (alone || characters_.size() > 1) {
      words.push_back(std::filesystem::path(options_.inputs[shot.input]).stem().string());
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

  bool numbered_files() const { return options_.output.find('#') != std::string::npos; }

  // The output with its run of # replaced by the picture's number.
  std::string numbered(std::size_t index) const {
    const std::size_t begin = options_.output.find('#');
    const std::size_t end = std::min(options_.output.find_first_not_of('#', begin), options_.output.size());
    return fmt::format("{}{:0{}}{}", options_.output.substr(0, begin), index, end - begin, options_.output.substr(end));
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
    if (numbered_files()) {
      session_.finish(result,
                      fmt::format("wrote {} pictures of {}x{}: {} …", shots_.size(), width_, height_, numbered(0)));
      return;
    }
    const bool sheet = options_.sheet || tiles.size() > 1 || !options_.title.empty();
    const Image image =
        sheet ? compose_sheet(tiles, {.columns = options_.columns, .title = options_.title}) : tiles.front().image;
    write_png(image, options_.output);
    result["width"] = image.width;
    result["height"] = image.height;
    session_.finish(result, fmt::format("wrote {} ({}x{}{})", options_.output, image.width, image.height,
                                        tiles.size() > 1 ? fmt::format(", {} pictures", tiles.size()) : ""));
  }

  const RenderArguments& options_;
  Session& session_;
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
  Command* command = session.add_command("render", "pictures: shaded, weights, dominant joints, posed frames, sheets");
  command->add_option("INPUT", options->inputs, "characters, meshes, clouds or skeletons; several make a sheet")
      ->required();
  command->add_option("-o,--output", options->output, "PNG to write; #### in the name: one numbered file per picture")
      ->required();
  command
      ->add_option("--mode", options->modes,
                   "one or several with commas: shaded, weights, dominant, blended, influences, parts, values")
      ->delimiter(',')
      ->one_word();
  command->add_option("--joint", options->joints, "whose weights: names, ends of names, or indices, with commas")
      ->delimiter(',')
      ->one_word();
  command
      ->add_option("--view", options->views,
                   "one or several with commas: front, side, back, other-side, three-quarter, three-quarter-back, top, "
                   "or TURN:HEIGHT in degrees")
      ->delimiter(',')
      ->one_word();
  command->add_option("--zoom", options->zoom, "look closely at this joint");
  command->add_option("--size", options->size, "WxH of each picture; 800x800, on sheets 400x400");
  command->add_option("--motion", options->motion, "name or index of a motion in the file");
  command
      ->add_option("--frame,--frames", options->frames, "frames of the motion: 7 or 0,10,20 or 0:60:10; -1 is the last")
      ->delimiter(',')
      ->one_word();
  command->add_option("--time,--times", options->times, "seconds into the motion")->delimiter(',')->one_word();
  command->add_option("--method", options->method, "skinning: lbs or dqs")->one_of({"lbs", "dqs"});
  command->add_flag("--skeleton", options->skeleton, "draw the skeleton over the mesh");
  command->add_flag("--wireframe", options->wireframe, "draw the edges of the triangles");
  command->add_flag("--flat", options->flat, "no light: the colours exactly as the map gives them");
  command
      ->add_option(
          "--values", options->values,
          "text file with one number per vertex, for --mode values; one for all inputs, or with commas one each")
      ->delimiter(',')
      ->one_word();
  command->add_option("--range", options->range, "LOW,HIGH of the colour map for --values")
      ->delimiter(',')
      ->expected(2);
  command->add_option("--map", options->map, "viridis, error or weight")->one_of({"viridis", "error", "weight"});
  command->add_option("--up", options->up, "which axis of the file points up: y or z")->one_of({"y", "z"});
  command->add_flag("--sheet", options->sheet, "put a title under the picture even when it is the only one");
  command->add_option("--columns", options->columns, "tiles per row of a sheet; 0: chosen")->non_negative();
  command->add_option("--title", options->title, "heading over the sheet");
  command->add_option("--titles", options->titles, "titles of the tiles, in order, instead of the usual ones")
      ->delimiter(',')
      ->one_word();
  command->add_flag("--no-legend", options->no_legend, "leave out the key to the colours");
  command->add_flag("--no-ground", options->no_ground, "no floor, no shadow on it");
  command->add_option("--samples", options->samples, "rays per pixel; more is smoother and slower")
      ->in_range(1, 4096)
      ->show_default();
  session.on_run(command, [options, &session] { Job(*options, session).run(); });
}

}  // namespace sinew::cli
