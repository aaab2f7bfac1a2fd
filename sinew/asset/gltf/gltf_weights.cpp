#include "sinew/asset/gltf/gltf_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/asset/gltf/gltf_mesh.h"
#include "sinew/base/plain_text.h"

namespace sinew::gltf {
namespace {

struct Counts {
  std::size_t not_normalised = 0, invalid = 0, unweighted = 0, twice = 0;
  double worst = 0;
};

int set_count(const Document& document, const PartSource& source) {
  int sets = 0;
  while (attribute_accessor(document, primitive_of(document, source), "JOINTS_" + std::to_string(sets)) >= 0) ++sets;
  return sets;
}

struct Set {
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
};

struct SetViews {
  AccessorView joints, weights;
};

SetViews set_views(const Document& document, const Part& part, const PartSource& source, int index) {
  const Json& primitive = primitive_of(document, source);
  const std::string suffix = std::to_string(index);
  const int joints = attribute_accessor(document, primitive, "JOINTS_" + suffix);
  const int weights = attribute_accessor(document, primitive, "WEIGHTS_" + suffix);
  const std::string where = "part '" + part.name + "'";
  if (weights < 0) throw Error(ErrorCode::file_damaged, where + " has JOINTS_" + suffix + " but no WEIGHTS_" + suffix);
  const SetViews views{accessor_view(document, joints), accessor_view(document, weights)};
  const std::size_t expected = accessor_view(document, attribute_accessor(document, primitive, "POSITION")).count;
  if (views.joints.count != expected || views.weights.count != expected) {
    throw Error(ErrorCode::file_damaged, where + ": JOINTS_" + suffix + " or WEIGHTS_" + suffix + " does not have " +
                                             std::to_string(expected) + " entries");
  }
  return views;
}

// Elements first … first+count of a view; the view must not be sparse.
AccessorView sub_view(AccessorView view, std::size_t first, std::size_t count) {
  if (view.data) view.data += first * view.stride;
  view.count = count;
  return view;
}

// True when the slots of a vertex are valid as they stand; then their bits are kept.
bool already_valid(const std::uint16_t* joints, const float* weights, int slots, double sum) {
  if (std::abs(sum - 1.0) > 5e-7) return false;
  for (int slot = 0; slot < slots; ++slot) {
    if (slot > 0 && weights[slot] > weights[slot - 1]) return false;
    if (weights[slot] == 0.0f && joints[slot] != 0) return false;
    for (int other = 0; other < slot && weights[slot] > 0.0f; ++other) {
      if (joints[other] == joints[slot]) return false;
    }
  }
  return true;
}

class VertexReader {
 public:
  VertexReader(const SkinSource& skin, const Part& part, SkinWeights& weights, Counts& counts)
      : skin_(skin), part_(part), weights_(weights), counts_(counts) {}

  // `row`: of the vertex in `sets`, whose first row is vertex `first_row` of the primitive.
  void read(std::size_t vertex, const std::vector<Set>& sets, std::size_t row, std::size_t first_row) {
    const std::size_t base = vertex * static_cast<std::size_t>(weights_.influences);
    std::uint16_t* const joints = weights_.joints.data() + base;
    float* const weights = weights_.weights.data() + base;
    double sum = 0;
    int slot = 0, used = 0;
    for (const Set& set : sets) {
      for (std::size_t k = 0; k < 4; ++k, ++slot) {
        float weight = set.weights[row * 4 + k];
        const std::uint32_t joint = set.joints[row * 4 + k];
        if (!(weight >= 0.0f) || !std::isfinite(weight)) {
          ++counts_.invalid;
          weight = 0.0f;
        }
        if (weight > 0.0f && joint >= skin_.joints.size()) {
          throw Error(ErrorCode::file_damaged, "part '" + part_.name + "', vertex " + std::to_string(first_row + row) +
                                                   " uses joint " + std::to_string(joint) + " of a skin with " +
                                                   std::to_string(skin_.joints.size()));
        }
        weights[slot] = weight;
        joints[slot] = weight > 0.0f ? static_cast<std::uint16_t>(skin_.joints[joint]) : std::uint16_t{0};
        used += weight > 0.0f;
        sum += weight;
      }
    }
    if (used == 0) {
      ++counts_.unweighted;
      return;
    }
    if (std::abs(sum - 1.0) > 2e-7 * used) {  // the tolerance of the Khronos validator
      ++counts_.not_normalised;
      counts_.worst = std::max(counts_.worst, std::abs(sum - 1.0));
    }
    if (already_valid(joints, weights, slot, sum)) return;
    influences_.clear();
    for (int k = 0; k < slot; ++k) {
      for (int other = 0; other < k && weights[k] > 0.0f; ++other)
        counts_.twice += joints[other] == joints[k] && weights[other] > 0.0f;
      influences_.push_back({joints[k], weights[k]});
    }
    set_influences(weights_, vertex, influences_);
  }

 private:
  const SkinSource& skin_;
  const Part& part_;
  SkinWeights& weights_;
  Counts& counts_;
  std::vector<Influence> influences_;
};

// Decodes in blocks that stay in the cache; sparse and shared vertices all at once.
void read_part(const Document& document, const Part& part, const PartSource& source, VertexReader& reader) {
  std::vector<SetViews> views;
  bool whole = !source.vertex_of.empty();
  for (int set = 0, n = set_count(document, source); set < n; ++set) {
    views.push_back(set_views(document, part, source, set));
    whole = whole || views.back().joints.sparse_count > 0 || views.back().weights.sparse_count > 0;
  }
  if (views.empty() || part.vertex_count == 0) return;
  const std::size_t block = whole ? views[0].joints.count : 4096;
  for (std::size_t first = 0; first < views[0].joints.count; first += block) {
    const std::size_t count = std::min(block, views[0].joints.count - first);
    std::vector<Set> sets;
    for (const SetViews& view : views) {
      sets.push_back({read_unsigned(whole ? view.joints : sub_view(view.joints, first, count), 4),
                      read_floats(whole ? view.weights : sub_view(view.weights, first, count), 4)});
    }
    if (source.vertex_of.empty()) {
      for (std::size_t i = 0; i < count; ++i) reader.read(part.first_vertex + first + i, sets, i, first);
    } else {
      for (std::size_t i = 0; i < part.vertex_count; ++i) {
        reader.read(part.first_vertex + i, sets, source.vertex_of[i], 0);
      }
    }
  }
}

// Character-space positions of a skin that no single transform explains: the file's own skinning, in the rest pose.
void blend_to_character(const Part& part, const SkinSource& skin, const SkinWeights& weights, TriangleMesh& mesh) {
  std::vector<const Affine3d*> of_joint;
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    const auto joint = static_cast<std::size_t>(skin.joints[i]);
    if (of_joint.size() <= joint) of_joint.resize(joint + 1, nullptr);
    of_joint[joint] = &skin.joint_to_character[i];
  }
  for (std::size_t vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
    const Vec3d position = mesh.positions[vertex].cast<double>();
    Vec3d blended = Vec3d::Zero();
    double sum = 0;
    for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1) * weights.influences; ++slot) {
      if (weights.weights[slot] == 0.0f) continue;
      blended += weights.weights[slot] * (*of_joint[weights.joints[slot]] * position);
      sum += weights.weights[slot];
    }
    mesh.positions[vertex] = (sum > 0 ? blended : Vec3d(skin.to_character * position)).cast<float>();
  }
}

// Drops groups of four slots that no vertex uses.
SkinWeights without_empty_slots(SkinWeights weights) {
  if (weights.influences <= 4) return weights;
  int used = 0;
  const auto slots = static_cast<std::size_t>(weights.influences);
  for (std::size_t i = 0; i < weights.weights.size(); ++i) {
    if (weights.weights[i] > 0.0f) used = std::max(used, static_cast<int>(i % slots) + 1);
  }
  const int needed = std::max(4, (used + 3) / 4 * 4);
  return needed < weights.influences ? with_influences(weights, needed) : weights;
}

}  // namespace

void read_weights(const Document& document, const Rig& rig, const std::vector<int>& attached_to, Character& character) {
  int sets = 0;
  bool any = false;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    if (document.parts[i].skin >= 0) sets = std::max(sets, set_count(document, document.parts[i]));
    any = any || attached_to[i] >= 0;
  }
  if (sets == 0 && !any) return;
  if (sets > 64) throw Error(ErrorCode::too_large, "a vertex has more than 256 influences");
  SkinWeights& weights = character.weights;
  const std::size_t vertex_count = character.mesh.vertex_count();
  if (vertex_count * static_cast<std::size_t>(std::max(sets, 1)) > document.options.max_elements) {
    throw Error(ErrorCode::too_large,
                "the skins have more weights than the limit of " + std::to_string(document.options.max_elements));
  }
  weights = make_skin_weights(vertex_count, 4 * std::max(sets, 1));
  Counts counts;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    const PartSource& source = document.parts[i];
    if (attached_to[i] >= 0) {
      for (std::size_t vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
        weights.joints[vertex * weights.influences] = static_cast<std::uint16_t>(attached_to[i]);
        weights.weights[vertex * weights.influences] = 1.0f;
      }
    }
    if (source.skin < 0) continue;
    VertexReader reader(rig.skins[source.skin], part, weights, counts);
    read_part(document, part, source, reader);
    if (!source.exact) blend_to_character(part, rig.skins[source.skin], weights, character.mesh);
  }
  weights = without_empty_slots(std::move(weights));
  const auto warn = [&](std::size_t count, const char* code, const std::string& message) {
    if (count > 0) character.warnings.push_back({code, std::to_string(count) + message});
  };
  warn(counts.not_normalised, "weights-not-normalised",
       " vertices have weights that do not sum to 1 (worst: off by " + scientific_number_text(counts.worst, 1) +
           "); normalised");
  warn(counts.invalid, "weights-invalid", " weights are negative or not finite; taken as 0");
  warn(counts.twice, "joint-twice", " times a vertex names a joint twice; added up");
  warn(counts.unweighted, "vertices-unweighted", " vertices of skinned parts have no weight");
}

}  // namespace sinew::gltf
