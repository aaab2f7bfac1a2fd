// sinew convert: from one file format to another.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "save_choices.h"

namespace sinew::cli {
namespace {

struct ConvertArguments {
  std::string input, output;
  bool overwrite = false;
  SaveOptions save;
};

void run_convert(const ConvertArguments& options, Session& session) {
  refuse_to_overwrite(options.input, options.output, options.overwrite);
  const Character character = load_file(options.input, session);
  session.warn(character.warnings);
  session.warn(save_file(character, options.output, session, options.save));
  const nlohmann::json result = {{"input", options.input},
                                 {"output", options.output},
                                 {"vertices", character.mesh.vertex_count()},
                                 {"triangles", character.mesh.triangles.size()},
                                 {"joints", character.skeleton.joint_count()},
                                 {"motions", character.motions.size()}};
  session.finish(result, fmt::format("wrote {}\n", options.output));
}

}  // namespace

void add_convert_command(Session& session) {
  auto options = std::make_shared<ConvertArguments>();
  Command* command = session.add_command("convert", "write a file in another format");
  command->add_option("INPUT", options->input, "file to read: .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae")
      ->required();
  session
      .add_output(command, "OUTPUT", options->output, "file to write: .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh")
      ->required();
  command->add_flag("--overwrite", options->overwrite, "allow the output to replace the input");
  command->add_option("--max-influences", options->save.max_influences, "joints per vertex to keep; 0 keeps all")
      ->non_negative()
      ->show_default();
  command->add_flag("--quantise-weights", options->save.quantise_weights,
                    "write glTF weights as bytes instead of floats");
  add_save_options(*command, options->save);
  session.on_run(command, [options, &session] { run_convert(*options, session); });
}

}  // namespace sinew::cli
