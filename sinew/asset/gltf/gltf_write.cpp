#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew {
namespace {

using gltf::Json;

Warnings write_fresh(const Character& character, const std::filesystem::path& path, const SaveOptions& options) {
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "sinew"}}}, {"scene", 0}, {"scenes", Json::array()}};
  gltf::Builder builder{json, 0, 0, {}, 0, {}};
  gltf::PartContext context{character, options, {}, {}, {}, {}};
  if (!character.skeleton.empty()) {
    context.node_of_joint = gltf::add_joint_nodes(builder, character.skeleton, context.warnings);
    context.scene_nodes.push_back(gltf::add_skeleton_root(builder, character.skeleton, context.node_of_joint));
    // Also without a mesh: the skin is what says which nodes are joints.
    gltf::skin_for(builder, context, Affine3d::Identity());
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
  std::vector<gltf::OutputBuffer> buffers;
  if (!builder.added.empty()) {
    json["buffers"] = Json::array({Json::object()});
    buffers.push_back({gltf::BufferKind::file, {}, builder.added});
  }
  gltf::write_document(json, buffers, path);
  return context.warnings;
}

}  // namespace

Character gltf::with_document(const Character& character, const std::filesystem::path& path) {
  const auto* document = dynamic_cast<const gltf::Document*>(character.source.get());
  if (document != nullptr && gltf::unchanged(character, *document)) return character;
  const std::filesystem::path beside = path.string() + ".finest.glb";
  write_gltf(character, beside);
  struct Remove {
    const std::filesystem::path& file;
    ~Remove() {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
  } remove{beside};
  Character again = read_gltf(beside);
  if (again.mesh.positions.size() != character.mesh.positions.size()) {
    throw Error(ErrorCode::internal, "the file cannot be written: its vertices would change");
  }
  return again;
}

Warnings write_gltf(const Character& character, const std::filesystem::path& path, const SaveOptions& options) {
  const auto* source = dynamic_cast<const gltf::Document*>(character.source.get());
  // What was read and not touched was valid then and is valid now.
  if (!source || !gltf::unchanged(character, *source)) check_character(character);
  return source ? gltf::write_patched(character, *source, path, options) : write_fresh(character, path, options);
}

}  // namespace sinew
