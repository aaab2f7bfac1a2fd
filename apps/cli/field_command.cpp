// sinew field: a saved weight field applied to another mesh, level of detail, garment, point cloud or splat file.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/bind.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace sinew::cli {
namespace {

struct FieldArguments {
  std::string field, mesh, output, skeleton;
  bool overwrite = false;
};

void run_field(const FieldArguments& options, Session& session) {
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);
  std::vector<std::byte> field_bytes = read_input(options.field, session);
  const bool alone = is_field(field_bytes);
  const SkinCellField field = parse_bytes(field_bytes, options.field, read_field);
  Character character = load_file(options.mesh, session);
  session.warn(character.warnings);
  // A bare mesh takes the skeleton it is given, or the one that came with a field inside a GLB.
  const bool with_field = options.skeleton.empty() && character.skeleton.empty() && !alone;
  if (with_field || !options.skeleton.empty()) {
    const Character source =
        with_field ? load_bytes(std::move(field_bytes), options.field) : load_file(options.skeleton, session);
    session.warn(source.warnings);
    Warnings warnings;
    use_skeleton_of(source, character, warnings);
    match_units(character, warnings);
    session.warn(warnings);
  }
  const FieldReport report = apply_field(field, character);
  session.warn(report.warnings);
  session.warn(save_file(character, options.output, session));
  session.finish(
      {{"output", options.output},
       {"vertices", report.vertices},
       {"cells", field.cell_count()},
       {"mean_influences", report.mean_influences},
       {"seconds", report.seconds}},
      fmt::format("{}: {} vertices weighted by a field of {} cells in {:.3f} s, {:.2f} influences per vertex",
                  options.output, report.vertices, field.cell_count(), report.seconds, report.mean_influences));
}

}  // namespace

void add_field_command(Session& session) {
  auto options = std::make_shared<FieldArguments>();
  Command* command =
      session.add_command("field", "apply a saved weight field to another mesh, LOD, garment, point cloud or splats");
  command->add_option("FIELD", options->field, "weight field: a .skincells, or a .glb that bind --embed-field wrote")
      ->required();
  command
      ->add_option("MESH", options->mesh,
                   "mesh or cloud, in the place and unit of the mesh that the field was made for")
      ->required();
  session.add_output(command, "-o,--output", options->output, "where to write the weighted mesh")->required();
  command->add_option("--skeleton", options->skeleton,
                      "skeleton and motions from another file; not needed when MESH has the field's joints");
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_field(*options, session); });
}

}  // namespace sinew::cli
