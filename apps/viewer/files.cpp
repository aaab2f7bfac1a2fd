#include "apps/viewer/files.h"

#include <filesystem>

#include "apps/viewer/fitting.h"
#include "apps/viewer/requests.h"
#include "sinew/io.h"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

std::string glb_bytes(const Character& character) {
  SaveOptions options;
  options.embed = true;  // the page gets one file
  const WrittenCharacter written = write_character(character, FileFormat::glb, options);
  return {reinterpret_cast<const char*>(written.bytes.data()), written.bytes.size()};
}

void open_character(Document& document, const DroppedFile& dropped, const std::string& name, const Progress& progress) {
  LoadOptions options;
  options.name = name;
  options.isolate = true;
  Character character = read_character(std::as_bytes(std::span(dropped.bytes)), options);
  progress(0.1, "opening " + name);
  const bool only_skeleton = character.mesh.vertex_count() == 0 && !character.skeleton.empty();
  if (!only_skeleton) {
    document.open(std::move(character), name);
  } else if (dropped.take_skeleton || document.opened()->character.skeleton.empty() || character.motions.empty()) {
    document.take_skeleton(character);
  } else {
    retarget_onto(document, character, progress.part(0.1, 1));
  }
}

// What goes to the open character, not in its place. False for any other file.
bool open_beside(Document& document, CorrectiveView& correctives, const DroppedFile& dropped, const std::string& name,
                 std::uint64_t seed, const Progress& progress) {
  const std::string extension = fs::path(name).extension().string();
  const auto bytes = std::as_bytes(std::span(dropped.bytes));
  try {
    if (extension == ".sinewt") {
      correctives.load_truth(bytes, *document.current());
    } else if (extension == ".sinewc") {
      correctives.load_correctives(bytes, name, *document.opened());
    } else if (extension == ".json") {
      run_pins(document, dropped.bytes, seed, progress);
    } else {
      return false;
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    throw error.within("reading '" + name + "'");
  }
  return true;
}

}  // namespace

void run_open(Document& document, CorrectiveView& correctives, const DroppedFile& dropped, std::uint64_t seed,
              const Progress& progress) {
  const std::string name = fs::path(dropped.name).filename().string();
  progress(0, "reading " + name);
  if (open_beside(document, correctives, dropped, name, seed, progress)) return;
  open_character(document, dropped, name, progress);
}

std::string result_glb(const Document& document) { return glb_bytes(document.result()); }

std::string opened_glb(const Document& document) { return glb_bytes(document.opened()->character); }

}  // namespace sinew::viewer
