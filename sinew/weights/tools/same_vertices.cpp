#include "sinew/weights/tools/same_vertices.h"

#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr std::uint32_t no_vertex = ~std::uint32_t{0};

// Per welded vertex of the target: that of the source.
std::vector<std::uint32_t> match_by_order(const WeldedSkin& source, const WeldedSkin& target) {
  std::vector<std::uint32_t> match(target.vertex_count(), no_vertex);
  for (std::size_t v = 0; v < target.welded_of.size(); ++v) {
    const std::uint32_t welded = target.welded_of[v];
    if (welded == WeldedSkin::not_skinned || match[welded] != no_vertex) continue;
    if (source.welded_of[v] != WeldedSkin::not_skinned) match[welded] = source.welded_of[v];
  }
  return match;
}

std::vector<std::uint32_t> match_by_place(const WeldedSkin& source, const WeldedSkin& target, double tolerance) {
  std::vector<std::uint32_t> match(target.vertex_count(), no_vertex);
  const NearestPoints points(source.mesh.positions);
  parallel_for(match.size(), 512, [&](std::size_t begin, std::size_t end) {
    std::vector<NearPoint> near;
    for (std::size_t v = begin; v < end; ++v) {
      points.nearest(target.mesh.positions[v], 1, near);
      if (!near.empty() && near.front().distance <= tolerance) match[v] = near.front().index;
    }
  });
  return match;
}

}  // namespace

SameVertices rows_of_same_vertices(const Character& source, const Character& target, const WeldedSkin& skin,
                                   double tolerance) {
  const WeldedSkin from = weld_skin(source, {});
  const JointTargets targets =
      joint_targets(source.skeleton, target.skeleton, used_joints(from.rows, source.skeleton.joint_count()));
  SameVertices result;
  result.joints = targets.report;
  result.most_influences = from.most_influences;
  result.by_order = source.mesh.vertex_count() == target.mesh.vertex_count() && !target.mesh.is_point_cloud() &&
                    source.mesh.triangles == target.mesh.triangles;
  const std::vector<std::uint32_t> match = result.by_order
                                               ? match_by_order(from, skin)
                                               : match_by_place(from, skin, tolerance * bounding_diagonal(skin.mesh));
  result.rows.resize(skin.vertex_count());
  for (std::size_t v = 0; v < match.size(); ++v) {
    stop_if_cancelled(v);
    if (match[v] == no_vertex) continue;
    result.rows[v] = translated(from.rows[match[v]], targets);
    result.matched += !result.rows[v].empty();
  }
  if (result.matched == 0) {
    throw Error(ErrorCode::characters_differ,
                "no vertex of '" + target.name + "' lies at a vertex of '" + source.name + "' that has weights",
                "the characters must have the same vertices in the same place; transfer weights between other meshes");
  }
  return result;
}

}  // namespace sinew
