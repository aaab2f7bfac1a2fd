#include "apps/viewer/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/asset/gltf/gltf_lods.h"
#include "sinew/weights/bind_input.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;

constexpr std::size_t history_limit = 64;  // beside the first entry; older ones are forgotten

json to_json(const Warnings& warnings) {
  json list = json::array();
  for (const Warning& warning : warnings) list.push_back({{"code", warning.code}, {"message", warning.message}});
  return list;
}

}  // namespace

json to_json(const Entry& entry) {
  json options = json::object();
  for (const auto& [name, value] : entry.options) {
    std::visit([&, &key = name](const auto& plain) { options[key] = plain; }, value);
  }
  return {{"id", entry.id},
          {"label", entry.label},
          {"method", entry.method},
          {"options", options},
          {"max_influences", entry.max_influences},
          {"joints", entry.joints},
          {"generation", entry.opened->generation},
          {"rig", entry.opened->rig},
          {"empty", entry.weights.empty()},
          {"pins", entry.pins.size()},
          {"field", !entry.field.empty()},
          {"seconds", entry.report.prepare_seconds + entry.report.solve_seconds},
          {"mean_influences", entry.report.mean_influences},
          {"warnings", to_json(entry.report.warnings)}};
}

void Document::open(Character character, const std::string& file_name) {
  if (character.mesh.vertex_count() == 0) {
    throw Error(ErrorCode::mesh_missing, "'" + file_name + "' holds no mesh",
                "open a mesh first, then drop its skeleton on the page");
  }
  auto opened = std::make_shared<OpenedCharacter>();
  opened->warnings = character.warnings;
  if (!character.skeleton.empty()) match_units(character, opened->warnings);
  opened->file_name = file_name;
  opened->levels = std::make_shared<const std::vector<Character>>(read_gltf_lods(character));
  Entry entry;
  entry.label = character.has_skin() ? "weights of the file" : "no weights yet";
  entry.weights = character.weights;
  entry.parts = character.parts;
  opened->character = std::move(character);

  const std::lock_guard lock(mutex_);
  opened->generation = opened->rig = ++characters_;
  entry.opened = std::move(opened);
  history_.clear();
  step(std::move(entry));
}

// The present character with something changed.
OpenedCharacter Document::changed(Character character, Warnings warnings) {
  OpenedCharacter opened = *history_[position_]->opened;
  opened.generation = ++characters_;
  opened.character = std::move(character);
  opened.warnings = std::move(warnings);
  return opened;
}

Entry Document::entry_of(OpenedCharacter opened, const std::string& label, bool keep_weights) const {
  Entry entry;
  if (keep_weights) {
    entry = *history_[position_];
    entry.gesture.clear();
    entry.report = {};
  } else {
    entry.weights = opened.character.weights;
    entry.parts = opened.character.parts;
  }
  entry.label = label;
  entry.opened = std::make_shared<const OpenedCharacter>(std::move(opened));
  return entry;
}

void Document::take_skeleton(const Character& source) {
  const std::lock_guard lock(mutex_);
  Character character = history_[position_]->opened->character;
  Warnings warnings = source.warnings;
  use_skeleton_of(source, character, warnings);
  match_units(character, warnings);
  OpenedCharacter opened = changed(std::move(character), std::move(warnings));
  opened.rig = opened.generation;
  opened.fitted = nullptr;
  step(entry_of(std::move(opened), "skeleton of a file", false));
}

void Document::take_fitted(Character fitted, FittedFrom from, Warnings warnings) {
  const std::lock_guard lock(mutex_);
  const Entry& present = *history_[position_];
  const Skeleton& before = present.opened->character.skeleton;
  const bool same_joints = before.names == fitted.skeleton.names && before.parents == fitted.skeleton.parents;
  const bool keep = same_joints && !present.weights.empty();
  if (keep) fitted.weights = present.weights;
  std::string label = "fitted skeleton";
  if (const std::size_t held = from.held.size(); held > 0) label += ", " + std::to_string(held) + " held";
  OpenedCharacter opened = changed(std::move(fitted), std::move(warnings));
  opened.rig = opened.generation;
  opened.fitted = std::make_shared<const FittedFrom>(std::move(from));
  step(entry_of(std::move(opened), label, keep));
}

void Document::add_motions(std::vector<Motion> motions, Warnings warnings) {
  const std::lock_guard lock(mutex_);
  Character character = history_[position_]->opened->character;
  const std::string label =
      motions.size() == 1 ? "motion " + motions.front().name : std::to_string(motions.size()) + " motions";
  for (Motion& motion : motions) {
    std::erase_if(character.motions, [&](const Motion& other) { return other.name == motion.name; });
    character.motions.push_back(std::move(motion));
  }
  step(entry_of(changed(std::move(character), std::move(warnings)), label, true));
}

void Document::step(Entry entry) {
  entry.id = ++entries_;
  if (!history_.empty()) history_.resize(position_ + 1);
  if (history_.size() > 1 && !entry.gesture.empty() && history_.back()->gesture == entry.gesture) history_.pop_back();
  history_.push_back(std::make_shared<const Entry>(std::move(entry)));
  if (history_.size() > history_limit + 1) history_.erase(history_.begin() + 1);
  position_ = history_.size() - 1;
}

void Document::add(Entry entry) {
  const std::lock_guard lock(mutex_);
  if (history_[position_]->opened->generation != entry.opened->generation) return;
  step(std::move(entry));
}

bool Document::undo() {
  const std::lock_guard lock(mutex_);
  if (position_ == 0) return false;
  --position_;
  return true;
}

bool Document::redo() {
  const std::lock_guard lock(mutex_);
  if (position_ + 1 >= history_.size()) return false;
  ++position_;
  return true;
}

EntryPointer Document::find(int id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(history_.begin(), history_.end(), [&](const EntryPointer& e) { return e->id == id; });
  return found == history_.end() ? nullptr : *found;
}

EntryPointer Document::current() const {
  const std::lock_guard lock(mutex_);
  return history_[position_];
}

EntryPointer Document::before(const std::string& gesture) const {
  const std::lock_guard lock(mutex_);
  const bool same = position_ > 0 && !gesture.empty() && history_[position_]->gesture == gesture;
  return history_[same ? position_ - 1 : position_];
}

json Document::state() const {
  const std::lock_guard lock(mutex_);
  json history = json::array();
  for (const EntryPointer& entry : history_) history.push_back(viewer::to_json(*entry));
  const OpenedCharacter& opened = *history_[position_]->opened;
  return {{"file", opened.file_name},
          {"warnings", to_json(opened.warnings)},
          {"history", std::move(history)},
          {"position", position_}};
}

Character Document::result() const {
  const EntryPointer entry = current();
  Character character = entry->opened->character;
  character.weights = entry->weights;
  character.parts = entry->parts;
  return character;
}

}  // namespace sinew::viewer
