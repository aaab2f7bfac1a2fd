#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_patch.h"
#include "sinew/asset/gltf/gltf_vrm.h"

namespace sinew {
namespace {

using gltf::Json;

Output write_fresh(const Character& character, FileFormat format, const SaveOptions& options) {
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "sinew"}}}, {"scene", 0}, {"scenes", Json::array()}};
  gltf::Builder builder{json, 0, 0, {}, 0, {}};
  gltf::PartContext context{character, options, {}, {}, {}, {}};
  Output output;
  const bool vrm = options.as_vrm && format == FileFormat::glb;
  if (vrm) gltf::check_vrm_bones(character.skeleton);
  gltf::add_looks(builder, read_materials(character), format, options, output);
  ShapeKeys shapes = read_shape_keys(character);
  context.shape_keys = std::move(shapes.keys);
  if (shapes.lost > 0) {
    context.warnings.push_back(
        {"lost-shapes", std::to_string(shapes.lost) + " shape keys do not fit the changed vertices and were left out"});
  }
  if (!character.skeleton.empty()) {
    context.node_of_joint = gltf::add_joint_nodes(builder, character.skeleton, context.warnings);
    context.scene_nodes.push_back(gltf::add_skeleton_root(builder, character.skeleton, context.node_of_joint));
    // Also without a mesh: the skin is what says which nodes are joints.
    gltf::skin_for(builder, context, Affine3d::Identity());
    if (vrm) gltf::hold_arms_out(json, character.skeleton, context.node_of_joint);
  }
  for (const Part& part : gltf::parts_of(character)) gltf::add_part(builder, context, part);
  for (const Motion& motion : character.motions) {
    if (motion.frame_count() == 0) continue;
    Json animation = gltf::make_animation(builder, motion, context.node_of_joint);
    builder.push("animations", std::move(animation));
  }
  Json scene = {{"name", character.name.empty() ? "scene" : character.name}};
  if (!context.scene_nodes.empty()) scene["nodes"] = context.scene_nodes;
  json["scenes"].push_back(std::move(scene));
  if (vrm) gltf::add_vrm(json, character, context.node_of_joint, options.vrm, context.warnings);
  std::vector<gltf::OutputBuffer> buffers;
  if (!builder.added.empty()) {
    json["buffers"] = Json::array({Json::object()});
    buffers.push_back({gltf::BufferKind::file, {}, builder.added});
  }
  gltf::write_document(json, buffers, format, options, output);
  output.owners.insert(output.owners.end(), builder.owners.begin(), builder.owners.end());
  output.warnings.insert(output.warnings.end(), context.warnings.begin(), context.warnings.end());
  return output;
}

}  // namespace

Character gltf::with_document(const Character& character) {
  const auto* document = dynamic_cast<const gltf::Document*>(character.source.get());
  if (document != nullptr && gltf::unchanged(character, *document)) return character;
  // What the source named by file is still found where it was.
  WrittenCharacter written = joined(write_gltf(character, FileFormat::glb));
  Character again = document ? read_gltf(std::move(written.bytes), document->options, document->path)
                             : read_gltf(std::move(written.bytes));
  if (again.mesh.positions.size() != character.mesh.positions.size()) {
    throw Error(ErrorCode::internal, "the file cannot be written: its vertices would change");
  }
  again.name = character.name;
  return again;
}

Output write_gltf(const Character& character, FileFormat format, const SaveOptions& options) {
  const auto* source = dynamic_cast<const gltf::Document*>(character.source.get());
  // What was read and not touched was valid then and is valid now.
  if (!source || !gltf::unchanged(character, *source)) check_character(character);
  return source ? gltf::write_patched(character, *source, format, options) : write_fresh(character, format, options);
}

}  // namespace sinew
