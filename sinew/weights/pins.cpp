#include "sinew/weights/pins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/base/closest_name.h"
#include "sinew/base/file_bytes.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

std::vector<std::pair<int, double>> read_weights(const json& entry, const Skeleton& skeleton) {
  const auto found = entry.find("weights");
  if (found == entry.end() || !found->is_object() || found->empty()) {
    throw Error(ErrorCode::settings_invalid, "it has no \"weights\" by joint name", R"(write "weights": {"Head": 1})");
  }
  std::vector<std::pair<int, double>> weights;
  double sum = 0.0;
  for (const auto& [name, value] : found->items()) {
    const int joint = find_joint(skeleton, name);
    if (joint < 0) {
      throw Error(ErrorCode::settings_invalid, "there is no joint '" + name + "'", did_you_mean(name, skeleton.names));
    }
    if (!value.is_number()) throw Error(ErrorCode::settings_invalid, "the weight of '" + name + "' is not a number");
    const double weight = value.get<double>();
    if (!(weight >= 0.0) || !std::isfinite(weight)) {
      throw Error(ErrorCode::settings_invalid, "the weight of '" + name + "' is not a number of 0 or more");
    }
    weights.emplace_back(joint, weight);
    sum += weight;
  }
  if (!(sum > 0.0)) throw Error(ErrorCode::settings_invalid, "its weights are all zero");
  for (auto& [joint, weight] : weights) weight /= sum;
  return weights;
}

Vec3d read_vector(const json& value, const std::string& name) {
  if (!value.is_array() || value.size() < 3) {
    throw Error(ErrorCode::settings_invalid, "\"" + name + "\" is not a list of three numbers");
  }
  Vec3d result;
  for (int axis = 0; axis < 3; ++axis) {
    if (!value[axis].is_number()) {
      throw Error(ErrorCode::settings_invalid, "\"" + name + "\" is not a list of three numbers");
    }
    result[axis] = value[axis].get<double>();
  }
  if (!result.allFinite()) throw Error(ErrorCode::settings_invalid, "\"" + name + "\" is not finite");
  return result;
}

double read_number(const json& object, const char* name, double otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (!found->is_number() || !(found->get<double>() >= 0.0)) {
    throw Error(ErrorCode::settings_invalid, std::string("\"") + name + "\" is not a number of 0 or more");
  }
  return found->get<double>();
}

class PinReader {
 public:
  explicit PinReader(const BindInput& input) : input_(input) {}

  // Welded vertices that an entry of "pins" means.
  std::vector<std::uint32_t> vertices_of(const json& entry) {
    std::vector<std::uint32_t> vertices;
    if (entry.contains("vertex")) {
      vertices.push_back(welded(entry["vertex"]));
    } else if (entry.contains("vertices")) {
      if (!entry["vertices"].is_array()) throw Error(ErrorCode::settings_invalid, "\"vertices\" is not a list");
      for (const json& index : entry["vertices"]) vertices.push_back(welded(index));
    } else if (entry.contains("position")) {
      const Vec3d place = (read_vector(entry["position"], "position") - input_.centre) / input_.scale;
      const double radius = read_number(entry, "radius", 0.0) / input_.scale;
      if (!tree_) tree_ = std::make_unique<NearestPoints>(input_.mesh.positions);
      std::vector<NearPoint> near;
      if (radius > 0.0) tree_->within(place.cast<float>(), radius, near);
      NearPoint nearest;
      if (radius == 0.0 && tree_->nearest(place.cast<float>(), nearest)) near.push_back(nearest);
      for (const NearPoint& n : near) vertices.push_back(n.index);
    } else {
      throw Error(ErrorCode::settings_invalid, R"(it has neither "vertex", "vertices" nor "position")");
    }
    return vertices;
  }

 private:
  std::uint32_t welded(const json& index) const {
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= input_.welded_of.size()) {
      throw Error(ErrorCode::settings_invalid, "vertex " + index.dump() + " is not one of the " +
                                                   std::to_string(input_.welded_of.size()) + " vertices of the mesh");
    }
    const std::uint32_t vertex = input_.welded_of[index.get<std::size_t>()];
    if (vertex == BindInput::not_bound) {
      throw Error(ErrorCode::settings_invalid,
                  "vertex " + index.dump() + " belongs to a part that is not bound by weights");
    }
    return vertex;
  }

  const BindInput& input_;
  std::unique_ptr<NearestPoints> tree_;
};

using PinMap = std::map<std::uint32_t, std::vector<std::pair<int, double>>>;

void read_colors(const json& document, const BindInput& input, PinMap& pins, Warnings& warnings) {
  if (input.colors.empty()) {
    throw Error(ErrorCode::settings_invalid, "it has \"colors\", but the mesh has no vertex colours",
                "export the mesh with its colour layer");
  }
  const double tolerance = read_number(document, "tolerance", 0.1);
  struct Entry {
    Vec3d color;
    std::vector<std::pair<int, double>> weights;
    std::size_t count = 0;
  };
  std::vector<Entry> legend;
  for (const json& entry : document["colors"]) {
    if (!entry.is_object() || !entry.contains("color")) {
      throw Error(ErrorCode::settings_invalid, "a legend entry has no \"color\"");
    }
    legend.push_back({read_vector(entry["color"], "color"), read_weights(entry, input.skeleton)});
  }
  for (std::uint32_t v = 0; v < input.colors.size(); ++v) {
    const Vec3d color = input.colors[v].head<3>().cast<double>();
    double nearest = std::numeric_limits<double>::infinity();
    Entry* chosen = nullptr;
    for (Entry& entry : legend) {
      const double difference = (entry.color - color).cwiseAbs().maxCoeff();
      if (difference <= tolerance && difference < nearest) {
        nearest = difference;
        chosen = &entry;
      }
    }
    if (!chosen) continue;
    pins[v] = chosen->weights;
    ++chosen->count;
  }
  for (std::size_t i = 0; i < legend.size(); ++i) {
    if (legend[i].count > 0) continue;
    warnings.push_back({"pins-unused", "no vertex has colour " + std::to_string(i + 1) + " of the pins file's legend"});
  }
}

}  // namespace

std::vector<WeightPin> read_pins(const std::filesystem::path& file, const BindInput& input, Warnings& warnings) {
  const std::vector<std::byte> bytes = read_file_bytes(file, largest_file);
  const char* text = reinterpret_cast<const char*>(bytes.data());
  const json document = json::parse(text, text + bytes.size(), nullptr, false);
  const std::string context = "reading pins from '" + file.string() + "'";
  if (!document.is_object() || (!document.contains("pins") && !document.contains("colors"))) {
    throw Error(ErrorCode::settings_invalid, R"(it is not JSON with "pins" or "colors")",
                "docs/methods/biharmonic.md shows the format")
        .within(context);
  }
  PinMap pins;
  try {
    if (document.contains("colors")) {
      if (!document["colors"].is_array()) throw Error(ErrorCode::settings_invalid, "\"colors\" is not a list");
      read_colors(document, input, pins, warnings);
    }
  } catch (const Error& error) {
    throw error.within(context);
  }
  PinReader reader(input);
  std::size_t index = 0;
  if (document.contains("pins") && !document["pins"].is_array()) {
    throw Error(ErrorCode::settings_invalid, "\"pins\" is not a list").within(context);
  }
  for (const json& entry : document.value("pins", json::array())) {
    ++index;
    try {
      if (!entry.is_object()) throw Error(ErrorCode::settings_invalid, "it is not an object");
      const auto weights = read_weights(entry, input.skeleton);
      const std::vector<std::uint32_t> vertices = reader.vertices_of(entry);
      if (vertices.empty()) {
        warnings.push_back({"pins-unused", "pin " + std::to_string(index) + " has no vertex within its radius"});
      }
      for (std::uint32_t v : vertices) pins[v] = weights;
    } catch (const Error& error) {
      throw error.within(context + ", pin " + std::to_string(index));
    }
  }
  std::vector<WeightPin> result;
  for (auto& [vertex, weights] : pins) result.push_back({vertex, std::move(weights)});
  return result;
}

std::string pins_text(const std::vector<WeightPin>& pins, const Skeleton& skeleton) {
  std::map<std::vector<std::pair<int, double>>, std::vector<std::uint32_t>> groups;
  for (const WeightPin& pin : pins) groups[pin.weights].push_back(pin.vertex);
  json list = json::array();
  for (const auto& [weights, vertices] : groups) {
    json by_name = json::object();
    for (const auto& [joint, weight] : weights) by_name[skeleton.names[joint]] = weight;
    list.push_back({{"vertices", vertices}, {"weights", std::move(by_name)}});
  }
  return json{{"pins", std::move(list)}}.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace sinew
