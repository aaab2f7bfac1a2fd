#include "apps/viewer/levels.h"

#include <nlohmann/json.hpp>

namespace sinew::viewer {
namespace {

using nlohmann::json;

json describe_mesh(const TriangleMesh& mesh) {
  return {{"vertices", mesh.vertex_count()}, {"triangles", mesh.triangles.size()}};
}

// The weights of some vertices.
SkinWeights pick(const SkinWeights& weights, const std::vector<std::uint32_t>& vertices) {
  SkinWeights picked;
  picked.influences = weights.influences;
  for (const std::uint32_t vertex : vertices) {
    const auto first = static_cast<std::ptrdiff_t>(vertex) * weights.influences;
    const auto last = first + weights.influences;
    picked.joints.insert(picked.joints.end(), weights.joints.begin() + first, weights.joints.begin() + last);
    picked.weights.insert(picked.weights.end(), weights.weights.begin() + first, weights.weights.begin() + last);
  }
  return picked;
}

}  // namespace

std::shared_ptr<const LodChain> Levels::chain_of(const OpenedCharacter& opened) const {
  const std::lock_guard lock(mutex_);
  return rig_ == opened.rig ? chain_ : nullptr;
}

void Levels::make(const Document& document, const Progress& progress) {
  const int rig = document.opened()->rig;
  auto chain = std::make_shared<const LodChain>(make_lod_chain(document.result(), {}, progress));
  const std::lock_guard lock(mutex_);
  rig_ = rig;
  chain_ = std::move(chain);
}

json Levels::describe(const OpenedCharacter& opened) const {
  json list = json::array();
  for (const Character& level : *opened.levels) list.push_back(describe_mesh(level.mesh));
  if (!list.empty()) return list;
  if (const auto chain = chain_of(opened)) {
    for (std::size_t i = 1; i < chain->levels.size(); ++i) list.push_back(describe_mesh(chain->levels[i].mesh));
  }
  return list;
}

Character Levels::character(const Entry& entry, std::size_t level) const {
  const OpenedCharacter& opened = *entry.opened;
  const Error missing(ErrorCode::choice_unknown, "there is no level " + std::to_string(level));
  if (!opened.levels->empty()) {
    if (level < 1 || level > opened.levels->size()) throw missing;
    return (*opened.levels)[level - 1];
  }
  const auto chain = chain_of(opened);
  if (!chain || level < 1 || level >= chain->levels.size()) throw missing;
  const LodLevel& made = chain->levels[level];
  Character character;
  character.name = opened.character.name;
  character.mesh = made.mesh;
  character.parts = made.parts;
  if (!entry.weights.empty()) character.weights = pick(entry.weights, made.vertices);
  return character;
}

}  // namespace sinew::viewer
