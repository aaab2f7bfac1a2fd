#include <memory>

#include "sinew/asset/gltf.h"
#include "sinew/asset/gltf_animation.h"
#include "sinew/asset/gltf_document.h"
#include "sinew/asset/gltf_fingerprint.h"
#include "sinew/asset/gltf_mesh.h"
#include "sinew/asset/gltf_rig.h"
#include "sinew/asset/joint_names.h"

namespace sinew {
namespace {

void take_fingerprints(const Character& character, gltf::Document& document) {
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    document.parts[i].print = gltf::fingerprint(character, character.parts[i]);
  }
  for (std::size_t i = 0; i < character.motions.size(); ++i) {
    document.motions[i].content = gltf::fingerprint(character.motions[i]);
  }
  document.skeleton = gltf::fingerprint(character.skeleton);
  document.hierarchy = gltf::hierarchy_fingerprint(character.skeleton);
}

Character read(const std::filesystem::path& path, const LoadOptions& options) {
  const std::shared_ptr<gltf::Document> document = gltf::read_document(path, options);
  Character character;
  character.name = path.stem().string();
  const gltf::Scene scene = gltf::read_scene(*document, character.warnings);
  gltf::Rig rig = gltf::read_rig(*document, scene, character.warnings);
  character.skeleton = rig.skeleton;
  gltf::read_meshes(*document, scene, rig, character);
  mark_end_joints(character.skeleton, character.weights);
  gltf::read_motions(*document, scene, rig, character);
  if (character.mesh.positions.empty() && character.skeleton.empty()) {
    throw bad_input("the file holds neither a mesh nor a skeleton");
  }
  check_skeleton(character.skeleton);  // mesh, weights and motions were checked or made valid on the way
  document->node_of_joint = std::move(rig.node_of_joint);
  document->skins = std::move(rig.skins);
  take_fingerprints(character, *document);
  character.source = document;
  return character;
}

}  // namespace

Character read_gltf(const std::filesystem::path& path, const LoadOptions& options) {
  const std::string context = "reading '" + path.string() + "'";
  try {
    return read(path, options);
  } catch (const Error& error) {
    throw error.within(context);
  } catch (const gltf::Json::exception& error) {
    throw bad_input(context + ": the JSON is not as glTF wants it: " + error.what());
  }
}

}  // namespace sinew
