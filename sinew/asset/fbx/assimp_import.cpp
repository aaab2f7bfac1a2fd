#include "sinew/asset/fbx/assimp_import.h"

#include <assimp/scene.h>

#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/asset/character_bytes.h"
#include "sinew/asset/fbx/assimp_scene.h"
#include "sinew/asset/joint_names.h"
#include "sinew/base/plain_text.h"
#include "sinew/base/sandboxed_process.h"

namespace sinew {
namespace {

// Metres per unit of an FBX file; UnitScaleFactor is in centimetres.
double fbx_unit(const aiScene& scene) {
  double centimetres = 1.0;
  float single = 0;
  if (scene.mMetaData && !scene.mMetaData->Get("UnitScaleFactor", centimetres) &&
      scene.mMetaData->Get("UnitScaleFactor", single)) {
    centimetres = single;
  }
  return std::isfinite(centimetres) && centimetres > 0 ? centimetres * 0.01 : 0.01;
}

std::string unit_text(double metres) {
  constexpr std::pair<double, const char*> known[] = {
      {0.01, "centimetres"}, {0.001, "millimetres"}, {0.0254, "inches"}, {0.3048, "feet"}};
  for (const auto& [size, name] : known) {
    if (std::abs(metres / size - 1.0) < 1e-5) return name;
  }
  return "units of " + number_text(metres) + " m";
}

void say_what_was_converted(double unit, const Affine3d& root, Warnings& warnings) {
  if (std::abs(unit - 1.0) > 1e-5) {
    warnings.push_back({"unit-converted", "the file is in " + unit_text(unit) + "; it was converted to metres"});
  }
  const Mat3d axes = root.linear() / std::cbrt(std::max(std::abs(root.linear().determinant()), 1e-300));
  if ((axes - Mat3d::Identity()).cwiseAbs().maxCoeff() > 1e-4) {
    warnings.push_back({"up-axis-converted", "the file does not have Y up; it was turned"});
  }
}

int depth_of(const aiNode& node, int limit) {
  int deepest = 0;
  for (unsigned c = 0; c < node.mNumChildren && limit > 0; ++c) {
    deepest = std::max(deepest, depth_of(*node.mChildren[c], limit - 1));
  }
  return deepest + 1;
}

// What a scene names beside itself is not looked for.
class NoFiles : public Assimp::IOSystem {
 public:
  bool Exists(const char*) const override { return false; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
  void Close(Assimp::IOStream*) override {}
};

Character read_scene_here(std::span<const std::byte> bytes, SceneFormat format, const LoadOptions& options) {
  Assimp::Importer importer;
  // Pivots folded into the nodes; joints without weight stay.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
  importer.SetIOHandler(new NoFiles);  // the importer deletes it
  const aiScene* scene =
      importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, format == SceneFormat::fbx ? "fbx" : "dae");
  if (!scene || !scene->mRootNode) {
    const std::string reason = importer.GetErrorString();
    throw Error(ErrorCode::file_damaged, reason.empty() ? "nothing could be read" : reason,
                "open and save it again in a modelling program, or export it as .glb");
  }
  if (depth_of(*scene->mRootNode, options.max_node_depth + 2) > options.max_node_depth + 1) {
    throw Error(ErrorCode::too_large,
                "its nodes are nested more than " + std::to_string(options.max_node_depth) + " deep");
  }
  // assimp writes COLLADA's unit into the root's matrix, and leaves FBX's to us.
  const Affine3d root = to_affine(*scene->mRootNode);
  const double unit = format == SceneFormat::fbx ? fbx_unit(*scene) : 1.0;
  Character character;
  say_what_was_converted(unit * std::cbrt(std::abs(root.linear().determinant())), root, character.warnings);
  SceneSkeleton skeleton = scene_skeleton(*scene, unit, character.warnings);
  if (skeleton.skeleton.joint_count() > std::numeric_limits<std::uint16_t>::max()) {
    throw Error(ErrorCode::too_large,
                "it has " + std::to_string(skeleton.skeleton.joint_count()) + " joints; the limit is 65535");
  }
  SceneSurface surface = add_scene_meshes(*scene, skeleton, options, character);
  add_scene_looks(*scene, format, std::move(surface), character);
  add_scene_motions(*scene, skeleton, options, character);
  character.skeleton = std::move(skeleton.skeleton);
  mark_end_joints(character.skeleton, character.weights);
  return character;
}

}  // namespace

Character read_scene(std::span<const std::byte> bytes, SceneFormat format, const LoadOptions& options) {
  const char* reader = format == SceneFormat::fbx ? "the FBX reader" : "the COLLADA reader";
  if (!options.isolate) {
    try {
      Character character = read_scene_here(bytes, format, options);
      find_scene_pictures(options, character);
      return character;
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::reader_failed, std::string(reader) + " ran out of memory on it");
    } catch (const std::exception& error) {
      throw Error(ErrorCode::reader_failed, std::string(reader) + " failed: " + error.what());
    }
  }
  // assimp 5.2 aborts on about one in a hundred damaged FBX files.
  SandboxLimits limits;
  limits.cpu_seconds = 30.0 + 2e-6 * static_cast<double>(bytes.size());
  limits.extra_bytes = (std::uint64_t{2} << 30) + 64 * bytes.size();
  const std::string result = run_sandboxed(
      reader, [&] { return character_to_bytes(read_scene_here(bytes, format, options)); }, limits);
  Character character = character_from_bytes(result);
  find_scene_pictures(options, character);
  return character;
}

}  // namespace sinew
