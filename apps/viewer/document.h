// What is open in the page: one character as it came from its file, and the weights that were tried on it.
//
// Every change makes a new entry of the history; undo and redo move between entries and nothing is computed again.
// All functions may be called from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sinew/weights/bind.h"

namespace sinew::viewer {

struct WeightsEntry {
  int id = 0;  // never used twice
  std::string label, method;
  OptionValues options;
  int max_influences = 0;
  std::string gesture;  // entries of one slider drag share it, and replace each other
  SkinWeights weights;  // empty for a bare mesh
  std::vector<Part> parts;
  BindReport report;
};

nlohmann::json to_json(const WeightsEntry& entry);

// An open character. Never changes; opening another file makes another one.
struct OpenedCharacter {
  int generation = 0;
  std::string file_name;  // without folder
  Character character;
  Warnings warnings;
};

class Document {
 public:
  // Takes a skeleton that is in other units than the mesh to the mesh's (match_units).
  void open(Character character, const std::string& file_name);

  // The character gets the skeleton and motions of `source`; see use_skeleton_of. Throws Error(bad_input).
  void take_skeleton(const Character& source);

  // More motions for the present skeleton; what was bound stays. A motion of the same name is replaced.
  void add_motions(std::vector<Motion> motions, Warnings warnings);

  std::shared_ptr<const OpenedCharacter> opened() const;

  // Puts an entry behind the present one and forgets what was undone. Ignored when another file was opened meanwhile.
  void add(WeightsEntry entry, int generation);
  bool undo();
  bool redo();

  // The entry with this id, undone or not; null when there is none.
  std::shared_ptr<const WeightsEntry> find(int id) const;
  std::shared_ptr<const WeightsEntry> current() const;

  // {"generation", "file", "warnings", "history": […], "position"}
  nlohmann::json state() const;

  // The opened character with the present weights.
  Character result() const;

 private:
  void start(Character character, const std::string& file_name, Warnings warnings);

  mutable std::mutex mutex_;
  std::shared_ptr<const OpenedCharacter> opened_;
  std::vector<std::shared_ptr<const WeightsEntry>> history_;
  std::size_t position_ = 0;
  int generations_ = 0, entries_ = 0;
};

}  // namespace sinew::viewer
