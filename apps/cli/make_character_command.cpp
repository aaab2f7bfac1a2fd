// sinew make-character: procedural characters, one or a whole data set.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "numbered_path.h"
#include "sinew/base/closest_name.h"
#include "sinew/builtin/builtin_character.h"

namespace sinew::cli {
namespace {

struct MakeCharacterArguments {
  std::string output, parts;
  BuiltinKind kind = BuiltinKind::adult;
  bool mixed = false;
  BuiltinPose pose = BuiltinPose::t;
  BuiltinGarment garment = BuiltinGarment::automatic;
  std::size_t vertices = 10'000;
  int count = 1;
};

// The file of one character: OUT itself, OUT with the seed as its number, or a file in the folder OUT.
std::filesystem::path output_path(const MakeCharacterArguments& options, BuiltinKind kind, std::uint64_t seed) {
  if (const auto numbered = NumberedPath::parse(options.output)) return numbered->path(seed);
  const std::filesystem::path path(options.output);
  if (!path.has_extension() && !is_standard_stream(options.output))
    return path / fmt::format("{}_{:05}.glb", kind_name(kind), seed);
  if (options.count > 1) {
    throw Error(ErrorCode::option_invalid, "--count needs a folder, or #### in the file's name, where the seed goes",
                "for example: sinew make-character people --count 100");
  }
  return path;
}

// Keeps the parts of this name, or with '-' before it all others: a garment and its body in files of their own.
void keep_parts(Character& character, const std::string& choice) {
  const bool without = choice.front() == '-';
  const std::string name = choice.substr(without ? 1 : 0);
  Character kept = character;
  kept.mesh = {};
  kept.parts.clear();
  std::vector<std::size_t> vertices;
  for (const Part& part : character.parts) {
    if ((part.name == name) == without) continue;
    Part moved = part;
    moved.first_vertex = kept.mesh.positions.size();
    moved.first_triangle = kept.mesh.triangles.size();
    const auto shift = static_cast<std::uint32_t>(part.first_vertex - moved.first_vertex);
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      kept.mesh.positions.push_back(character.mesh.positions[v]);
      if (!character.mesh.normals.empty()) kept.mesh.normals.push_back(character.mesh.normals[v]);
      if (!character.mesh.uvs.empty()) kept.mesh.uvs.push_back(character.mesh.uvs[v]);
      if (!character.mesh.colors.empty()) kept.mesh.colors.push_back(character.mesh.colors[v]);
      vertices.push_back(v);
    }
    for (std::size_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
      const Triangle& old = character.mesh.triangles[t];
      kept.mesh.triangles.push_back({old[0] - shift, old[1] - shift, old[2] - shift});
    }
    kept.parts.push_back(moved);
  }
  if (kept.parts.empty()) {
    std::vector<std::string> names;
    for (const Part& part : character.parts) names.push_back(part.name);
    throw Error(ErrorCode::choice_unknown, "no part is left by --parts " + choice, choices_for(name, names));
  }
  kept.weights = make_skin_weights(vertices.size(), character.weights.influences);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto from = static_cast<std::ptrdiff_t>(vertices[i] * character.weights.influences);
    const auto to = static_cast<std::ptrdiff_t>(i * character.weights.influences);
    std::copy_n(character.weights.joints.begin() + from, character.weights.influences,
                kept.weights.joints.begin() + to);
    std::copy_n(character.weights.weights.begin() + from, character.weights.influences,
                kept.weights.weights.begin() + to);
  }
  character = std::move(kept);
}

void make_characters(const MakeCharacterArguments& options, Session& session) {
  nlohmann::json list = nlohmann::json::array();
  std::string text;
  const Progress progress = session.progress();
  for (int i = 0; i < options.count; ++i) {
    BuiltinOptions one;
    one.kind = options.mixed ? static_cast<BuiltinKind>(i % 5) : options.kind;
    one.seed = session.seed() + static_cast<std::uint64_t>(i);
    one.vertex_budget = options.vertices;
    one.pose = options.pose;
    one.garment = options.garment;
    const std::filesystem::path path = output_path(options, one.kind, one.seed);
    Character character =
        make_builtin_character(one, progress.part(static_cast<double>(i) / options.count, (i + 1.0) / options.count));
    session.warn(character.warnings);
    if (!options.parts.empty()) keep_parts(character, options.parts);
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
    session.warn(save_file(character, path.string(), session));
    list.push_back({{"file", path.string()},
                    {"kind", kind_name(one.kind)},
                    {"seed", one.seed},
                    {"vertices", character.mesh.vertex_count()},
                    {"triangles", character.mesh.triangles.size()},
                    {"joints", character.skeleton.joint_count()},
                    {"parts", character.parts.size()}});
    text +=
        fmt::format("{}: {}, {} vertices, {} triangles, {} joints\n", path.string(), kind_name(one.kind),
                    character.mesh.vertex_count(), character.mesh.triangles.size(), character.skeleton.joint_count());
  }
  progress(1.0, "done");
  session.finish({{"characters", list}}, text);
}

}  // namespace

void add_make_character_command(Session& session) {
  auto options = std::make_shared<MakeCharacterArguments>();
  auto kind = std::make_shared<std::string>("adult");
  Command* command =
      session.add_command("make-character", "make a procedural character with skeleton, weights and motions");
  session.add_output(command, "OUT", options->output, "file or folder to write; body_####.glb is numbered by the seed")
      ->required();
  command->add_option("--kind", *kind, "kind of body: adult, child, toon, bulky, quadruped, or mixed (all in turn)")
      ->one_of({"adult", "child", "toon", "bulky", "quadruped", "mixed"})
      ->show_default();
  command->add_option("--vertices", options->vertices, "vertices of the whole character")
      ->in_range(1000, 500'000)
      ->show_default();
  command->add_choice("--pose", options->pose, builtin_poses(), "bind pose: T or A")->default_is("T");
  command
      ->add_choice(
          "--garment", options->garment, builtin_garments(),
          "clothing: automatic (by the seed), bare (body alone, one watertight piece), none, sport, casual, jacket, "
          "skirt (with joints of its own)")
      ->default_is("automatic");
  command->add_option("--parts", options->parts, "write only this part (Skirt), or all others (-Skirt)");
  command
      ->add_option("--count", options->count,
                   "number of characters, with seeds counting up from --seed; OUT is a folder or has ####")
      ->in_range(1, 100'000)
      ->show_default();
  session.on_run(command, [options, kind, &session] {
    options->mixed = *kind == "mixed";
    if (!options->mixed) options->kind = builtin_kinds().at(*kind);
    make_characters(*options, session);
  });
}

}  // namespace sinew::cli
