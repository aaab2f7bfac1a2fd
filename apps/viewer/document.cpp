#include "apps/viewer/document.h"

#include <nlohmann/json.hpp>

namespace sinew::viewer {
namespace {

using nlohmann::json;

constexpr std::size_t history_limit = 64;  // beside the file's own weights; older entries are forgotten

json to_json(const Warnings& warnings) {
  json list = json::array();
  for (const Warning& warning : warnings) list.push_back({{"code", warning.code}, {"message", warning.message}});
  return list;
}

}  // namespace

json to_json(const WeightsEntry& entry) {
  json options = json::object();
  for (const auto& [name, value] : entry.options) {
    std::visit([&, &key = name](const auto& plain) { options[key] = plain; }, value);
  }
  return {{"id", entry.id},
          {"label", entry.label},
          {"method", entry.method},
          {"options", options},
          {"max_influences", entry.max_influences},
          {"empty", entry.weights.empty()},
          {"seconds", entry.report.prepare_seconds + entry.report.solve_seconds},
          {"mean_influences", entry.report.mean_influences},
          {"joints", entry.report.joints.size()},
          {"warnings", to_json(entry.report.warnings)}};
}

void Document::start(Character character, const std::string& file_name, Warnings warnings) {
  if (!character.skeleton.empty() && character.mesh.vertex_count() > 0) match_units(character, warnings);
  auto entry = std::make_shared<WeightsEntry>();
  entry->label = character.has_skin() ? "weights of the file" : "no weights yet";
  entry->weights = character.weights;
  entry->parts = character.parts;
  auto opened = std::make_shared<OpenedCharacter>();
  opened->file_name = file_name;
  opened->warnings = std::move(warnings);
  opened->character = std::move(character);

  const std::lock_guard lock(mutex_);
  opened->generation = ++generations_;
  entry->id = ++entries_;
  opened_ = std::move(opened);
  history_ = {std::move(entry)};
  position_ = 0;
}

void Document::open(Character character, const std::string& file_name) {
  if (character.mesh.vertex_count() == 0) {
    throw bad_input("'" + file_name + "' holds no mesh", "open a mesh first, then drop its skeleton on the page");
  }
  Warnings warnings = character.warnings;
  start(std::move(character), file_name, std::move(warnings));
}

void Document::take_skeleton(const Character& source) {
  const std::shared_ptr<const OpenedCharacter> present = opened();
  Character character = present->character;
  Warnings warnings = source.warnings;
  use_skeleton_of(source, character, warnings);
  start(std::move(character), present->file_name, std::move(warnings));
}

void Document::add_motions(std::vector<Motion> motions, Warnings warnings) {
  const std::lock_guard lock(mutex_);
  auto changed = std::make_shared<OpenedCharacter>(*opened_);
  std::vector<Motion>& present = changed->character.motions;
  for (Motion& motion : motions) {
    std::erase_if(present, [&](const Motion& other) { return other.name == motion.name; });
    present.push_back(std::move(motion));
  }
  changed->warnings = std::move(warnings);
  changed->generation = ++generations_;
  opened_ = std::move(changed);
}

std::shared_ptr<const OpenedCharacter> Document::opened() const {
  const std::lock_guard lock(mutex_);
  return opened_;
}

void Document::add(WeightsEntry entry, int generation) {
  const std::lock_guard lock(mutex_);
  if (opened_->generation != generation) return;
  entry.id = ++entries_;
  history_.resize(position_ + 1);
  const bool same_gesture = !entry.gesture.empty() && history_.back()->gesture == entry.gesture;
  if (same_gesture && history_.size() > 1) history_.pop_back();
  history_.push_back(std::make_shared<WeightsEntry>(std::move(entry)));
  if (history_.size() > history_limit + 1) history_.erase(history_.begin() + 1);
  position_ = history_.size() - 1;
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

std::shared_ptr<const WeightsEntry> Document::find(int id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& entry : history_) {
    if (entry->id == id) return entry;
  }
  return nullptr;
}

std::shared_ptr<const WeightsEntry> Document::current() const {
  const std::lock_guard lock(mutex_);
  return history_[position_];
}

json Document::state() const {
  const std::lock_guard lock(mutex_);
  json history = json::array();
  for (const auto& entry : history_) history.push_back(viewer::to_json(*entry));
  return {{"generation", opened_->generation},
          {"file", opened_->file_name},
          {"warnings", to_json(opened_->warnings)},
          {"history", std::move(history)},
          {"position", position_}};
}

Character Document::result() const {
  const std::lock_guard lock(mutex_);
  Character character = opened_->character;
  character.weights = history_[position_]->weights;
  character.parts = history_[position_]->parts;
  return character;
}

}  // namespace sinew::viewer
