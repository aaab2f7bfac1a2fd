// sinew lod: a chain of levels of detail, in one file with MSFT_lod or in one file per level.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "session.h"
#include "sinew/asset/gltf/gltf_lods.h"
#include "sinew/io.h"
#include "sinew/lod.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct LodArguments {
  std::string input, output, field;
  LodOptions lod;
  bool separate = false, keep_seams = false, overwrite = false;
};

bool is_gltf(const fs::path& path) { return path.extension() == ".glb" || path.extension() == ".gltf"; }

GltfLevel gltf_level(const LodLevel& level) { return {level.vertices, &level.mesh, level.parts}; }

// hero.glb → hero_lod1.glb.
std::string level_path(const std::string& output, std::size_t level) {
  const fs::path path(output);
  return (path.parent_path() / fmt::format("{}_lod{}{}", path.stem().string(), level, path.extension().string()))
      .string();
}

std::vector<std::string> write_separate(const LodArguments& options, const Character& character, const LodChain& chain,
                                        Session& session) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < chain.levels.size(); ++i) {
    const std::string path = level_path(options.output, i);
    refuse_to_overwrite(options.input, path, options.overwrite);
    if (i == 0) {
      session.warn(save_character(character, path));
    } else if (is_gltf(path)) {
      session.warn(write_gltf_level(character, gltf_level(chain.levels[i]), path));
    } else {
      save_character(level_character(character, chain.levels[i]), path);  // warnings: as for level 0
    }
    files.push_back(path);
  }
  return files;
}

void run_lod(const LodArguments& options, Session& session) {
  if (!options.separate) {
    refuse_to_overwrite(options.input, options.output, options.overwrite);
    if (!is_gltf(options.output)) {
      throw Error(ErrorKind::usage, "only glTF holds several levels in one file", "say --separate for one file each");
    }
  }
  Character character = load_character(options.input);
  if (character.name.empty()) character.name = fs::path(options.input).stem().string();
  session.warn(character.warnings);
  if (!options.field.empty()) {
    // Coarser levels keep vertices where they are, so what they inherit of these weights is the field at their places.
    const FieldReport report = apply_field(load_field(options.field), character);
    session.warn(report.warnings);
  }
  LodOptions lod = options.lod;
  lod.simplify.may_move_seams = !options.keep_seams;
  const LodChain chain = make_lod_chain(character, lod, session.progress());
  session.warn(chain.warnings);

  std::vector<std::string> files;
  if (options.separate) {
    files = write_separate(options, character, chain, session);
  } else {
    std::vector<GltfLevel> coarser;
    for (std::size_t i = 1; i < chain.levels.size(); ++i) coarser.push_back(gltf_level(chain.levels[i]));
    session.warn(write_gltf_lods(character, coarser, options.output));
    files.push_back(options.output);
  }

  nlohmann::json levels = nlohmann::json::array();
  std::string text = "level   vertices   triangles   error of the diagonal\n";
  const double diagonal = bounding_diagonal(character.mesh);
  for (std::size_t i = 0; i < chain.levels.size(); ++i) {
    const LodLevel& level = chain.levels[i];
    const double error = diagonal > 0 ? level.error / diagonal : 0.0;
    levels.push_back({{"vertices", level.mesh.vertex_count()},
                      {"triangles", level.mesh.triangles.size()},
                      {"points", level.point_count},
                      {"relative_error", error}});
    text +=
        fmt::format("{:5} {:10} {:11}   {:.4f}\n", i, level.mesh.vertex_count(), level.mesh.triangles.size(), error);
  }
  text += files.size() == 1 ? "wrote " + files[0] : fmt::format("wrote {} to {}", files.front(), files.back());
  session.finish({{"input", options.input}, {"levels", levels}, {"files", files}}, text);
}

}  // namespace

void add_lod_command(Session& session) {
  auto options = std::make_shared<LodArguments>();
  Command* command = session.add_command("lod", "a chain of levels of detail with weights");
  command->add_option("IN", options->input, "a mesh or character")->required();
  command->add_option("-o,--output", options->output, "a .glb or .gltf with all levels (MSFT_lod), or see --separate")
      ->required();
  auto* levels = command->add_option("--levels", options->lod.levels, "how many, with the finest")
                     ->in_range(1, 16)
                     ->show_default();
  auto* ratio = command->add_option("--ratio", options->lod.ratio, "size of a level over that of the finer one")
                    ->in_range(0.01, 0.99)
                    ->show_default();
  command->add_option("--vertices", options->lod.vertex_counts, "vertices of each coarser level instead, descending")
      ->delimiter(',')
      ->excludes(levels)
      ->excludes(ratio);
  command->add_option("--field", options->field, "weights of all levels from a saved field instead of the file's own");
  command->add_flag("--separate", options->separate, "one file per level: OUT_lod0, OUT_lod1, …, in OUT's format");
  command->add_flag("--keep-seams", options->keep_seams,
                    "rather miss the number of vertices than move a UV seam, a part's edge or an open border");
  command
      ->add_option("--weight-importance", options->lod.weight_importance,
                   "what an error of 1 in a weight costs, in bounding diagonals")
      ->non_negative()
      ->show_default();
  command
      ->add_option("--uv-importance", options->lod.uv_importance,
                   "what sliding of the texture costs, against the same distance off the surface")
      ->non_negative()
      ->show_default();
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_lod(*options, session); });
}

}  // namespace sinew::cli
