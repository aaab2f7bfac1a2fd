// Pieces that an artist keeps rigid and that bend: buttons, teeth, helmets, shells of a robot.
//
// A piece bends for a reason when what it lies on bends too (a strap), or when a joint that bends it lies in it (a
// sleeve, a boot). One that bends on rigid skin, or far from the joint that its weights are shared at, only changes its
// shape.
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/check/detectors.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr std::size_t smallest_piece = 4, fewest_pieces = 3;
constexpr double rigid_size = 0.3;       // diagonal of the piece, of the character's
constexpr double joint_margin = 0.2;     // of the piece's own size: a joint so close to its box may bend it
constexpr double least_offset = 0.005;   // of the diagonal: pieces that bend by less are not looked at
constexpr double underlay_reach = 0.25;  // of the piece's size: what is farther is not what it lies on
constexpr double underlay_known = 0.5;   // of the vertices of a piece, so that it lies on something
constexpr double bends_alike = 0.4;      // of the piece's own bend, of what it lies on: then it follows that
constexpr double on_both_sides = 0.2;    // of the vertices, on either side of a joint: the joint is in the piece

// From where to where values go, but for the outermost twentieth on either side.
double spread(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  const std::size_t rim = values.size() / 20;
  return values[values.size() - 1 - rim] - values[rim];
}

enum class Underlay : std::uint8_t { none, rigid, bends };

// What the skin beneath a piece does where the piece bends by `own`.
Underlay underlay_of(const CheckedSkin& skin, const std::vector<std::uint32_t>& piece, const AABBd& box,
                     const std::vector<float>& shares, double own) {
  const double reach = underlay_reach * box.diagonal().norm();
  const std::uint32_t number = skin.pieces.component_of[piece.front()];
  std::vector<Vec3f> around;
  std::vector<float> values;
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    if (skin.pieces.component_of[vertex] == number || !skin.is_weighted(vertex)) continue;
    if (box.exteriorDistance(skin.position(vertex)) > reach) continue;
    around.push_back(skin.mesh.positions[vertex]);
    values.push_back(shares[vertex]);
  }
  if (around.empty()) return Underlay::none;
  const NearestPoints points(around);
  std::vector<float> beneath;
  for (const std::uint32_t vertex : piece) {
    NearPoint nearest;
    if (points.nearest(skin.mesh.positions[vertex], nearest, reach)) beneath.push_back(values[nearest.index]);
  }
  if (static_cast<double>(beneath.size()) < underlay_known * static_cast<double>(piece.size())) return Underlay::none;
  return spread(std::move(beneath)) >= bends_alike * own ? Underlay::bends : Underlay::rigid;
}

// Whether a piece goes on both sides of a joint, along its bone.
bool goes_over(const CheckedSkin& skin, const std::vector<std::uint32_t>& piece, int joint) {
  const std::vector<int>& bones = skin.bones_of_joint[static_cast<std::size_t>(joint)];
  if (bones.empty()) return true;
  const Vec3d axis = skin.bones[static_cast<std::size_t>(bones.front())].direction();
  const Vec3d place = skin.character.skeleton.position(joint);
  const auto before = std::count_if(
      piece.begin(), piece.end(), [&](std::uint32_t vertex) { return (skin.position(vertex) - place).dot(axis) < 0; });
  const double share = static_cast<double>(before) / static_cast<double>(piece.size());
  return share >= on_both_sides && share <= 1 - on_both_sides;
}

bool bends_for_a_reason(const CheckedSkin& skin, const std::vector<std::uint32_t>& piece, const AABBd& box, int joint) {
  const std::vector<float> shares = shares_of(skin, joint);
  std::vector<float> own;
  for (const std::uint32_t vertex : piece) own.push_back(shares[vertex]);
  const double apart = box.exteriorDistance(skin.character.skeleton.position(joint));
  const bool beside = apart < joint_margin * box.diagonal().norm();
  switch (underlay_of(skin, piece, box, shares, spread(std::move(own)))) {
    case Underlay::bends:
      return true;
    case Underlay::rigid:
      return beside && goes_over(skin, piece, joint);
    case Underlay::none:
      break;
  }
  return beside;
}

}  // namespace

void find_bending_pieces(const CheckedSkin& skin, Suspicions& found) {
  std::vector<std::vector<std::uint32_t>> pieces(skin.pieces.count);
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex)
    pieces[skin.pieces.component_of[vertex]].push_back(vertex);
  if (pieces.size() < fewest_pieces) return;
  std::vector<Suspicions> results(pieces.size());
  parallel_for(pieces.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::vector<std::uint32_t>& vertices = pieces[piece];
      if (vertices.size() < smallest_piece) continue;
      AABBd box;
      for (const std::uint32_t vertex : vertices) box.extend(skin.position(vertex));
      if (box.diagonal().norm() > rigid_size * skin.diagonal) continue;
      const WeightList mean = mean_weights(skin, vertices);
      Suspicion own{.kind = FindingKind::rigid_bends};
      for (const std::uint32_t vertex : vertices) {
        const Offset offset = worst_offset(skin, skin.position(vertex), difference(weights_of(skin, vertex), mean));
        if (offset.distance > own.offset.distance) own.offset = offset;
      }
      if (own.offset.pose < 0 || own.offset.distance < least_offset) continue;
      if (bends_for_a_reason(skin, vertices, box, skin.poses[static_cast<std::size_t>(own.offset.pose)].joint))
        continue;
      double strongest = 0;
      for (const Influence& entry : mean) {
        if (entry.weight > strongest) strongest = entry.weight, own.joint = entry.joint;
      }
      own.vertices = vertices;
      results[piece].push_back(std::move(own));
    }
  });
  for (Suspicions& result : results) std::move(result.begin(), result.end(), std::back_inserter(found));
}

}  // namespace sinew
