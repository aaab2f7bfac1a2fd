#include "sinew/asset/beside_files.h"

#include <algorithm>

#include "sinew/base/file_bytes.h"

namespace sinew {
namespace fs = std::filesystem;

void check_beside_name(const std::string& name) {
  const fs::path path(name);
  const bool escapes = std::any_of(path.begin(), path.end(), [](const fs::path& step) { return step == ".."; });
  if (name.empty() || escapes || path.is_absolute() || name.find_first_of(":\\") != std::string::npos ||
      name.find('\0') != std::string::npos) {
    throw Error(ErrorCode::path_refused, "the file refers to '" + name + "', which is not inside its folder",
                "put the file beside it and name it by a relative path");
  }
}

std::string place_beside(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  const bool elsewhere =
      name.starts_with("/") || name.find(':') != std::string::npos || name.find("../") != std::string::npos;
  if (elsewhere) name = name.substr(name.find_last_of("/:") + 1);
  while (name.starts_with("./")) name.erase(0, 2);
  return name;
}

std::optional<std::vector<std::byte>> find_picture(const std::string& name, const LoadOptions& options) {
  const std::string bare = name.substr(name.find_last_of('/') + 1);
  const std::string media = fs::path(options.name).stem().string() + ".fbm/";
  std::vector<std::string> places{name, bare};
  for (const std::string& folder : {media, std::string("textures/"), std::string("Textures/")}) {
    places.push_back(folder + bare);
  }
  for (const std::string& place : places) {
    if (!options.resolve) break;
    try {
      check_beside_name(place);
      std::optional<std::vector<std::byte>> bytes = options.resolve(place);
      if (bytes) return bytes;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_input || error.code() == ErrorCode::too_large) throw;
    }
  }
  return std::nullopt;
}

std::string name_of_uri(const std::string& uri) {
  std::string name;
  const auto hex = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0) {
      name += static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2]));
      i += 2;
    } else {
      name += uri[i];
    }
  }
  check_beside_name(name);
  return name;
}

ResolveFile files_in_folder(const fs::path& folder, std::uint64_t max_bytes) {
  return [folder, max_bytes](const std::string& name) -> std::optional<std::vector<std::byte>> {
    return read_file_bytes(folder / name, max_bytes);
  };
}

}  // namespace sinew
