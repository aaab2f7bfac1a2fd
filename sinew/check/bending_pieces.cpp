// Pieces that an artist keeps rigid and that bend: buttons, teeth, helmets, shells of a robot.
//
// A piece bends for a reason when a joint that bends it lies in it or beside it: a sleeve has an elbow. One that is far
// from every joint that its weights are shared between only changes its shape.
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr std::size_t smallest_piece = 4, fewest_vertices_of_body = 3;
constexpr double rigid_size = 0.3;    // diagonal of the piece, of the character's
constexpr double joint_margin = 0.2;  // of the piece's own size: a joint so close to its box may bend it

}  // namespace

void find_bending_pieces(const CheckedSkin& skin, Suspicions& found) {
  std::vector<std::vector<std::uint32_t>> pieces(skin.pieces.count);
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex)
    pieces[skin.pieces.component_of[vertex]].push_back(vertex);
  std::vector<Suspicions> results(pieces.size());
  parallel_for(pieces.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::vector<std::uint32_t>& vertices = pieces[piece];
      if (vertices.size() < smallest_piece || pieces.size() < fewest_vertices_of_body) continue;
      AABBd box;
      for (const std::uint32_t vertex : vertices) box.extend(skin.position(vertex));
      const double size = box.diagonal().norm();
      if (size > rigid_size * skin.diagonal) continue;
      const WeightList mean = mean_weights(skin, vertices);
      Suspicion own{.kind = FindingKind::rigid_bends};
      for (const std::uint32_t vertex : vertices) {
        const Offset offset = worst_offset(skin, skin.position(vertex), difference(weights_of(skin, vertex), mean));
        if (offset.distance > own.offset.distance) own.offset = offset;
      }
      if (own.offset.pose < 0) continue;
      const int joint = skin.poses[static_cast<std::size_t>(own.offset.pose)].joint;
      const double apart = box.exteriorDistance(skin.character.skeleton.position(joint));
      if (apart < joint_margin * size) continue;
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
