// What is open in the page: one character, and every step that was taken with it.
//
// A step is a new entry of the history: weights, a fitted skeleton, a motion. Entries share what they did not change;
// undo and redo move between them and nothing is computed again. All functions may be called from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sinew/bind.h"
#include "sinew/fit.h"

namespace sinew::viewer {

// Where a fitted skeleton came from.
struct FittedFrom {
  Character source;                // skeleton and motions as they were before
  std::vector<double> confidence;  // per joint, 0 … 1
  std::vector<HeldJoint> held;     // where a person put joints
};

// A character as it is apart from its weights. Never changes; a step that changes it makes another one.
struct OpenedCharacter {
  int generation = 0;     // never used twice
  int rig = 0;            // the same for characters with the same mesh and skeleton
  std::string file_name;  // without folder
  Character character;
  Warnings warnings;
  std::shared_ptr<const FittedFrom> fitted;              // null unless the skeleton was fitted
  std::shared_ptr<const std::vector<Character>> levels;  // coarser ones of the file (MSFT_lod)
};

struct Entry {
  int id = 0;  // never used twice
  std::string label, method;
  OptionValues options;
  int max_influences = 4;
  std::string joints = "auto";
  std::string gesture;  // entries of one slider drag or brush stroke share it, and replace each other
  std::shared_ptr<const OpenedCharacter> opened;
  SkinWeights weights;  // empty for a bare mesh
  std::vector<Part> parts;
  BindReport report;
  std::vector<WeightPin> pins;   // painted
  std::vector<std::byte> field;  // a .skincells file, where the method makes one
};

using EntryPointer = std::shared_ptr<const Entry>;

nlohmann::json to_json(const Entry& entry);

class Document {
 public:
  // Forgets all that was before. Takes a skeleton that is in other units than the mesh to the mesh's (match_units).
  void open(Character character, const std::string& file_name);

  // The character gets the skeleton and motions of `source`; see use_skeleton_of. Throws Error(bad_input).
  void take_skeleton(const Character& source);
  // The character with a fitted skeleton. Weights stay when the joints are the same as before.
  void take_fitted(Character fitted, FittedFrom from, Warnings warnings);
  // More motions for the present skeleton; weights stay. A motion of the same name is replaced.
  void add_motions(std::vector<Motion> motions, Warnings warnings);

  // Puts an entry behind the present one and forgets what was undone. Ignored when the character that it belongs to is
  // no longer the present one.
  void add(Entry entry);
  bool undo();
  bool redo();

  EntryPointer current() const;
  // What `gesture` began with: the present entry, or the one before when the present one is of the same gesture.
  EntryPointer before(const std::string& gesture) const;
  // The entry with this id, undone or not; null when there is none.
  EntryPointer find(int id) const;
  std::shared_ptr<const OpenedCharacter> opened() const { return current()->opened; }

  // {"file", "warnings", "history": […], "position"}
  nlohmann::json state() const;

  // The present character with the present weights.
  Character result() const;

 private:
  // All with mutex_ held.
  OpenedCharacter changed(Character character, Warnings warnings);
  Entry entry_of(OpenedCharacter opened, const std::string& label, bool keep_weights) const;
  void step(Entry entry);

  mutable std::mutex mutex_;
  std::vector<EntryPointer> history_;
  std::size_t position_ = 0;
  int entries_ = 0, characters_ = 0;
};

}  // namespace sinew::viewer
