#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/body_frame.h"
#include "sinew/check/bend_shape.h"
#include "sinew/check/repairs.h"

namespace sinew {
namespace {

constexpr double absent = 0.02;           // mean weight around a region up to which a joint does not belong there
constexpr double all_noise = 0.35;        // of the vertices of a region stick out: none of them can be relied on
constexpr double sure = 0.02;             // the same, where it need not be tried whether less helps
constexpr double agrees = 0.1;            // half L1 distance from bone heat
constexpr double reliable_bend = 0.12;    // the same for blends at a joint, whose weights change more around
constexpr double enough_of_spike = 0.15;  // of a single vertex's weight, to go by when what is foreign is taken away
constexpr double reliable = 0.06;  // error of a fill about known weights around (RankedCure) up to which it is believed
constexpr double good_side = 0.15;      // half L1 distance from bone heat: beyond it neither side can be called right
constexpr double clearly_better = 2.0;  // of two sides, or it cannot be told which one is right

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
  // From the region on, over all that has the same mistake: a finding holds only what shows.
  std::vector<std::uint32_t> reached = region;
  std::vector<char> known(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : region) known[vertex] = 1;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t vertex = reached[i];
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
    if (!any) continue;
    cure.weights[vertex] = std::move(renamed);
    for (const std::uint32_t next : skin.neighbours[vertex]) {
      if (!known[next]) known[next] = 1, reached.push_back(next);
    }
  }
  return cure;
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

// Mean half L1 distance from other weights.
double distance_from(const CheckedSkin& skin, const std::vector<std::uint32_t>& vertices, const SkinWeights& others) {
  double sum = 0;
  for (const std::uint32_t vertex : vertices)
    sum += magnitude(difference(weights_of(skin, vertex), weights_of(others, vertex)));
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
  const SkinWeights* heat = patient.heat(-1);
  const auto badness = [&](const std::vector<std::uint32_t>& side) {
    return heat ? distance_from(patient.skin, side, *heat) : implausibility(patient.skin, side);
  };
  const double left_bad = badness(left), right_bad = badness(right);
  if (heat && std::min(left_bad, right_bad) > good_side) return {};
  if (right_bad > clearly_better * left_bad) return {one_sided(patient, true)};
  if (left_bad > clearly_better * right_bad) return {one_sided(patient, false)};
  return {};
}

Cures bleed_cures(const Patient& patient) {
  Cures cures = {swapped_back(patient.skin, patient.vertices)};
  const std::vector<int> foreign = intruders(patient.skin, patient.vertices);
  const int joint = foreign.size() == 1 ? foreign.front() : foreign.empty() ? patient.finding.joint : -1;
  // Where the joint has all the weight, nothing is left to go by.
  const auto taken = std::count_if(patient.vertices.begin(), patient.vertices.end(), [&](std::uint32_t vertex) {
    return joint >= 0 && patient.skin.weights.weight_of(vertex, joint) > 1 - enough_of_spike;
  });
  const bool fill_first = 2 * static_cast<std::size_t>(taken) > patient.vertices.size();
  Cures filled = fills(patient, patient.vertices);
  if (fill_first) std::move(filled.begin(), filled.end(), std::back_inserter(cures));
  if (joint >= 0) cures.push_back(without_joint(patient.skin, patient.vertices, joint));
  if (!fill_first) std::move(filled.begin(), filled.end(), std::back_inserter(cures));
  cures.push_back(bone_heat(patient, patient.vertices));
  return cures;
}

// Weights that are as bone heat has them are no accident, however they look.
Cure without_what_heat_agrees_with(const Patient& patient, Cure cure) {
  const SkinWeights* heat = patient.heat(-1);
  std::erase_if(cure.weights, [&](const auto& entry) {
    const WeightList now = weights_of(patient.skin, entry.first);
    return heat && magnitude(difference(now, weights_of(*heat, entry.first))) < agrees;
  });
  return cure;
}

// Single vertices: without the joints that nothing around them has; what is too little to go by then is filled.
Cure without_intruders(const CheckedSkin& skin, const std::vector<std::uint32_t>& spikes) {
  Cure cure{"took away what nothing around " + std::string(spikes.size() == 1 ? "it" : "them") + " follows", {}};
  for (const std::uint32_t vertex : spikes) {
    WeightList list = weights_of(skin, vertex);
    double left = 0;
    std::erase_if(list, [&](const Influence& entry) {
      const auto around = skin.neighbours[vertex];
      const bool foreign = std::all_of(around.begin(), around.end(), [&](std::uint32_t other) {
        return skin.weights.weight_of(other, entry.joint) <= absent;
      });
      if (!foreign) left += entry.weight;
      return foreign;
    });
    if (left < enough_of_spike || left > 1 - absent) continue;
    for (Influence& entry : list) entry.weight /= left;
    cure.weights[vertex] = std::move(list);
  }
  if (cure.weights.size() < spikes.size()) {
    for (auto& [vertex, list] : fill(skin, spikes, true).weights) cure.weights.try_emplace(vertex, std::move(list));
  }
  return cure;
}

// A few vertices that stick out are brought back. Where all is noise, nothing there can be relied on but what is
// around; only a fill that tells that well is better than the middle of the noise.
Cures noise_cures(const Patient& patient) {
  const CheckedSkin& skin = patient.skin;
  double edge = 0, edges = 0;
  for (const std::uint32_t vertex : patient.vertices) {
    for (const std::uint32_t other : skin.neighbours[vertex])
      edge += (skin.position(vertex) - skin.position(other)).norm(), ++edges;
  }
  // What is beside the noise that sticks out is noise that happens not to.
  const std::vector<std::uint32_t> region = grown(skin, patient.vertices, edges > 0 ? 1.6 * edge / edges : 0);
  const Cure within = without_what_heat_agrees_with(patient, within_neighbours(skin, patient.vertices));
  const double sticks_out = static_cast<double>(within.weights.size());
  const bool all = sticks_out >= all_noise * static_cast<double>(patient.vertices.size());
  Cures cures;
  std::vector<RankedCure> ranked = ranked_fills(patient, region);
  for (RankedCure& own : ranked) {
    if (own.error < (all ? reliable : sure)) cures.push_back(std::move(own.cure));
  }
  if (!all) cures.push_back(within);
  cures.push_back(median(skin, patient.vertices));
  if (all) cures.push_back(within);
  return cures;
}

// The finding's vertices, and those around them over which bone heat blends at the joint.
std::vector<std::uint32_t> blend_of_heat(const Patient& patient, int joint, double reach) {
  const SkinWeights* heat = patient.heat(-1);
  std::vector<std::uint32_t> zone = patient.vertices;
  if (!heat) return zone;
  for (const std::uint32_t vertex : grown(patient.skin, patient.vertices, reach)) {
    double share = 0;
    for (const Influence& entry : weights_of(*heat, vertex)) {
      if (hangs_on(patient.skin.character.skeleton.parents, entry.joint, joint)) share += entry.weight;
    }
    if (share > absent && share < 1 - absent) zone.push_back(vertex);
  }
  std::sort(zone.begin(), zone.end());
  zone.erase(std::unique(zone.begin(), zone.end()), zone.end());
  return zone;
}

Cures bend_cures(const Patient& patient) {
  Cures cures;
  const CheckedSkin& skin = patient.skin;
  const int joint = patient.finding.joint;
  const std::optional<BendShape> shape = measure_bend(skin, joint);
  if (!shape) return cures;
  const double reach = std::min(0.35 * shape->radius, 0.15 * shape->length);
  const std::vector<std::uint32_t> blend = blend_of_heat(patient, joint, 0.5 * shape->length);
  for (RankedCure& own : ranked_fills(patient, blend)) {
    if (own.error < reliable_bend) cures.push_back(std::move(own.cure));
  }
  if (patient.finding.kind == FindingKind::hard_edge) {
    cures.push_back(mirrored_weights(patient, grown(skin, patient.vertices, 2 * reach)));
  } else {
    cures.push_back(mirrored_weights(patient, patient.vertices));
    for (const double factor : {2.0, 3.0, 5.0}) cures.push_back(steeper(skin, patient.vertices, joint, factor));
    cures.push_back(bone_heat(patient, patient.vertices));
  }
  return cures;
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

Cure bone_heat(const Patient& patient, const std::vector<std::uint32_t>& region) {
  Cure cure{"bound " + std::to_string(region.size()) + " vertices anew by bone heat", {}};
  const SkinWeights* heat = patient.heat(-1);
  if (!heat) return cure;
  for (const std::uint32_t vertex : region) {
    WeightList list = weights_of(*heat, vertex);
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
      cures = fills(patient, vertices);
      break;
    case FindingKind::split_seam:
      for (const Cure& expected : fills(patient, vertices)) cures.push_back(closed_seam(skin, vertices, expected));
      break;
    case FindingKind::spike:
      for (Cure& cure :
           Cures{without_intruders(skin, vertices), fill(skin, vertices, false), mirrored_weights(patient, vertices)})
        cures.push_back(without_what_heat_agrees_with(patient, std::move(cure)));
      break;
    case FindingKind::bleed:
      cures = bleed_cures(patient);
      break;
    case FindingKind::noise:
      cures = noise_cures(patient);
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
      cures = influence_cures(patient);
      break;
  }
  for (Cure& cure : cures) cure = where_heat_does_not_object(patient, std::move(cure));
  std::erase_if(cures, [](const Cure& cure) { return cure.weights.empty(); });
  return cures;
}

}  // namespace sinew
