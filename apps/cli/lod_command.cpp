// sinew lod: a chain of levels of detail, in one file with MSFT_lod or in one file per level.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "files.h"
#include "numbered_path.h"
#include "sinew/asset/gltf/gltf_lods.h"
#include "sinew/lod.h"
#include "sinew/render.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct LodArguments {
  std::string input, output, field, pictures;
  LodOptions lod;
  bool keep_seams = false, shards = false, overwrite = false;
};

bool is_gltf(const std::string& output, const Session& session) {
  const std::optional<FileFormat> format = output_format(output, session);
  return format == FileFormat::glb || format == FileFormat::gltf;
}

GltfLevel gltf_level(const LodLevel& level) { return {level.vertices, &level.mesh, level.parts}; }

// One file per level.
std::vector<std::string> write_separate(const LodArguments& options, const NumberedPath& numbered,
                                        const Character& character, const LodChain& chain, Session& session) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < chain.levels.size(); ++i) {
    const std::string path = numbered.path(i);
    refuse_to_overwrite(options.input, path, options.overwrite);
    if (i == 0) {
      session.warn(save_file(character, path, session));
    } else if (is_gltf(path, session)) {
      const auto write = [&](FileFormat format, const SaveOptions& save) {
        return write_gltf_level(character, gltf_level(chain.levels[i]), format, save);
      };
      session.warn(save_file(write, path, session));
    } else {
      save_file(level_character(character, chain.levels[i]), path, session);  // warnings: as for level 0
    }
    files.push_back(path);
  }
  return files;
}

// level0.png, level1.png, … in a folder, seen from the same place.
std::vector<std::string> draw_levels(const std::string& folder, const Character& character, const LodChain& chain,
                                     Session& session) {
  std::vector<std::string> files;
  std::error_code shows_when_writing;
  fs::create_directories(folder, shows_when_writing);
  for (std::size_t i = 0; i < chain.levels.size(); ++i) {
    const Character level = i == 0 ? character : level_character(character, chain.levels[i]);
    const RenderedPicture picture = render_character(level, {.view = "three-quarter", .width = 600, .height = 600});
    if (i == 0) session.warn(picture.warnings);
    files.push_back((fs::path(folder) / ("level" + std::to_string(i) + ".png")).string());
    write_output(picture.png, files.back());
  }
  return files;
}

void run_lod(const LodArguments& options, Session& session) {
  const std::optional<NumberedPath> numbered = NumberedPath::parse(options.output);
  if (!numbered) {
    refuse_to_overwrite(options.input, options.output, options.overwrite);
    if (!is_gltf(options.output, session)) {
      throw Error(ErrorCode::output_format_unfit, "only glTF holds several levels in one file",
                  "number the files: -o hero_lod#.obj");
    }
  }
  Character character = load_file(options.input, session);
  session.warn(character.warnings);
  if (!options.field.empty()) {
    // Coarser levels keep vertices where they are, so what they inherit of these weights is the field at their places.
    const FieldReport report = apply_field(parse_input(options.field, session, read_field), character);
    session.warn(report.warnings);
  }
  LodOptions lod = options.lod;
  lod.simplify.may_move_seams = !options.keep_seams;
  lod.whole_pieces = !options.shards;
  const LodChain chain = make_lod_chain(character, lod, session.progress());
  session.warn(chain.warnings);

  std::vector<std::string> files;
  if (numbered) {
    files = write_separate(options, *numbered, character, chain, session);
  } else {
    std::vector<GltfLevel> coarser;
    for (std::size_t i = 1; i < chain.levels.size(); ++i) coarser.push_back(gltf_level(chain.levels[i]));
    const auto write = [&](FileFormat format, const SaveOptions& save) {
      return write_gltf_lods(character, coarser, format, save);
    };
    session.warn(save_file(write, options.output, session));
    files.push_back(options.output);
  }

  nlohmann::json levels = nlohmann::json::array();
  const std::vector<std::string> pictures =
      options.pictures.empty() ? std::vector<std::string>{} : draw_levels(options.pictures, character, chain, session);
  std::string text = "level   vertices   triangles   pieces gone   error   deviation, of the diagonal\n";
  const double diagonal = bounding_diagonal(character.mesh);
  for (std::size_t i = 0; i < chain.levels.size(); ++i) {
    const LodLevel& level = chain.levels[i];
    const double error = diagonal > 0 ? level.error / diagonal : 0.0;
    const double deviation = diagonal > 0 ? level.deviation / diagonal : 0.0;
    levels.push_back({{"vertices", level.mesh.vertex_count()},
                      {"triangles", level.mesh.triangles.size()},
                      {"points", level.point_count},
                      {"dropped_pieces", level.dropped_pieces},
                      {"relative_error", error},
                      {"relative_deviation", deviation}});
    if (!pictures.empty()) levels.back()["picture"] = pictures[i];
    text += fmt::format("{:5} {:10} {:11} {:13}   {:.4f}  {:.4f}\n", i, level.mesh.vertex_count(),
                        level.mesh.triangles.size(), level.dropped_pieces, error, deviation);
  }
  text += files.size() == 1 ? "wrote " + files[0] : fmt::format("wrote {} to {}", files.front(), files.back());
  session.finish({{"input", options.input}, {"levels", levels}, {"files", files}}, text);
}

}  // namespace

void add_lod_command(Session& session) {
  auto options = std::make_shared<LodArguments>();
  Command* command = session.add_command("lod", "make levels of detail with weights");
  command->add_option("IN", options->input, "mesh or character")->required();
  session
      .add_output(command, "-o,--output", options->output,
                  "file for all levels (.glb .gltf, MSFT_lod); hero_lod#.obj: one file per level")
      ->required();
  auto* levels = command->add_option("--levels", options->lod.levels, "number of levels, the finest included")
                     ->in_range(1, 16)
                     ->show_default();
  auto* ratio =
      command->add_option("--ratio", options->lod.ratio, "vertices of a level over those of the next finer one")
          ->in_range(0.01, 0.99)
          ->show_default();
  command
      ->add_option("--vertices", options->lod.vertex_counts, "vertices of each coarser level, with commas, descending")
      ->delimiter(',')
      ->excludes(levels)
      ->excludes(ratio);
  command
      ->add_option(
          "--max-error", options->lod.max_error,
          "end the chain before a level that is off by more than this share of the bounding diagonal, at rest or "
          "in motion; 0: no limit")
      ->non_negative()
      ->show_default();
  command->add_flag("--shards", options->shards, "let small pieces lose their shape instead of going as a whole");
  command->add_option("--pictures", options->pictures, "folder for a picture of each level: level0.png, …");
  command->add_option("--field", options->field, "take the weights of all levels from a saved field (.skincells)");
  command->add_flag("--keep-seams", options->keep_seams,
                    "never move UV seams, part edges and open borders, even if a level keeps more vertices");
  command
      ->add_option("--weight-importance", options->lod.weight_importance,
                   "cost of an error of 1 in a weight, in bounding diagonals")
      ->non_negative()
      ->show_default();
  command
      ->add_option("--uv-importance", options->lod.uv_importance,
                   "cost of texture sliding over that of the same distance off the surface")
      ->non_negative()
      ->show_default();
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_lod(*options, session); });
}

}  // namespace sinew::cli
