// How elastic material would like a skin's movement: two figures over the rings of edges around vertices.
//
// Every ring is laid over its rest shape by the rotation that fits best, so nothing but the shape counts:
// neither the weights nor a whole limb's turn. Both figures have no unit and do not depend on the size of the mesh.
#pragma once

#include <cmath>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/evaluate/skin_pair.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/weld.h"
#include "sinew/pose_mesh.h"

namespace sinew::bench {

struct RingEnergy {
  double elastic = 0;  // Σ |e - R ē|² / Σ |ē|² over edges e of rings: as-rigid-as-possible energy
  double bumps = 0;    // root of Σ |L x - R L x̄|² / Σ mean |ē|²: how far vertices leave the middle of their ring
};

struct Rings {
  std::vector<Vec3f> rest;
  std::vector<std::uint32_t> first, neighbour;
};

inline Rings rings_of(const TriangleMesh& mesh) {
  Rings rings{mesh.positions, std::vector<std::uint32_t>(mesh.vertex_count() + 1, 0), {}};
  const std::vector<Edge> edges = unique_edges(mesh.triangles);
  for (const Edge& edge : edges) {
    for (std::uint32_t end : edge) ++rings.first[end + 1];
  }
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) rings.first[v + 1] += rings.first[v];
  rings.neighbour.resize(rings.first.back());
  std::vector<std::uint32_t> next(rings.first.begin(), rings.first.end() - 1);
  for (const Edge& edge : edges) {
    rings.neighbour[next[edge[0]]++] = edge[1];
    rings.neighbour[next[edge[1]]++] = edge[0];
  }
  return rings;
}

// The rotation R that makes trace(R^T A) largest, by turning towards it step after step (Müller et al. 2016): also
// right where A is flat, as it is for the ring of a vertex on a plane.
inline Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& a) {
  Quatd q = Quatd::Identity();
  for (int step = 0; step < 60; ++step) {
    const Eigen::Matrix3d r = q.toRotationMatrix();
    Vec3d turn = Vec3d::Zero();
    double fit = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3d own = r.col(axis), wanted = a.col(axis);
      turn += own.cross(wanted);
      fit += own.dot(wanted);
    }
    turn /= std::abs(fit) + 1e-12 * a.norm() + 1e-30;
    const double angle = std::min(1.0, turn.norm());
    if (angle < 1e-9) break;
    q = (Quatd(Eigen::AngleAxisd(angle, turn.normalized())) * q).normalized();
  }
  return q.toRotationMatrix();
}

struct RingSums {
  double stretched = 0, lengths = 0, bumps = 0, ring_lengths = 0;
};

inline void add_ring(const Rings& rings, const std::vector<Vec3f>& posed, std::size_t v, RingSums& sums) {
  const std::uint32_t begin = rings.first[v], end = rings.first[v + 1];
  if (begin == end) return;
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  Vec3d mean_rest = Vec3d::Zero(), mean_posed = Vec3d::Zero();
  double rest_square = 0, posed_square = 0;
  for (std::uint32_t n = begin; n < end; ++n) {
    const Vec3d rest = (rings.rest[rings.neighbour[n]] - rings.rest[v]).cast<double>();
    const Vec3d moved = (posed[rings.neighbour[n]] - posed[v]).cast<double>();
    covariance += rest * moved.transpose();
    mean_rest += rest;
    mean_posed += moved;
    rest_square += rest.squaredNorm();
    posed_square += moved.squaredNorm();
  }
  const Eigen::Matrix3d rotation = nearest_rotation(covariance.transpose());
  const double count = end - begin;
  sums.stretched += std::max(0.0, rest_square + posed_square - 2.0 * (rotation * covariance).trace());
  sums.lengths += rest_square;
  sums.bumps += (mean_posed / count - rotation * mean_rest / count).squaredNorm();
  sums.ring_lengths += rest_square / count;
}

inline RingEnergy ring_energy(const Character& character, const std::vector<Pose>& poses) {
  const SkinnedSurface surface = skinned_surface(character);
  const Weld weld = weld_positions(surface.mesh.positions);
  const Rings rings = rings_of(welded_mesh(surface.mesh, weld));
  const SkinWeights weights = scatter(surface.weights, weld.representative);
  std::vector<RingSums> sums(poses.size());
  parallel_for(poses.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pose = begin; pose < end; ++pose) {
      const std::vector<Vec3f> posed =
          pose_positions(rings.rest, weights, skinning_transforms(character.skeleton, poses[pose]));
      for (std::size_t v = 0; v < rings.rest.size(); ++v) add_ring(rings, posed, v, sums[pose]);
    }
  });
  RingSums total;
  for (const RingSums& part : sums) {
    total.stretched += part.stretched;
    total.lengths += part.lengths;
    total.bumps += part.bumps;
    total.ring_lengths += part.ring_lengths;
  }
  return {total.stretched / total.lengths, std::sqrt(total.bumps / total.ring_lengths)};
}

}  // namespace sinew::bench
