#include "bindings/c/format_names.h"

#include "sinew/io.h"

namespace sinew::binding {

const char* name_of_format(FileFormat format) {
  switch (format) {
    case FileFormat::glb:
      return "glb";
    case FileFormat::gltf:
      return "gltf";
    case FileFormat::obj:
      return "obj";
    case FileFormat::ply:
      return "ply";
    case FileFormat::stl:
      return "stl";
    case FileFormat::off:
      return "off";
    case FileFormat::bvh:
      return "bvh";
    case FileFormat::pcd:
      return "pcd";
    case FileFormat::fbx:
      return "fbx";
    case FileFormat::collada:
      return "dae";
  }
  return "";
}

FileFormat format_of_name(const std::string& name) {
  if (const std::optional<FileFormat> format = format_of_extension("file." + name)) return *format;
  throw Error(ErrorCode::choice_unknown, "there is no format '" + name + "'",
              "formats are called as their extensions: glb, gltf, obj, ply, stl, off, bvh, pcd, fbx, dae")
      .about("format");
}

}  // namespace sinew::binding
