#include "sinew/weights/attached_pieces.h"

#include <algorithm>

#include "sinew/mesh/ray_scene.h"

namespace sinew {
namespace {

// In the input's unit, in which the whole mesh has a diagonal of 1.
constexpr float largest_small = 0.25f;
constexpr float touching = 0.01f;

struct Piece {
  Eigen::AlignedBox3f box;
  std::vector<std::uint32_t> vertices;
  bool hangs = false;
};

std::vector<Piece> pieces_of(const BindInput& input) {
  std::vector<Piece> pieces(input.components.count);
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    Piece& piece = pieces[input.components.component_of[v]];
    piece.box.extend(input.mesh.positions[v]);
    piece.vertices.push_back(v);
  }
  for (Piece& piece : pieces) {
    piece.hangs = piece.box.diagonal().norm() <= largest_small &&
                  std::none_of(input.bones.begin(), input.bones.end(),
                               [&](const Bone& bone) { return enters_box(bone, piece.box); });
  }
  return pieces;
}

// Mean weights of the places that the piece touches; empty when it touches nothing.
std::vector<Influence> touched_weights(const BindInput& input, const Piece& piece, const RayScene& carriers,
                                       const std::vector<Triangle>& triangles, const SkinWeights& weights) {
  std::vector<double> sum(input.joint_count(), 0.0);
  bool any = false;
  for (std::uint32_t v : piece.vertices) {
    ClosestPoint closest;
    if (!carriers.closest_point(input.mesh.positions[v], closest, touching)) continue;
    any = true;
    for (int corner = 0; corner < 3; ++corner) {
      const std::size_t first = static_cast<std::size_t>(triangles[closest.triangle][corner]) * weights.influences;
      for (std::size_t slot = first; slot < first + weights.influences; ++slot) {
        sum[weights.joints[slot]] += static_cast<double>(closest.barycentric[corner]) * weights.weights[slot];
      }
    }
  }
  std::vector<Influence> mean;
  for (int joint = 0; any && joint < input.joint_count(); ++joint) {
    if (sum[joint] > 0) mean.push_back({static_cast<std::uint16_t>(joint), sum[joint]});
  }
  return mean;
}

}  // namespace

// The slab test.
bool enters_box(const Bone& bone, const Eigen::AlignedBox3f& box) {
  double near = 0, far = 1;
  const Vec3d direction = bone.tail - bone.head;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = static_cast<double>(box.min()[axis]) - bone.head[axis];
    const double high = static_cast<double>(box.max()[axis]) - bone.head[axis];
    if (std::abs(direction[axis]) < 1e-12) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const double a = low / direction[axis], b = high / direction[axis];
    near = std::max(near, std::min(a, b));
    far = std::min(far, std::max(a, b));
  }
  return near <= far;
}

int attach_small_pieces(const BindInput& input, SkinWeights& weights) {
  if (input.mesh.is_point_cloud() || input.components.count < 2) return 0;
  const std::vector<Piece> pieces = pieces_of(input);
  std::vector<Triangle> triangles;
  for (const Triangle& triangle : input.mesh.triangles) {
    if (!pieces[input.components.component_of[triangle[0]]].hangs) triangles.push_back(triangle);
  }
  if (triangles.empty()) return 0;
  const RayScene carriers(input.mesh.positions, triangles);
  int changed = 0;
  for (const Piece& piece : pieces) {
    if (!piece.hangs) continue;
    const std::vector<Influence> mean = touched_weights(input, piece, carriers, triangles, weights);
    if (mean.empty()) continue;
    for (std::uint32_t v : piece.vertices) set_influences(weights, v, mean);
    ++changed;
  }
  return changed;
}

}  // namespace sinew
