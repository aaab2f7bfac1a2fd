#include "sinew/asset/file_format.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "sinew/asset/plain/text_scanner.h"
#include "sinew/io.h"

namespace sinew {
namespace {

constexpr std::size_t look_at = 4096;  // bytes in which a text format must show itself

bool is_off_keyword(std::string_view word) {
  // [ST][C][N][4][n]OFF
  std::size_t at = 0;
  for (const std::string_view prefix : {"ST", "C", "N", "4", "n"}) {
    if (word.substr(at, prefix.size()) == prefix) at += prefix.size();
  }
  return word.substr(at) == "OFF";
}

bool is_pcd(TextScanner scanner) {
  const std::string_view word = scanner.word_anywhere('#');
  return word == "VERSION" || word == "FIELDS";
}

// OBJ has no mark: a line that is a vertex, or a keyword no other format has, with only OBJ lines before it.
bool looks_like_obj(std::string_view text) {
  TextScanner scanner(text);
  for (int lines = 0; !scanner.at_end() && lines < 500; ++lines) {
    const std::string_view word = scanner.word();
    double x = 0;
    if (word == "v") return scanner.try_number(x) && scanner.try_number(x) && scanner.try_number(x);
    if (word == "mtllib" || word == "usemtl") return true;
    const bool harmless = word.empty() || word[0] == '#' || word == "o" || word == "g" || word == "s" || word == "vt" ||
                          word == "vn" || word == "vp";
    if (!harmless) return false;
    scanner.next_line();
  }
  return false;
}

}  // namespace

const char* format_name(FileFormat format) {
  switch (format) {
    case FileFormat::glb:
    case FileFormat::gltf:
      return "glTF";
    case FileFormat::obj:
      return "Wavefront OBJ";
    case FileFormat::ply:
      return "PLY";
    case FileFormat::stl:
      return "STL";
    case FileFormat::off:
      return "OFF";
    case FileFormat::bvh:
      return "BVH";
    case FileFormat::pcd:
      return "PCD";
    case FileFormat::fbx:
      return "FBX";
    case FileFormat::collada:
      return "COLLADA";
  }
  return "unknown";
}

bool is_binary_stl(std::span<const std::byte> bytes) {
  if (bytes.size() < 84) return false;
  std::uint32_t triangles = 0;
  std::memcpy(&triangles, bytes.data() + 80, sizeof triangles);
  const std::uint64_t expected = 84 + std::uint64_t{50} * triangles;
  return bytes.size() >= expected && bytes.size() - expected < 512;
}

std::optional<FileFormat> format_of_content(std::span<const std::byte> bytes) {
  std::string_view text = as_text(bytes.first(std::min(bytes.size(), look_at)));
  if (text.starts_with("glTF")) return FileFormat::glb;
  if (text.starts_with("Kaydara FBX Binary") || text.starts_with("; FBX ")) return FileFormat::fbx;
  if (is_binary_stl(bytes)) return FileFormat::stl;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::string_view first = TextScanner(text).word_anywhere();
  if (first == "ply") return FileFormat::ply;
  if (first == "HIERARCHY") return FileFormat::bvh;
  if (first == "solid") return FileFormat::stl;
  if (!first.empty() && first[0] == '{') return FileFormat::gltf;
  if (text.find("<COLLADA") != std::string_view::npos) return FileFormat::collada;
  if (is_off_keyword(TextScanner(text).word_anywhere('#'))) return FileFormat::off;
  if (is_pcd(TextScanner(text))) return FileFormat::pcd;
  if (looks_like_obj(text)) return FileFormat::obj;
  return std::nullopt;
}

std::optional<FileFormat> format_of_extension(const std::filesystem::path& name) {
  const std::string extension = name.extension().string();
  constexpr std::pair<std::string_view, FileFormat> known[] = {
      {".glb", FileFormat::glb}, {".gltf", FileFormat::gltf}, {".vrm", FileFormat::glb}, {".vrma", FileFormat::glb},
      {".obj", FileFormat::obj}, {".ply", FileFormat::ply},   {".stl", FileFormat::stl}, {".off", FileFormat::off},
      {".bvh", FileFormat::bvh}, {".pcd", FileFormat::pcd},   {".fbx", FileFormat::fbx}, {".dae", FileFormat::collada}};
  for (const auto& [ending, format] : known) {
    if (equal_ignoring_case(extension, ending)) return format;
  }
  return std::nullopt;
}

}  // namespace sinew
