#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>

#include "sinew/body_frame.h"
#include "sinew/check/bend_shape.h"
#include "sinew/check/repairs.h"
#include "sinew/weight_tools.h"

namespace sinew {
namespace {

constexpr double absent = 0.02;          // mean weight around a region up to which a joint does not belong there
constexpr double clearly_better = 1.03;  // of two sides, or it cannot be told which one is right

// Joints that a region has and what is around it has not.
std::vector<int> intruders(const CheckedSkin& skin, const std::vector<std::uint32_t>& region) {
  std::vector<char> in(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : region) in[vertex] = 1;
  std::vector<std::uint32_t> ring;
  for (const std::uint32_t vertex : region) {
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (!in[other]) ring.push_back(other);
    }
  }
  const WeightList around = mean_weights(skin, ring);
  std::vector<int> found;
  for (const Influence& entry : mean_weights(skin, region)) {
    const auto there =
        std::find_if(around.begin(), around.end(), [&](const Influence& other) { return other.joint == entry.joint; });
    if (entry.weight > absent && (there == around.end() || there->weight < absent)) found.push_back(entry.joint);
  }
  return found;
}

double distance_to_joint(const CheckedSkin& skin, int joint, const Vec3d& point) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const int bone : skin.bones_of_joint[static_cast<std::size_t>(joint)])
    nearest = std::min(nearest, closest_point_on_bone(skin.bones[static_cast<std::size_t>(bone)], point).distance);
  return nearest;
}

// Joints of the other side renamed to those of this side, where the bones of this side are nearer.
Cure swapped_back(const CheckedSkin& skin, const std::vector<std::uint32_t>& region) {
  Cure cure{"gave the weights of the other side's joints to the joints of this side", {}};
  const std::vector<int> image = mirror_joints(skin.character.skeleton).joints;
  for (const std::uint32_t vertex : region) {
    WeightList list = weights_of(skin, vertex), renamed;
    bool any = false;
    for (const Influence& entry : list) {
      Influence own = entry;
      const int other = image[entry.joint];
      if (other >= 0 && other != entry.joint &&
          distance_to_joint(skin, other, skin.position(vertex)) <
              0.6 * distance_to_joint(skin, entry.joint, skin.position(vertex))) {
        own.joint = static_cast<std::uint16_t>(other);
        any = true;
      }
      const auto same = std::find_if(renamed.begin(), renamed.end(),
                                     [&](const Influence& there) { return there.joint == own.joint; });
      if (same == renamed.end()) {
        renamed.push_back(own);
      } else {
        same->weight += own.weight;
      }
    }
    if (any) cure.weights[vertex] = std::move(renamed);
  }
  return cure;
}

// Vertices within a distance along the edges of the given ones.
std::vector<std::uint32_t> grown(const CheckedSkin& skin, const std::vector<std::uint32_t>& from, double distance) {
  std::vector<double> reached(skin.vertex_count(), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::uint32_t vertex : from) reached[vertex] = 0, queue.emplace(0.0, vertex);
  std::set<std::uint32_t> all;
  while (!queue.empty()) {
    const auto [so_far, vertex] = queue.top();
    queue.pop();
    if (so_far > reached[vertex]) continue;
    all.insert(vertex);
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      const double further = so_far + (skin.position(other) - skin.position(vertex)).norm();
      if (further <= distance && further < reached[other]) reached[other] = further, queue.emplace(further, other);
    }
  }
  return {all.begin(), all.end()};
}

double side_of(const MirroredSkin& mirrored, const Vec3d& point) {
  return point.dot(mirrored.normal) - mirrored.offset;
}

// How unlikely weights are: far from the bones they name, and unlike their neighbours'.
double implausibility(const CheckedSkin& skin, const std::vector<std::uint32_t>& vertices) {
  double sum = 0;
  for (const std::uint32_t vertex : vertices) {
    const WeightList own = weights_of(skin, vertex);
    for (const Influence& entry : own) {
      double nearest = skin.diagonal;
      for (const int bone : skin.bones_of_joint[entry.joint])
        nearest = std::min(
            nearest, closest_point_on_bone(skin.bones[static_cast<std::size_t>(bone)], skin.position(vertex)).distance);
      sum += entry.weight * nearest / skin.diagonal;
    }
    sum += 0.5 * magnitude(difference(own, mean_weights(skin, skin.neighbours[vertex])));
  }
  return vertices.empty() ? 0 : sum / static_cast<double>(vertices.size());
}

// One side of a region gets the weights of the other.
Cure one_sided(const Patient& patient, bool from_left) {
  const MirroredSkin& mirrored = *patient.mirrored;
  Cure cure{from_left ? "mirrored the left side" : "mirrored the right side", {}};
  for (const std::uint32_t vertex : patient.vertices) {
    const std::uint32_t image = mirrored.vertices[vertex];
    if (image == MirroredSkin::no_image || image == vertex) continue;
    if ((side_of(mirrored, patient.skin.position(vertex)) > 0) == from_left) continue;
    WeightList list = image_weights(patient.skin, mirrored, image);
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cures side_cures(const Patient& patient) {
  if (!patient.mirrored) return {};
  std::vector<std::uint32_t> left, right;
  for (const std::uint32_t vertex : patient.vertices) {
    const double side = side_of(*patient.mirrored, patient.skin.position(vertex));
    (side > 0 ? left : right).push_back(vertex);
  }
  const double left_bad = implausibility(patient.skin, left), right_bad = implausibility(patient.skin, right);
  if (right_bad > clearly_better * left_bad) return {one_sided(patient, true)};
  if (left_bad > clearly_better * right_bad) return {one_sided(patient, false)};
  return {};
}

Cures bleed_cures(const Patient& patient) {
  Cures cures = {swapped_back(patient.skin, patient.vertices)};
  const std::vector<int> foreign = intruders(patient.skin, patient.vertices);
  if (foreign.size() == 1) cures.push_back(without_joint(patient.skin, patient.vertices, foreign.front()));
  if (foreign.empty() && patient.finding.joint >= 0)
    cures.push_back(without_joint(patient.skin, patient.vertices, patient.finding.joint));
  cures.push_back(mirrored_weights(patient, patient.vertices));
  cures.push_back(fill(patient.skin, patient.vertices, true));
  cures.push_back(bone_heat(patient, patient.vertices));
  return cures;
}

Cures idle_cures(const Patient& patient) {
  Cures cures;
  const CheckedSkin& skin = patient.skin;
  const int joint = patient.finding.joint;
  if (patient.mirrored && patient.mirrored->joints[static_cast<std::size_t>(joint)] >= 0) {
    const int counterpart = patient.mirrored->joints[static_cast<std::size_t>(joint)];
    std::vector<std::uint32_t> region;
    for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
      const std::uint32_t image = patient.mirrored->vertices[vertex];
      if (image != MirroredSkin::no_image && skin.weights.weight_of(image, counterpart) > 0) region.push_back(vertex);
    }
    cures.push_back(mirrored_weights(patient, region));
  }
  std::vector<std::uint32_t> around = patient.vertices;
  const WeightList holders = mean_weights(skin, around);
  const auto strongest = std::max_element(holders.begin(), holders.end(),
                                          [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
  int holder = strongest == holders.end() ? -1 : strongest->joint;
  if (holder < 0) holder = skin.character.skeleton.parents[static_cast<std::size_t>(joint)];
  if (holder >= 0) cures.push_back(shared_by_heat(patient, joint, holder));
  return cures;
}

Cures bend_cures(const Patient& patient) {
  Cures cures;
  const CheckedSkin& skin = patient.skin;
  const int joint = patient.finding.joint;
  const std::optional<BendShape> shape = measure_bend(skin, joint);
  if (!shape) return cures;
  const double reach = std::min(0.35 * shape->radius, 0.15 * shape->length);
  if (patient.finding.kind == FindingKind::hard_edge) {
    const std::vector<std::uint32_t> zone = grown(skin, patient.vertices, reach);
    cures.push_back(mirrored_weights(patient, grown(skin, patient.vertices, 2 * reach)));
    cures.push_back(fill(skin, zone, false));
  } else {
    cures.push_back(mirrored_weights(patient, patient.vertices));
    for (const double factor : {2.0, 3.0, 5.0}) cures.push_back(steeper(skin, patient.vertices, joint, factor));
    cures.push_back(bone_heat(patient, patient.vertices));
  }
  return cures;
}

Cure fewer_influences(const Patient& patient) {
  Character copy = patient.skin.character;
  limit_influences(copy,
                   {.selection = {.vertices = patient.finding.vertices}, .max_influences = patient.max_influences});
  Cure cure{"kept the " + std::to_string(patient.max_influences) + " influences that matter most", {}};
  const std::size_t slots = static_cast<std::size_t>(copy.weights.influences);
  for (const std::uint32_t vertex : patient.vertices) {
    const std::size_t first = patient.skin.copies[vertex][0] * slots;
    WeightList list;
    for (std::size_t slot = first; slot < first + slots; ++slot) {
      if (copy.weights.weights[slot] > 0) list.push_back({copy.weights.joints[slot], copy.weights.weights[slot]});
    }
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

WeightList heat_at(const SkinWeights& heat, std::uint32_t vertex) {
  WeightList list;
  const std::size_t slots = static_cast<std::size_t>(heat.influences);
  for (std::size_t slot = vertex * slots; slot < (vertex + 1ul) * slots; ++slot) {
    if (heat.weights[slot] > 0) list.push_back({heat.joints[slot], heat.weights[slot]});
  }
  std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  return list;
}

}  // namespace

Cure mirrored_weights(const Patient& patient, const std::vector<std::uint32_t>& region) {
  Cure cure{"took the weights of the other side", {}};
  if (!patient.mirrored) return cure;
  for (const std::uint32_t vertex : region) {
    const std::uint32_t image = patient.mirrored->vertices[vertex];
    if (image == MirroredSkin::no_image || image == vertex || patient.suspected[image]) continue;
    WeightList list = image_weights(patient.skin, *patient.mirrored, image);
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cure steeper(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, int joint, double factor) {
  Cure cure{"made the blend at '" + skin.character.skeleton.names[static_cast<std::size_t>(joint)] + "' shorter", {}};
  const std::vector<float> shares = shares_of(skin, joint);
  for (const std::uint32_t vertex : region) {
    const double share = shares[vertex], wanted = std::clamp(0.5 + factor * (share - 0.5), 0.0, 1.0);
    WeightList list = weights_of(skin, vertex);
    for (Influence& entry : list) {
      const bool below = hangs_on(skin.character.skeleton.parents, entry.joint, joint);
      entry.weight *= below ? wanted / std::max(share, 1e-6) : (1 - wanted) / std::max(1 - share, 1e-6);
    }
    std::erase_if(list, [](const Influence& entry) { return entry.weight < 1e-4; });
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cure shared_by_heat(const Patient& patient, int joint, int holder) {
  const std::vector<std::string>& names = patient.skin.character.skeleton.names;
  Cure cure{"gave '" + names[static_cast<std::size_t>(joint)] + "' its share of the weight of '" +
                names[static_cast<std::size_t>(holder)] + "' by bone heat",
            {}};
  const SkinWeights* heat = patient.heat();
  if (!heat) return cure;
  for (std::uint32_t vertex = 0; vertex < patient.skin.vertex_count(); ++vertex) {
    const double own = heat->weight_of(vertex, joint), other = heat->weight_of(vertex, holder);
    if (own < 0.02 || patient.skin.weights.weight_of(vertex, holder) <= 0) continue;
    WeightList list = weights_of(patient.skin, vertex);
    double moved = 0;
    for (Influence& entry : list) {
      if (entry.joint != holder) continue;
      moved = entry.weight * own / (own + other);
      entry.weight -= moved;
    }
    list.push_back({static_cast<std::uint16_t>(joint), moved});
    std::erase_if(list, [](const Influence& entry) { return entry.weight < 1e-4; });
    std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cure bone_heat(const Patient& patient, const std::vector<std::uint32_t>& region) {
  Cure cure{"bound " + std::to_string(region.size()) + " vertices anew by bone heat", {}};
  const SkinWeights* heat = patient.heat();
  if (!heat) return cure;
  for (const std::uint32_t vertex : region) {
    WeightList list = heat_at(*heat, vertex);
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cures cures_for(const Patient& patient) {
  const CheckedSkin& skin = patient.skin;
  const std::vector<std::uint32_t>& vertices = patient.vertices;
  Cures cures;
  switch (patient.finding.kind) {
    case FindingKind::unweighted:
      cures = {fill(skin, vertices, true), mirrored_weights(patient, vertices), fill(skin, vertices, false)};
      break;
    case FindingKind::split_seam:
      cures = {closed_seam(skin, vertices)};
      break;
    case FindingKind::spike:
      cures = {fill(skin, vertices, false), mirrored_weights(patient, vertices)};
      break;
    case FindingKind::bleed:
      cures = bleed_cures(patient);
      break;
    case FindingKind::noise:
      cures = {mirrored_weights(patient, vertices), median(skin, vertices), fill(skin, vertices, true)};
      break;
    case FindingKind::idle_joint:
      cures = idle_cures(patient);
      break;
    case FindingKind::rigid_bends:
      cures = {rigid(skin, vertices)};
      break;
    case FindingKind::hard_edge:
    case FindingKind::collapse:
      cures = bend_cures(patient);
      break;
    case FindingKind::side_difference:
      cures = side_cures(patient);
      break;
    case FindingKind::influences:
      cures = {fewer_influences(patient)};
      break;
  }
  std::erase_if(cures, [](const Cure& cure) { return cure.weights.empty(); });
  return cures;
}

}  // namespace sinew
