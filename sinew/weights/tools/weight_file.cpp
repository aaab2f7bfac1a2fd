#include "sinew/weights/tools/weight_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sinew/anatomy/joint_map.h"
#include "sinew/base/closest_name.h"
#include "sinew/base/plain_text.h"
#include "sinew/weight_files.h"
#include "sinew/weights/tools/prepare_target.h"

namespace sinew {
namespace {

constexpr std::size_t most_influences = 16;

// Rows of the file per welded vertex: of copies along a seam the mean.
std::vector<WeightRow> welded_rows(const NamedWeights& named, const WeldedSkin& skin, std::size_t& ignored) {
  std::vector<WeightRow> rows(skin.vertex_count());
  std::vector<double> copies(skin.vertex_count(), 0.0);
  for (std::size_t i = 0; i < named.vertices.size(); ++i) {
    const std::uint32_t vertex = named.vertices[i];
    const double sum = row_sum(named.rows[i]);
    if (!(sum > 0) || !std::isfinite(sum)) {
      throw Error(ErrorCode::weights_invalid, "the weights of vertex " + std::to_string(vertex) + " are all zero");
    }
    const std::uint32_t welded = skin.welded_of[vertex];
    if (welded == WeldedSkin::not_skinned) {
      ++ignored;
      continue;
    }
    add_row(rows[welded], named.rows[i], 1.0 / sum);
    copies[welded] += 1;
  }
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (copies[v] == 0) continue;
    scale_row(rows[v], 1.0 / copies[v]);
    std::erase_if(rows[v], [](const Influence& influence) { return !(influence.weight > 0); });
    if (rows[v].size() > most_influences) {
      throw Error(ErrorCode::weights_invalid, "a vertex has weights of " + std::to_string(rows[v].size()) +
                                                  " joints, more than " + std::to_string(most_influences));
    }
  }
  return rows;
}

}  // namespace

JointLookup::JointLookup(const Skeleton& skeleton) : skeleton_(skeleton) {
  for (const std::string& name : skeleton.names) normalised_.push_back(normalised_joint_name(name));
}

std::uint16_t JointLookup::find(const std::string& name, int place) const {
  if (place >= 0 && place < skeleton_.joint_count() && skeleton_.names[place] == name) {
    return static_cast<std::uint16_t>(place);
  }
  int joint = find_joint(skeleton_, name);
  if (joint < 0 && !name.empty()) {
    int number = -1;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc() && end == name.data() + name.size() && number < skeleton_.joint_count()) joint = number;
  }
  if (joint < 0) {
    const auto found = std::find(normalised_.begin(), normalised_.end(), normalised_joint_name(name));
    if (found != normalised_.end()) joint = static_cast<int>(found - normalised_.begin());
  }
  if (joint < 0) {
    throw Error(ErrorCode::settings_invalid, "there is no joint '" + name + "'", did_you_mean(name, skeleton_.names));
  }
  return static_cast<std::uint16_t>(joint);
}

std::string float_text(float value) {
  char text[32];
  const auto [end, problem] = std::to_chars(text, text + sizeof text, value);
  return problem == std::errc() ? std::string(text, end) : "0";
}

double checked_weight(double weight) {
  if (weight >= 0 && std::isfinite(weight)) return weight;
  throw Error(ErrorCode::settings_invalid, "a weight is not a number of 0 or more");
}

WeightChange read_weights(std::string_view text, Character& character, const WeightSelection& selection) {
  check_character(character);
  if (character.skeleton.empty())
    throw Error(ErrorCode::skeleton_missing, "there is no skeleton to bind to").about("skeleton");
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != std::string_view::npos && text[first] == '{';
  const std::size_t vertices = character.mesh.vertex_count();
  const NamedWeights named = json ? parse_weights_json(text, character.skeleton, vertices)
                                  : parse_weights_csv(text, character.skeleton, vertices);
  Character result = prepared_target(character, character, 1);
  const WeldedSkin skin = weld_skin(result, selection);
  std::size_t ignored = 0;
  std::vector<WeightRow> rows = welded_rows(named, skin, ignored);
  int slots = result.weights.influences;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v].empty() || !skin.selected[v]) {
      rows[v] = skin.rows[v];
    } else if (!skin.rows[v].empty()) {
      rows[v] = with_locked(skin.rows[v], rows[v], skin.locked);
    }
    slots = std::max(slots, static_cast<int>(rows[v].size()));
  }
  WeightChange change = store_rows(result, skin, rows, slots);
  if (ignored > 0) {
    change.warnings.push_back({"vertices-not-skinned", "weights of " + std::to_string(ignored) +
                                                           " vertices of attached or fixed parts were ignored"});
  }
  character = std::move(result);
  return change;
}

}  // namespace sinew
