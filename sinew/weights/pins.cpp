#include "sinew/weights/pins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

using nlohmann::json;

std::vector<std::pair<int, double>> read_weights(const json& entry, const Skeleton& skeleton) {
  const auto found = entry.find("weights");
  if (found == entry.end() || !found->is_object() || found->empty()) {
    throw Error(ErrorCode::settings_invalid, "it has no \"weights\" by joint name", R"(write "weights": {"Head": 1})");
  }
  std::vector<std::pair<int, double>> weights;
  double sum = 0.0;
  for (const auto& [name, value] : found->items()) {
    const int joint = find_joint(skeleton, name);
    if (joint < 0)
      throw Error(ErrorCode::settings_invalid, "there is no joint '" + name + "'",
                  "joints are named as in the skeleton");
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

// Finds the vertices that entries of "pins" mean, among those that are bound.
class PinReader {
 public:
  PinReader(const Character& character, std::vector<char> bound) : character_(character), bound_(std::move(bound)) {}

  std::vector<std::uint32_t> vertices_of(const json& entry) {
    std::vector<std::uint32_t> vertices;
    if (entry.contains("vertex")) {
      vertices.push_back(checked(entry["vertex"]));
    } else if (entry.contains("vertices")) {
      if (!entry["vertices"].is_array()) throw Error(ErrorCode::settings_invalid, "\"vertices\" is not a list");
      for (const json& index : entry["vertices"]) vertices.push_back(checked(index));
    } else if (entry.contains("position")) {
      const Vec3f place = read_vector(entry["position"], "position").cast<float>();
      const double radius = read_number(entry, "radius", 0.0);
      if (!tree_) build_tree();
      std::vector<NearPoint> near;
      if (radius > 0.0) tree_->within(place, radius, near);
      NearPoint nearest;
      if (radius == 0.0 && tree_->nearest(place, nearest)) near.push_back(nearest);
      for (const NearPoint& n : near) vertices.push_back(vertex_of_[n.index]);
    } else {
      throw Error(ErrorCode::settings_invalid, R"(it has neither "vertex", "vertices" nor "position")");
    }
    return vertices;
  }

 private:
  std::uint32_t checked(const json& index) const {
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= bound_.size()) {
      throw Error(ErrorCode::settings_invalid, "vertex " + index.dump() + " is not one of the " +
                                                   std::to_string(bound_.size()) + " vertices of the mesh");
    }
    if (!bound_[index.get<std::size_t>()]) {
      throw Error(ErrorCode::settings_invalid,
                  "vertex " + index.dump() + " belongs to a part that is not bound by weights");
    }
    return index.get<std::uint32_t>();
  }
  void build_tree() {
    std::vector<Vec3f> positions;
    for (std::uint32_t v = 0; v < bound_.size(); ++v) {
      if (!bound_[v]) continue;
      positions.push_back(character_.mesh.positions[v]);
      vertex_of_.push_back(v);
    }
    tree_ = std::make_unique<NearestPoints>(positions);
  }

  const Character& character_;
  std::vector<char> bound_;
  std::vector<std::uint32_t> vertex_of_;  // per point of the tree
  std::unique_ptr<NearestPoints> tree_;
};

using PinMap = std::map<std::uint32_t, std::vector<std::pair<int, double>>>;

void read_colors(const json& document, const Character& character, const std::vector<char>& bound, PinMap& pins,
                 Warnings& warnings) {
  const std::vector<Vec4f>& colors = character.mesh.colors;
  if (colors.empty()) {
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
    if (!entry.is_object() || !entry.contains("color"))
      throw Error(ErrorCode::settings_invalid, "a legend entry has no \"color\"");
    legend.push_back({read_vector(entry["color"], "color"), read_weights(entry, character.skeleton)});
  }
  for (std::uint32_t v = 0; v < colors.size(); ++v) {
    if (!bound[v]) continue;
    const Vec3d color = colors[v].head<3>().cast<double>();
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

std::vector<WeightPin> read_pins(std::string_view text, const Character& character, Warnings& warnings) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || (!document.contains("pins") && !document.contains("colors"))) {
    throw Error(ErrorCode::settings_invalid, R"(these pins are not JSON with "pins" or "colors")",
                "docs/methods/biharmonic.md shows the format");
  }
  Warnings ignored;  // about parts: binding says so
  const std::vector<char> bound = vertices_to_bind(character, ignored);
  PinMap pins;
  if (document.contains("colors")) {
    if (!document["colors"].is_array()) throw Error(ErrorCode::settings_invalid, "\"colors\" is not a list");
    read_colors(document, character, bound, pins, warnings);
  }
  PinReader reader(character, bound);
  std::size_t index = 0;
  if (document.contains("pins") && !document["pins"].is_array())
    throw Error(ErrorCode::settings_invalid, "\"pins\" is not a list");
  for (const json& entry : document.value("pins", json::array())) {
    ++index;
    try {
      if (!entry.is_object()) throw Error(ErrorCode::settings_invalid, "it is not an object");
      const auto weights = read_weights(entry, character.skeleton);
      const std::vector<std::uint32_t> vertices = reader.vertices_of(entry);
      if (vertices.empty()) {
        warnings.push_back({"pins-unused", "pin " + std::to_string(index) + " has no vertex within its radius"});
      }
      for (std::uint32_t v : vertices) pins[v] = weights;
    } catch (const Error& error) {
      throw error.within("pin " + std::to_string(index));
    }
  }
  std::vector<WeightPin> result;
  for (auto& [vertex, weights] : pins) result.push_back({vertex, std::move(weights)});
  return result;
}

std::vector<WeldedPin> welded_pins(const std::vector<WeightPin>& pins, const BindInput& input) {
  std::map<std::uint32_t, const WeightPin*> by_welded;
  for (const WeightPin& pin : pins) {
    const std::string where = "pinned vertex " + std::to_string(pin.vertex);
    if (pin.vertex >= input.welded_of.size()) throw Error(ErrorCode::settings_invalid, where + " does not exist");
    const std::uint32_t welded = input.welded_of[pin.vertex];
    if (welded == BindInput::not_bound)
      throw Error(ErrorCode::settings_invalid, where + " belongs to a part that is not bound by weights");
    double sum = 0;
    for (const auto& [joint, weight] : pin.weights) {
      if (joint < 0 || joint >= input.joint_count())
        throw Error(ErrorCode::settings_invalid, where + " names a joint that does not exist");
      if (!(weight >= 0) || !std::isfinite(weight))
        throw Error(ErrorCode::settings_invalid, "the weights of " + where + " are not valid");
      if (!input.takes_weight[joint]) {
        throw Error(ErrorCode::settings_invalid,
                    "joint '" + input.skeleton.names[joint] + "' is pinned but takes no weight",
                    "choose it among the joints that take weights, or pin a joint that does");
      }
      sum += weight;
    }
    if (!(sum > 0)) throw Error(ErrorCode::settings_invalid, "the weights of " + where + " are all zero");
    by_welded.try_emplace(welded, &pin);
  }
  std::vector<WeldedPin> result;
  for (const auto& [welded, pin] : by_welded) {
    result.push_back({welded, pin->weights});
    double sum = 0;
    for (const auto& [joint, weight] : pin->weights) sum += weight;
    for (auto& [joint, weight] : result.back().weights) weight /= sum;
  }
  return result;
}

std::string write_pins(const std::vector<WeightPin>& pins, const Skeleton& skeleton) {
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
