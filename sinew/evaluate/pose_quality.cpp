#include "sinew/evaluate/pose_quality.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/parallel.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/self_intersections.h"
#include "sinew/mesh/volume.h"
#include "sinew/mesh/weld.h"
#include "sinew/pose_mesh.h"

namespace sinew {
namespace {

constexpr std::size_t poses_per_report = 16;
constexpr double largest_stretch = 7.0;
constexpr std::size_t stretch_bins = 3500;  // of 0.002 each
constexpr double smallest_volume = 1e-5;    // of the cube of the diagonal: below, a surface encloses nothing

// The skinned surface as one welded mesh.
struct WeldedSkin {
  TriangleMesh mesh;
  SkinWeights weights;
  std::vector<Edge> edges;
  std::vector<double> rest_lengths;  // of the edges

  explicit WeldedSkin(const Character& character) {
    const SkinnedSurface surface = skinned_surface(character);
    const Weld weld = weld_positions(surface.mesh.positions);
    mesh = welded_mesh(surface.mesh, weld);
    weights = scatter(surface.weights, weld.representative);
    edges = unique_edges(mesh.triangles);
    for (const Edge& edge : edges) rest_lengths.push_back(length(mesh.positions, edge));
  }

  static double length(const std::vector<Vec3f>& positions, const Edge& edge) {
    return (positions[edge[0]] - positions[edge[1]]).cast<double>().norm();
  }
};

using Posing = std::function<std::vector<Vec3f>(std::size_t pose)>;  // the welded skin in one of the poses

struct PoseScore {
  double stretch_sum = 0;
  double stretch_max = 0;
  std::vector<std::uint32_t> stretch_counts;  // per bin
  double volume = 0;
};

void score_stretch(const WeldedSkin& skin, const std::vector<Vec3f>& posed, PoseScore& score) {
  score.stretch_counts.assign(stretch_bins + 1, 0);
  for (std::size_t edge = 0; edge < skin.edges.size(); ++edge) {
    const double ratio = WeldedSkin::length(posed, skin.edges[edge]) / skin.rest_lengths[edge];
    const double stretch = ratio > 0 ? std::min(std::abs(std::log(ratio)), largest_stretch) : largest_stretch;
    score.stretch_sum += stretch;
    score.stretch_max = std::max(score.stretch_max, stretch);
    ++score.stretch_counts[static_cast<std::size_t>(std::ceil(stretch * stretch_bins / largest_stretch))];
  }
}

// The smallest bin border below which `share` of everything counted lies.
double quantile(const std::vector<PoseScore>& scores, double share, double total) {
  double below = 0;
  for (std::size_t bin = 0; bin <= stretch_bins; ++bin) {
    for (const PoseScore& score : scores) below += score.stretch_counts[bin];
    if (below >= share * total) return bin * largest_stretch / stretch_bins;
  }
  return 0.0;
}

void summarise_stretch(const std::vector<PoseScore>& scores, std::size_t edges, PoseQuality& result) {
  if (edges == 0) return;
  for (std::size_t pose = 0; pose < scores.size(); ++pose) {
    result.stretch_per_pose.push_back(scores[pose].stretch_sum / edges);
    result.stretch_mean += result.stretch_per_pose.back() / scores.size();
    if (scores[pose].stretch_max > result.stretch_max) {
      result.stretch_max = scores[pose].stretch_max;
      result.worst_stretch_pose = pose;
    }
  }
  result.stretch_p95 = std::min(result.stretch_max, quantile(scores, 0.95, static_cast<double>(edges) * scores.size()));
}

void summarise_volume(const std::vector<PoseScore>& scores, double rest_volume, PoseQuality& result) {
  PoseVolumeChange change;
  for (std::size_t pose = 0; pose < scores.size(); ++pose) {
    const double relative = std::abs(scores[pose].volume / rest_volume - 1.0);
    change.mean += relative / scores.size();
    if (relative > change.max) {
      change.max = relative;
      change.worst_pose = pose;
    }
  }
  result.volume_change = change;
}

// Evenly chosen indices of at most `limit` out of `count` poses, the first and the last among them.
std::vector<std::size_t> chosen(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> indices;
  const std::size_t kept = std::min(count, limit);
  for (std::size_t i = 0; i < kept; ++i) indices.push_back(kept > 1 ? i * (count - 1) / (kept - 1) : 0);
  return indices;
}

PoseIntersections count_intersections(const Posing& posing, const WeldedSkin& skin,
                                      const std::vector<std::size_t>& indices, const Progress& progress) {
  const std::vector<Triangle>& triangles = skin.mesh.triangles;
  const std::vector<std::uint8_t> rest = self_intersecting_triangles(skin.mesh.positions, triangles);
  PoseIntersections result;
  result.poses = indices.size();
  result.at_rest = std::count(rest.begin(), rest.end(), std::uint8_t{1});
  for (std::size_t i = 0; i < indices.size(); ++i) {
    progress(static_cast<double>(i) / indices.size(), "looking for self-intersections");
    const std::vector<std::uint8_t> posed = self_intersecting_triangles(posing(indices[i]), triangles);
    std::size_t fresh = 0;
    for (std::size_t triangle = 0; triangle < triangles.size(); ++triangle) fresh += posed[triangle] > rest[triangle];
    const double share = static_cast<double>(fresh) / triangles.size();
    result.mean += share / indices.size();
    if (share > result.max) {
      result.max = share;
      result.worst_pose = indices[i];
    }
  }
  return result;
}

}  // namespace

PoseQuality assess_poses(const Character& character, const std::vector<Pose>& poses, const PoseQualityOptions& options,
                         const Progress& progress) {
  if (poses.empty()) throw Error(ErrorCode::motion_missing, "there is no pose to assess the skin in");
  const WeldedSkin skin(character);
  const EnclosedVolume volume(skin.mesh.vertex_count(), skin.mesh.triangles);
  const Posing posing = [&](std::size_t pose) {
    return pose_positions(skin.mesh.positions, skin.weights, skinning_transforms(character.skeleton, poses[pose]));
  };
  std::vector<PoseScore> scores(poses.size());
  const Progress posing_progress = progress.part(0.0, 0.3);
  for (std::size_t first = 0; first < poses.size(); first += poses_per_report) {
    posing_progress(static_cast<double>(first) / poses.size(), "posing the skin");
    parallel_for(std::min(poses_per_report, poses.size() - first), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t pose = first + begin; pose < first + end; ++pose) {
        const std::vector<Vec3f> posed = posing(pose);
        score_stretch(skin, posed, scores[pose]);
        scores[pose].volume = volume(posed);
      }
    });
  }
  PoseQuality result;
  result.poses = poses.size();
  result.holes = volume.hole_count();
  summarise_stretch(scores, skin.edges.size(), result);
  const double rest_volume = volume(skin.mesh.positions);
  if (std::abs(rest_volume) > smallest_volume * std::pow(bounding_diagonal(skin.mesh), 3)) {
    summarise_volume(scores, rest_volume, result);
  }
  if (options.intersection_poses > 0 && !skin.mesh.is_point_cloud()) {
    result.self_intersections =
        count_intersections(posing, skin, chosen(poses.size(), options.intersection_poses), progress.part(0.3, 1.0));
  }
  return result;
}

}  // namespace sinew
