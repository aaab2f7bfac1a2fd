#include "sinew/check/describe.h"

#include <algorithm>

#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

std::string quoted_joint(const CheckedSkin& skin, int joint) {
  return joint < 0 ? "another joint" : "'" + skin.character.skeleton.names[static_cast<std::size_t>(joint)] + "'";
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// The part that holds most of the vertices.
int part_of(const Character& character, const std::vector<std::uint32_t>& vertices) {
  std::vector<std::size_t> counts(character.parts.size(), 0);
  for (const std::uint32_t vertex : vertices) {
    for (std::size_t part = 0; part < counts.size(); ++part) {
      const Part& own = character.parts[part];
      if (vertex >= own.first_vertex && vertex < own.first_vertex + own.vertex_count) ++counts[part];
    }
  }
  if (counts.empty() || vertices.empty()) return -1;
  return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// The joint that moves these vertices most, as the name of a place.
std::string place_of(const CheckedSkin& skin, const Suspicion& suspicion) {
  std::vector<std::uint32_t> around;
  for (const std::uint32_t vertex : suspicion.vertices) {
    const auto neighbours = skin.neighbours[vertex];
    around.insert(around.end(), neighbours.begin(), neighbours.end());
  }
  const WeightList mean = mean_weights(skin, around.empty() ? suspicion.vertices : around);
  int strongest = -1;
  double most = 0;
  for (const Influence& entry : mean) {
    if (entry.joint != suspicion.joint && entry.weight > most) most = entry.weight, strongest = entry.joint;
  }
  return strongest < 0 ? std::string() : " at " + quoted_joint(skin, strongest);
}

struct Words {
  std::string what, remedy;
};

Words words_for(const CheckedSkin& skin, const Suspicion& own, std::size_t vertices) {
  const std::string count = counted(vertices, "vertex", "vertices"), joint = quoted_joint(skin, own.joint);
  const std::string other = quoted_joint(skin, own.other_joint), place = place_of(skin, own);
  switch (own.kind) {
    case FindingKind::unweighted:
      return {count + place +
                  (vertices == 1 ? " has no weight and stays behind when the character moves"
                                 : " have no weight and stay behind when the character moves"),
              "give them the weights of the vertices around them"};
    case FindingKind::split_seam:
      return {"a seam" + place + " tears open: " + count + " at the same places have different weights",
              "give all vertices at one place the same weights"};
    case FindingKind::spike:
      return {count + place + (vertices == 1 ? " follows " : " follow ") + joint + " and nothing around " +
                  (vertices == 1 ? "it does" : "them does"),
              "give each the mean weights of its neighbours"};
    case FindingKind::bleed:
      return {joint + " moves " + count + place + " that it should not",
              "remove the influence of " + joint + " from these vertices"};
    case FindingKind::noise:
      return {"weights of " + joint + " jump from vertex to vertex over " + count + place, "smooth the weights there"};
    case FindingKind::hard_edge:
      return {"the skin changes from " + other + " to " + joint + " in single edges and stretches where it bends",
              "smooth the border between the two joints"};
    case FindingKind::collapse:
      return {"the blend between " + other + " and " + joint + " is longer than the limb can bear: it loses volume",
              "narrow the blend around the joint"};
    case FindingKind::side_difference:
      return {count + place + " deform differently on the left and on the right", "mirror the better side"};
    case FindingKind::rigid_bends:
      return {"a piece of " + count + " at " + joint + " bends although no joint is in it",
              "give the whole piece the same weights"};
    case FindingKind::influences:
      return {count + " follow more joints than allowed, up to " + std::to_string(own.count),
              "keep the strongest influences"};
    case FindingKind::idle_joint:
      return {joint + " moves nothing; " + other + " holds the skin around its bone",
              "paint weights for " + joint + ", or bind again"};
  }
  return {};
}

}  // namespace

Finding describe(const CheckedSkin& skin, const Suspicion& suspicion) {
  Finding finding;
  finding.kind = suspicion.kind;
  finding.joint = suspicion.joint;
  finding.vertices = original_vertices(skin, suspicion.vertices);
  finding.part = part_of(skin.character, finding.vertices);
  finding.pose = suspicion.offset.pose;
  finding.severity = suspicion.offset.distance;
  Words words = words_for(skin, suspicion, finding.vertices.size());
  if (suspicion.both_sides) words.what += "; the same on the other side";
  finding.what = std::move(words.what);
  finding.remedy = std::move(words.remedy);
  return finding;
}

}  // namespace sinew
