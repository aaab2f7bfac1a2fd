// What survives a round trip: every character of some folders is written as GLB and as FBX, read back and counted.
//
//   bench_round_trips [--every N] FOLDER|FILE…   default: the data folder beside the project
//
// Prints the table of docs/notes/round-trips.md, and below it every file that lost something. Counted are triangles,
// joints that move vertices, materials that parts use, pictures, shape keys that move something, and clips. A picture
// counts when both formats can hold it: PNG or JPEG, of colour, normals or emission.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "sinew/asset/materials.h"
#include "sinew/io.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::array names = {"triangles", "joints", "materials", "pictures", "shape keys", "clips"};
using Counts = std::array<std::size_t, names.size()>;

std::size_t pictures_of(const Materials& looks) {
  std::set<int> images;
  for (const Material& material : looks.materials) {
    for (const Texture* texture : {&material.base, &material.normal, &material.glow}) {
      if (texture->image < 0) continue;
      const std::string kind = image_extension(looks.images[static_cast<std::size_t>(texture->image)].bytes);
      if (kind == ".png" || kind == ".jpg") images.insert(texture->image);
    }
  }
  return images.size();
}

std::size_t joints_of(const Character& character) {
  std::set<std::uint16_t> used;
  for (std::size_t i = 0; i < character.weights.weights.size(); ++i) {
    if (character.weights.weights[i] > 0) used.insert(character.weights.joints[i]);
  }
  return used.size();
}

Counts counts_of(const Character& character) {
  const Materials looks = read_materials(character);
  const ShapeKeys shapes = read_shape_keys(character);
  std::set<int> materials(looks.of_part.begin(), looks.of_part.end());
  materials.erase(-1);
  const auto moves =
      std::count_if(shapes.keys.begin(), shapes.keys.end(), [](const ShapeKey& key) { return !key.vertices.empty(); });
  return {character.mesh.triangles.size(), joints_of(character),    materials.size(), pictures_of(looks),
          static_cast<std::size_t>(moves), character.motions.size()};
}

struct Row {
  std::size_t files = 0, refused = 0;
  Counts before{};
  std::map<std::string, std::size_t> lost;  // by format: files that lost something
};

std::string losses(const Counts& before, const Counts& after) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    // A format may need more of something: materials of parts that had none.
    if (after[i] >= before[i]) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(before[i] - after[i]) + " of " + std::to_string(before[i]) +
            " " + names[i];
  }
  return text;
}

void measure(const fs::path& path, Row& row, std::vector<std::string>& details) {
  ++row.files;
  try {
    const Character character = load_character(path, {.isolate = true});
    const Counts before = counts_of(character);
    for (std::size_t i = 0; i < before.size(); ++i) row.before[i] += before[i];
    for (const auto& [format, name] : {std::pair{FileFormat::glb, "GLB"}, std::pair{FileFormat::fbx, "FBX"}}) {
      if (format == FileFormat::fbx && character.mesh.triangles.empty() && character.skeleton.empty()) continue;
      const WrittenCharacter written = write_character(character, format);
      const Character again = read_character(written.bytes, {.name = "again", .isolate = true});
      const std::string lost = losses(before, counts_of(again));
      if (lost.empty()) continue;
      ++row.lost[name];
      details.push_back(path.filename().string() + " as " + name + ": " + lost);
    }
  } catch (const Error& error) {
    ++row.refused;
    details.push_back(path.filename().string() + ": " + error.what());
  }
}

bool is_character(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".glb" || extension == ".gltf" || extension == ".vrm" || extension == ".fbx" ||
         extension == ".dae" || extension == ".obj";
}

std::vector<fs::path> files_in(const std::vector<fs::path>& folders, std::size_t every) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) {
      files.push_back(folder);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && is_character(entry.path())) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<fs::path> chosen;
  for (std::size_t i = 0; i < files.size(); i += every) chosen.push_back(files[i]);
  return chosen;
}

int run(const std::vector<fs::path>& folders, std::size_t every) {
  std::map<std::string, Row> rows;
  std::vector<std::string> details;
  for (const fs::path& path : files_in(folders, every)) {
    const std::string group = path.parent_path().filename().string() + ", " + path.extension().string();
    measure(path, rows[group], details);
    std::fprintf(stderr, "%s\n", path.filename().c_str());
  }
  std::printf("| files | number |");
  for (const char* name : names) std::printf(" %s |", name);
  std::printf(" lose something as GLB | as FBX | refused |\n|---|");
  for (std::size_t i = 0; i < names.size() + 4; ++i) std::printf("---|");
  std::printf("\n");
  for (auto& [name, row] : rows) {
    std::printf("| %s | %zu |", name.c_str(), row.files);
    for (const std::size_t count : row.before) std::printf(" %zu |", count);
    std::printf(" %zu | %zu | %zu |\n", row.lost["GLB"], row.lost["FBX"], row.refused);
  }
  std::printf("\n");
  for (const std::string& line : details) std::printf("- %s\n", line.c_str());
  return 0;
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> folders;
  std::size_t every = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--every" && i + 1 < argc) {
      every = std::max<std::size_t>(1, std::strtoul(argv[++i], nullptr, 10));
    } else {
      folders.emplace_back(argv[i]);
    }
  }
  if (folders.empty()) folders.emplace_back(std::string(SINEW_PROJECT_DIR) + "/../shared/data");
  return sinew::run(folders, every);
}
