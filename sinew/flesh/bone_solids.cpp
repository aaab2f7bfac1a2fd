#include "sinew/flesh/bone_solids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sinew/anatomy/bones.h"
#include "sinew/base/parallel.h"
#include "sinew/flesh/lattice_pieces.h"

namespace sinew {
namespace {

constexpr double trim = 1.2;       // of the radius: how far a capsule stops before its joint
constexpr double ball_size = 0.9;  // of the capsule's radius

double distance_to_skin(const SolidDomain& domain, const Vec3d& point) {
  ClosestPoint closest;
  if (!domain.contains(point.cast<float>())) return 0.0;
  const bool found = domain.closest_point(point.cast<float>(), closest, std::numeric_limits<float>::max());
  return found ? closest.distance : 0.0;
}

}  // namespace

double relative_depth(const BoneSolid& solid, const Vec3d& point) {
  const PointOnBone nearest = closest_point_on_bone(solid.axis, point);
  const double t = std::clamp(nearest.along, 0.0, 1.0);
  const double radius = (1 - t) * solid.head_radius + t * solid.tail_radius;
  return nearest.distance / std::max(radius, 1e-30);
}

std::vector<BoneSolid> bone_solids(const Skeleton& skeleton, const SolidDomain& domain, const BoneOptions& options) {
  std::vector<BoneSolid> solids;
  const std::vector<std::vector<int>> children = children_of(skeleton);
  for (const Bone& bone : bones_of(skeleton, BoneFan::every_child)) {
    const double length = bone.length();
    if (!(length > 0)) continue;
    const bool leaf = std::none_of(children[bone.joint].begin(), children[bone.joint].end(),
                                   [&](int child) { return skeleton.kinds[child] == JointKind::joint; });
    const bool root = skeleton.parents[bone.joint] < 0;
    const auto radius_at = [&](double t) {
      return options.thickness * distance_to_skin(domain, bone.head + t * (bone.tail - bone.head));
    };
    // The thickness at the joint itself sets how far the capsule stays away from it.
    const double head_gap = root ? 0.0 : std::min(trim * radius_at(0.0) / length, 0.35);
    const double tail_gap = leaf ? 0.0 : std::min(trim * radius_at(1.0) / length, 0.35);
    // Two tapered halves follow the thickness better than one.
    const double begin = head_gap, end = 1.0 - tail_gap;
    constexpr int parts = 4;
    for (int part = 0; part < parts; ++part) {
      const double a = begin + (end - begin) * part / parts, b = begin + (end - begin) * (part + 1) / parts;
      BoneSolid solid;
      const Vec3d along = bone.tail - bone.head;
      solid.axis = {bone.joint, bone.head + a * along, bone.head + b * along};
      solid.head_radius = radius_at(a);
      solid.tail_radius = radius_at(b);
      if (solid.head_radius > 0 || solid.tail_radius > 0) solids.push_back(solid);
    }
  }
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint || skeleton.parents[joint] < 0) continue;
    BoneSolid ball;
    ball.axis = {joint, skeleton.position(joint), skeleton.position(joint)};
    ball.halfway = true;
    ball.head_radius = ball.tail_radius = ball_size * options.thickness * distance_to_skin(domain, ball.axis.head);
    if (ball.head_radius > 0) solids.push_back(ball);
  }
  return solids;
}

std::vector<Affine3d> bone_transforms(const Skeleton& skeleton, const std::vector<Affine3d>& skinning) {
  std::vector<Affine3d> transforms = skinning;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int parent = skeleton.parents[joint];
    if (parent < 0) {
      transforms.push_back(skinning[joint]);
      continue;
    }
    const Transform half = interpolate(Transform::from_matrix(Affine3d(skinning[parent].linear())),
                                       Transform::from_matrix(Affine3d(skinning[joint].linear())), 0.5);
    Affine3d turn = half.matrix();
    const Vec3d centre = skeleton.position(joint);
    turn.translation() = skinning[joint] * centre - turn.linear() * centre;
    transforms.push_back(turn);
  }
  return transforms;
}

namespace {

constexpr int cubes_per_cell = 64;

std::uint32_t transform_of(const BoneSolid& solid, int joint_count) {
  return static_cast<std::uint32_t>(solid.halfway ? joint_count + solid.axis.joint : solid.axis.joint);
}

// Springs in every small cube that lies in a solid; where several overlap, the one in which it lies deepest.
std::vector<BoneTies::Tie> ties_inside(const FleshLattice& lattice, const std::vector<BoneSolid>& solids,
                                       int joint_count, double stiffness) {
  std::vector<std::vector<BoneTies::Tie>> of_cell(lattice.cell_count());
  parallel_for(lattice.cell_count(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t cell = begin; cell < end; ++cell) {
      for (int small = 0; small < cubes_per_cell; ++small) {
        if (!(lattice.filled[cell] >> small & 1)) continue;
        const Vec3d place = lattice.small_cube(cell, small);
        double nearest = 1.0;
        const BoneSolid* chosen = nullptr;
        for (const BoneSolid& solid : solids) {
          const double depth = relative_depth(solid, place);
          if (depth >= nearest) continue;
          nearest = depth;
          chosen = &solid;
        }
        if (chosen == nullptr) continue;
        const Vec3d local = (place - lattice.rest[lattice.corners[cell][0]]) / lattice.cell_size;
        of_cell[cell].push_back({static_cast<std::uint32_t>(cell), transform_of(*chosen, joint_count),
                                 local.cast<float>(), place, stiffness});
      }
    }
  });
  std::vector<BoneTies::Tie> result;
  for (const auto& ties : of_cell) result.insert(result.end(), ties.begin(), ties.end());
  return result;
}

// Of the copies of a cube the one whose flesh is nearest.
std::uint32_t nearest_copy(const FleshLattice& lattice, const std::vector<std::uint32_t>& copies, const Vec3d& place) {
  std::uint32_t best = copies.front();
  double nearest = std::numeric_limits<double>::infinity();
  for (std::uint32_t cell : copies) {
    for (int small = 0; small < cubes_per_cell; ++small) {
      if (!(lattice.filled[cell] >> small & 1)) continue;
      const double distance = (lattice.small_cube(cell, small) - place).squaredNorm();
      if (distance >= nearest) continue;
      nearest = distance;
      best = cell;
    }
  }
  return best;
}

// Bones too thin to hold the centre of any small cube: springs along the axis, in the cells that hold it.
void add_ties_on_axes(const FleshLattice& lattice, const std::vector<BoneSolid>& solids, int joint_count,
                      double stiffness, std::vector<BoneTies::Tie>& ties) {
  std::vector<char> tied(2 * static_cast<std::size_t>(joint_count), 0);
  for (const BoneTies::Tie& tie : ties) tied[tie.transform] = 1;
  std::map<std::array<int, 3>, std::vector<std::uint32_t>> copies;
  for (std::uint32_t cell = 0; cell < lattice.cell_count(); ++cell) copies[lattice.place[cell]].push_back(cell);
  for (const BoneSolid& solid : solids) {
    if (tied[transform_of(solid, joint_count)]) continue;
    const Vec3d axis = solid.axis.tail - solid.axis.head;
    const int steps = std::max(1, static_cast<int>(std::ceil(axis.norm() / (0.25 * lattice.cell_size))));
    for (int step = 0; step <= steps; ++step) {
      const Vec3d place = solid.axis.head + axis * step / steps;
      const Vec3d grid = (place - lattice.origin) / lattice.cell_size;
      const Vec3d low = grid.array().floor();
      const auto found = copies.find({static_cast<int>(low[0]), static_cast<int>(low[1]), static_cast<int>(low[2])});
      if (found == copies.end()) continue;
      ties.push_back({nearest_copy(lattice, found->second, place), transform_of(solid, joint_count),
                      (grid - low).cast<float>(), place, stiffness});
    }
  }
}

// Springs from every node of a piece without bones to where each of its joints would carry it: their sum rests where
// linear blend skinning puts the node. Returns the number of such pieces.
std::size_t tie_loose_pieces(const FleshLattice& lattice, const SkinWeights& weights, double stiffness,
                             std::vector<BoneTies::Tie>& ties) {
  DisjointSets bodies(lattice.node_count());
  for (const auto& corners : lattice.corners) {
    for (std::uint32_t node : corners) bodies.join(corners[0], node);
  }
  std::vector<char> held(lattice.node_count(), 0);
  for (const BoneTies::Tie& tie : ties) held[bodies.find(lattice.corners[tie.cell][0])] = 1;
  std::size_t loose = 0;
  for (std::uint32_t node = 0; node < lattice.node_count(); ++node) loose += bodies.find(node) == node && !held[node];
  if (loose == 0) return 0;
  std::vector<char> done(lattice.node_count(), 0);
  for (std::uint32_t cell = 0; cell < lattice.cell_count(); ++cell) {
    if (held[bodies.find(lattice.corners[cell][0])]) continue;
    for (int corner = 0; corner < 8; ++corner) {
      const std::uint32_t node = lattice.corners[cell][corner];
      if (std::exchange(done[node], 1)) continue;
      const Vec3f local(static_cast<float>(corner & 1), static_cast<float>(corner >> 1 & 1),
                        static_cast<float>(corner >> 2));
      for (int slot = 0; slot < weights.influences; ++slot) {
        const std::size_t at = static_cast<std::size_t>(node) * weights.influences + slot;
        if (weights.weights[at] <= 0) continue;
        ties.push_back({cell, weights.joints[at], local, lattice.rest[node], stiffness * weights.weights[at]});
      }
    }
  }
  return loose;
}

}  // namespace

BoneTies tie_to_bones(const FleshLattice& lattice, const std::vector<BoneSolid>& solids, const SkinWeights& weights,
                      int joint_count, const BoneOptions& options, std::size_t& loose_pieces) {
  // Stiffness per volume is options.stiffness / cell², a small cube has cell³ / 64.
  const double of_small_cube = options.stiffness * lattice.cell_size / cubes_per_cell;
  BoneTies result;
  result.ties = ties_inside(lattice, solids, joint_count, of_small_cube);
  add_ties_on_axes(lattice, solids, joint_count, 4 * of_small_cube, result.ties);
  loose_pieces = tie_loose_pieces(lattice, weights, options.stiffness * lattice.cell_size, result.ties);

  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec4d> moments;
  for (const BoneTies::Tie& tie : result.ties) {
    const std::array<double, 8> at = corner_weights(tie.local);
    for (int corner = 0; corner < 8; ++corner) {
      if (at[corner] == 0) continue;
      const auto entry = moments.try_emplace({lattice.corners[tie.cell][corner], tie.transform}, Vec4d::Zero()).first;
      entry->second += tie.stiffness * at[corner] * tie.place.homogeneous();
    }
  }
  for (const auto& [key, moment] : moments) result.pulls.push_back({key.first, key.second, moment});
  return result;
}

}  // namespace sinew
