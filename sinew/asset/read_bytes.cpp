#include "sinew/asset/read_bytes.h"

#include "sinew/asset/clean_up.h"
#include "sinew/asset/fbx/assimp_import.h"
#include "sinew/asset/plain/bvh.h"
#include "sinew/asset/plain/obj.h"
#include "sinew/asset/plain/off.h"
#include "sinew/asset/plain/pcd.h"
#include "sinew/asset/plain/ply.h"
#include "sinew/asset/plain/stl.h"

namespace sinew {
namespace {

Character read_as(FileFormat format, std::span<const std::byte> bytes, const LoadOptions& options) {
  switch (format) {
    case FileFormat::gltf:
      break;
    case FileFormat::obj:
      return read_obj(bytes, options);
    case FileFormat::ply:
      return read_ply(bytes, options);
    case FileFormat::stl:
      return read_stl(bytes, options);
    case FileFormat::off:
      return read_off(bytes, options);
    case FileFormat::bvh:
      return read_bvh(bytes, options);
    case FileFormat::pcd:
      return read_pcd(bytes, options);
    case FileFormat::fbx:
      return read_scene(bytes, SceneFormat::fbx, options);
    case FileFormat::collada:
      return read_scene(bytes, SceneFormat::collada, options);
  }
  throw Error(ErrorCode::argument_invalid, "glTF cannot be read from memory: it may name files beside it");
}

}  // namespace

Character read_bytes(std::span<const std::byte> bytes, FileFormat format, const LoadOptions& options) {
  Character character = read_as(format, bytes, options);
  clean_up(character);
  return character;
}

}  // namespace sinew
