#include "apps/viewer/files.h"

#include <filesystem>

#include "apps/viewer/fitting.h"
#include "apps/viewer/private_folder.h"
#include "apps/viewer/requests.h"
#include "sinew/base/file_bytes.h"
#include "sinew/io.h"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

constexpr const char* own_name = "dropped";

std::string glb_bytes(const Character& character) {
  const PrivateFolder folder;
  const fs::path file = folder.path() / "character.glb";
  save_character(character, file);
  const std::vector<std::byte> bytes = read_file_bytes(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Readers name things after the file, which has a name of our own here.
void give_name(Character& character, const std::string& name) {
  if (character.name == own_name) character.name = name;
  for (Motion& motion : character.motions) {
    if (motion.name == own_name || motion.name.empty()) motion.name = name;
  }
}

void open_character(Document& document, const fs::path& file, const fs::path& name, bool take_skeleton,
                    const Progress& progress) {
  Character character = load_character(file);
  give_name(character, name.stem().string());
  progress(0.1, "opening " + name.string());
  const bool only_skeleton = character.mesh.vertex_count() == 0 && !character.skeleton.empty();
  if (!only_skeleton) {
    document.open(std::move(character), name.string());
  } else if (take_skeleton || document.opened()->character.skeleton.empty() || character.motions.empty()) {
    document.take_skeleton(character);
  } else {
    retarget_onto(document, character, progress.part(0.1, 1));
  }
}

}  // namespace

void run_open(Document& document, CorrectiveView& correctives, const DroppedFile& dropped, std::uint64_t seed,
              const Progress& progress) {
  const fs::path name = fs::path(dropped.name).filename();
  const std::string extension = name.extension().string();
  progress(0, "reading " + name.string());
  if (extension == ".sinewt") return correctives.load_truth_bytes(dropped.bytes, *document.current());
  const PrivateFolder folder;
  const fs::path file = folder.path() / (own_name + extension);
  write_file_text(file, dropped.bytes);
  try {
    if (extension == ".sinewc") return correctives.load_correctives(file, name.string(), *document.opened());
    if (extension == ".json") return run_pins(document, dropped.bytes, seed, progress);
    open_character(document, file, name, dropped.take_skeleton, progress);
  } catch (const Error& error) {
    const std::string text = error.what(), path = file.string();
    const std::size_t at = text.find(path);
    if (at == std::string::npos) throw;
    throw Error(error.kind(), std::string(text).replace(at, path.size(), name.string()), error.advice());
  }
}

std::string result_glb(const Document& document) { return glb_bytes(document.result()); }

std::string opened_glb(const Document& document) { return glb_bytes(document.opened()->character); }

}  // namespace sinew::viewer
