// Characters of the C interface as handles, and their files.
#include "sinew/character_c.h"

#include "bindings/c/call.h"
#include "bindings/c/format_names.h"
#include "sinew/base/closest_name.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/fit.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_info = SINEW_SIZE_UP_TO(sinew_character_info, motion_count);
constexpr std::size_t least_load_options = SINEW_SIZE_UP_TO(sinew_load_options, isolate);
constexpr std::size_t least_save_options = SINEW_SIZE_UP_TO(sinew_save_options, embed);
constexpr std::size_t least_builtin_options = SINEW_SIZE_UP_TO(sinew_builtin_options, seed);

LoadOptions load_options_of(const sinew_load_options* given) {
  const auto taken = options_of(given, sinew_load_options_defaults, least_load_options, "sinew_load_options");
  LoadOptions options;
  options.max_file_bytes = taken.max_file_bytes;
  options.max_node_depth = taken.max_node_depth;
  options.max_elements = taken.max_elements;
  options.name = text_or(taken.name, "");
  if (taken.format != nullptr) options.format = format_of_name(taken.format);
  options.isolate = taken.isolate != 0;
  options.threads = taken.threads;
  return options;
}

SaveOptions save_options_of(const sinew_save_options* given) {
  const auto taken = options_of(given, sinew_save_options_defaults, least_save_options, "sinew_save_options");
  SaveOptions options;
  options.max_influences = taken.max_influences;
  options.quantise_weights = taken.quantise_weights != 0;
  options.embed = taken.embed != 0;
  options.keep_old_skeleton = taken.keep_old_skeleton != 0;
  const std::string names = text_or(taken.names, "keep");
  const std::optional<NameConvention> convention = name_convention(names);
  if (!convention) {
    throw Error(ErrorCode::choice_unknown, "there are no names for '" + names + "'",
                "there are: keep, mixamo, unreal, unity, vrm, rigify")
        .about("names");
  }
  options.names = *convention;
  options.vrm.name = text_or(taken.vrm_name, "");
  options.vrm.license_url = text_or(taken.vrm_license_url, "");
  for (const char* author : array_of(taken.vrm_authors, taken.vrm_author_count, "vrm_authors")) {
    require(author, "an author of vrm_authors");
    options.vrm.authors.emplace_back(author);
  }
  return options;
}

// Clears the caller's handle first, and gives it the character with the reader's warnings.
void give_character(Character character, sinew_character** to, ResultObject& result) {
  add_warnings(result, character.warnings);
  *to = new_handle(std::move(character));
}

template <typename Choice>
Choice choice_of(const char* name, const std::map<std::string, Choice>& choices, const char* option) {
  const std::string wanted = text_or(name, "");
  if (const auto at = choices.find(wanted); at != choices.end()) return at->second;
  std::vector<std::string> known;
  for (const auto& [text, choice] : choices) known.push_back(text);
  throw Error(ErrorCode::choice_unknown, std::string("there is no ") + option + " '" + wanted + "'",
              choices_for(wanted, known))
      .about(option);
}

BuiltinOptions builtin_options_of(const sinew_builtin_options* given) {
  const auto taken = options_of(given, sinew_builtin_options_defaults, least_builtin_options, "sinew_builtin_options");
  BuiltinOptions options;
  options.kind = choice_of(taken.kind, builtin_kinds(), "kind");
  options.pose = choice_of(taken.pose, builtin_poses(), "pose");
  options.garment = choice_of(taken.garment, builtin_garments(), "garment");
  options.vertex_budget = taken.vertices;
  options.seed = taken.seed;
  return options;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_character_create(const char* name, sinew_character** character, sinew_result* result) {
  if (character != nullptr) *character = nullptr;
  return run_call(result, [&](ResultObject&) {
    require(character, "character");
    Character made;
    made.name = text_or(name, "");
    *character = new_handle(std::move(made));
  });
}

sinew_status sinew_character_copy(const sinew_character* character, sinew_character** copy, sinew_result* result) {
  if (copy != nullptr) *copy = nullptr;
  return run_call(result, [&](ResultObject&) {
    require(copy, "copy");
    const Reading source(character, "character");
    auto object = std::make_shared<CharacterObject>();
    object->state = source.state();
    *copy = characters().add(std::move(object));
  });
}

void sinew_character_destroy(sinew_character* character) { characters().remove(character); }

sinew_status sinew_get_info(const sinew_character* character, sinew_character_info* info, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    sinew_character_info full{};
    full.name = read->name.c_str();
    full.format = read.state()->format.c_str();
    full.vertex_count = read->mesh.vertex_count();
    full.triangle_count = read->mesh.triangles.size();
    full.part_count = read->parts.size();
    full.joint_count = read->skeleton.names.size();
    full.influences = read->weights.influences;
    full.motion_count = read->motions.size();
    give_arrays(full, info, least_info, "sinew_character_info");
  });
}

sinew_status sinew_set_name(sinew_character* character, const char* name, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    require(name, "name");
    const Writing written(character, "character");
    written->name = name;
  });
}

void sinew_load_options_defaults(sinew_load_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_load_options* options) {
    const LoadOptions defaults;
    options->max_file_bytes = defaults.max_file_bytes;
    options->max_node_depth = defaults.max_node_depth;
    options->max_elements = defaults.max_elements;
    options->isolate = defaults.isolate;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_load(const char* path, const sinew_load_options* options, sinew_character** character,
                        sinew_result* result) {
  if (character != nullptr) *character = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(path, "path");
    require(character, "character");
    give_character(load_character(path, load_options_of(options)), character, report);
  });
}

sinew_status sinew_read(const void* bytes, size_t size, const sinew_load_options* options, sinew_character** character,
                        sinew_result* result) {
  if (character != nullptr) *character = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(character, "character");
    give_character(read_character(bytes_of(bytes, size, "bytes"), load_options_of(options)), character, report);
  });
}

void sinew_save_options_defaults(sinew_save_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_save_options* options) {
    const SaveOptions defaults;
    options->max_influences = defaults.max_influences;
    options->quantise_weights = defaults.quantise_weights;
    options->embed = defaults.embed;
    options->keep_old_skeleton = defaults.keep_old_skeleton;
    options->names = "keep";
  });
}

sinew_status sinew_save(const sinew_character* character, const char* path, const sinew_save_options* options,
                        sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(path, "path");
    const Reading read(character, "character");
    add_warnings(report, save_character(*read, path, save_options_of(options)));
  });
}

sinew_status sinew_write(const sinew_character* character, const char* format, const sinew_save_options* options,
                         sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(format, "format");
    const Reading read(character, "character");
    SaveOptions save = save_options_of(options);
    save.as_vrm = format_of_name(format) == FileFormat::glb && std::string_view(format) != "glb";
    WrittenCharacter written = write_character(*read, format_of_name(format), save);
    add_warnings(report, written.warnings);
    add_file(report, std::string("character.") + format, std::move(written.bytes));
    for (WrittenFile& file : written.beside) add_file(report, file.name, std::move(file.bytes));
  });
}

void sinew_builtin_options_defaults(sinew_builtin_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_builtin_options* options) {
    const BuiltinOptions defaults;
    options->kind = "adult";
    options->pose = "T";
    options->garment = "automatic";
    options->vertices = defaults.vertex_budget;
    options->seed = defaults.seed;
  });
}

sinew_status sinew_make_character(const sinew_builtin_options* options, const sinew_progress* progress,
                                  sinew_character** character, sinew_result* result) {
  if (character != nullptr) *character = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(character, "character");
    give_character(make_builtin_character(builtin_options_of(options), progress_of(progress)), character, report);
  });
}

sinew_status sinew_builtin_skeleton(const char* name, sinew_character** character, sinew_result* result) {
  if (character != nullptr) *character = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(name, "name");
    require(character, "character");
    give_character(builtin_skeleton(name), character, report);
  });
}

}  // extern "C"
