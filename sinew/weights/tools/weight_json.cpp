#include <nlohmann/json.hpp>

#include "sinew/asset/skinned_surface.h"
#include "sinew/weight_files.h"
#include "sinew/weights/tools/weight_file.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr const char* format_word = "sinew-weights";

Error bad_json(const std::string& what, const std::string& advice = {}) {
  return Error(ErrorCode::settings_invalid, what, advice);
}

std::vector<std::uint16_t> read_joints(const json& root, const Skeleton& skeleton) {
  const auto joints = root.find("joints");
  if (joints == root.end() || !joints->is_array()) throw bad_json("\"joints\" is not a list of names");
  const JointLookup lookup(skeleton);
  std::vector<std::uint16_t> result;
  for (std::size_t i = 0; i < joints->size(); ++i) {
    if (!(*joints)[i].is_string()) throw bad_json("\"joints\" is not a list of names");
    result.push_back(lookup.find((*joints)[i].get<std::string>(), static_cast<int>(i)));
  }
  return result;
}

// [joint, weight, joint, weight, …]
WeightRow read_row(const json& entry, const std::vector<std::uint16_t>& joints) {
  if (!entry.is_array() || entry.size() % 2 != 0) throw bad_json("it is not a list of joints and weights in turn");
  WeightRow row;
  for (std::size_t i = 0; i < entry.size(); i += 2) {
    if (!entry[i].is_number_unsigned() || entry[i].get<std::uint64_t>() >= joints.size()) {
      throw bad_json("it names a joint that \"joints\" does not have");
    }
    if (!entry[i + 1].is_number()) throw bad_json("a weight is not a number");
    add_row(row, {{joints[entry[i].get<std::size_t>()], checked_weight(entry[i + 1].get<double>())}}, 1.0);
  }
  return row;
}

}  // namespace

std::string write_weights_json(const Character& character) {
  check_character(character);
  const SkinnedSurface surface = skinned_surface(character);
  std::string text = "{\n  \"format\": \"" + std::string(format_word) +
                     "\",\n  \"version\": 1,\n  \"vertices\": " + std::to_string(character.mesh.vertex_count()) +
                     ",\n  \"joints\": ";
  text += json(character.skeleton.names).dump(-1, ' ', false, json::error_handler_t::replace);
  text += ",\n  \"weights\": [\n";
  std::size_t next = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    text += v > 0 ? ",\n    [" : "    [";
    if (next < surface.original.size() && surface.original[next] == v) {
      const std::size_t base = next++ * static_cast<std::size_t>(surface.weights.influences);
      for (std::size_t slot = base; slot < base + static_cast<std::size_t>(surface.weights.influences); ++slot) {
        if (!(surface.weights.weights[slot] > 0)) continue;
        text += (slot > base ? ", " : "") + std::to_string(surface.weights.joints[slot]) + ", " +
                float_text(surface.weights.weights[slot]);
      }
    }
    text += ']';
  }
  return text + "\n  ]\n}\n";
}

NamedWeights parse_weights_json(std::string_view text, const Skeleton& skeleton, std::size_t vertex_count) {
  const json root = json::parse(text, nullptr, false);
  if (root.is_discarded() || !root.is_object()) throw bad_json("it is not valid JSON");
  if (root.value("format", json()) != format_word) {
    throw bad_json("its \"format\" is not \"" + std::string(format_word) + "\"");
  }
  if (root.value("version", json()) != 1) {
    throw Error(ErrorCode::format_unsupported, "its \"version\" is not 1", "use a newer Sinew");
  }
  const std::vector<std::uint16_t> joints = read_joints(root, skeleton);
  const auto weights = root.find("weights");
  if (weights == root.end() || !weights->is_array()) throw bad_json("\"weights\" is not a list");
  if (weights->size() != vertex_count) {
    throw Error(ErrorCode::characters_differ, "it holds weights for " + std::to_string(weights->size()) +
                                                  " vertices, the mesh has " + std::to_string(vertex_count));
  }
  NamedWeights named;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    try {
      WeightRow row = read_row((*weights)[v], joints);
      if ((*weights)[v].empty()) continue;
      named.vertices.push_back(static_cast<std::uint32_t>(v));
      named.rows.push_back(std::move(row));
    } catch (const Error& error) {
      throw error.within("\"weights\" of vertex " + std::to_string(v));
    }
  }
  return named;
}

}  // namespace sinew
