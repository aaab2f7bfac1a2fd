// Left and right that deform differently where mesh and skeleton are the same.
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr double noticeable_difference = 0.25;  // half L1 distance between a vertex and the image of its counterpart
constexpr std::size_t fewest_vertices = 6;      // on either side together

}  // namespace

void find_side_differences(const CheckedSkin& skin, const MirroredSkin& mirrored, Suspicions& found) {
  const std::size_t count = skin.vertex_count();
  std::vector<char> differs(count, 0);
  std::vector<Offset> offsets(count);
  parallel_for(count, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      const std::uint32_t image = mirrored.vertices[vertex];
      if (image == MirroredSkin::no_image || !skin.is_weighted(vertex) || !skin.is_weighted(image)) continue;
      const WeightList expected = image_weights(skin, mirrored, image);
      if (expected.empty()) continue;
      const WeightList apart = difference(weights_of(skin, vertex), expected);
      if (magnitude(apart) < noticeable_difference) continue;
      differs[vertex] = 1;
      offsets[vertex] = worst_offset(skin, skin.position(vertex), apart);
    }
  });
  // Groups of the two sides belong together.
  std::vector<std::vector<std::uint32_t>> groups = connected_groups(skin, differs, 2);
  std::vector<std::uint32_t> group_of(count, ~0u);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (const std::uint32_t vertex : groups[group]) group_of[vertex] = group;
  }
  std::vector<char> done(groups.size(), 0);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    if (done[group]) continue;
    done[group] = 1;
    Suspicion own{.kind = FindingKind::side_difference};
    own.vertices = groups[group];
    for (const std::uint32_t vertex : groups[group]) {
      const std::uint32_t other = group_of[mirrored.vertices[vertex]];
      if (other == ~0u || done[other]) continue;
      done[other] = 1;
      own.vertices.insert(own.vertices.end(), groups[other].begin(), groups[other].end());
    }
    const std::size_t flagged = own.vertices.size();
    for (std::size_t i = 0; i < flagged; ++i) own.vertices.push_back(mirrored.vertices[own.vertices[i]]);
    std::sort(own.vertices.begin(), own.vertices.end());
    own.vertices.erase(std::unique(own.vertices.begin(), own.vertices.end()), own.vertices.end());
    if (own.vertices.size() < fewest_vertices) continue;
    for (const std::uint32_t vertex : own.vertices) {
      if (offsets[vertex].distance > own.offset.distance) own.offset = offsets[vertex];
    }
    if (own.offset.pose >= 0) own.joint = skin.poses[static_cast<std::size_t>(own.offset.pose)].joint;
    found.push_back(std::move(own));
  }
}

}  // namespace sinew
