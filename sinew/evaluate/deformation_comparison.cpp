#include "sinew/evaluate/deformation_comparison.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/weld.h"
#include "sinew/pose_mesh.h"

namespace sinew {
namespace {

constexpr std::size_t compared_per_report = 16;
constexpr double same_joint = 1e-6;  // of the diagonal: joints this near differ by rounding only

struct PoseDifference {
  double distance_sum = 0;
  double max_distance = 0;
  std::size_t worst_vertex = 0;
  double chamfer = 0;
  double els = 1;
  std::vector<float> distances;  // per vertex
};

// Mean distance from each point of `from` to the nearest of `to`. Point i of `to` is usually near point i of `from`,
// so that its distance bounds the search.
double mean_nearest(const std::vector<Vec3f>& from, const std::vector<Vec3f>& to, const NearestPoints& to_tree) {
  double sum = 0;
  for (std::size_t vertex = 0; vertex < from.size(); ++vertex) {
    NearPoint near{static_cast<std::uint32_t>(vertex), (from[vertex] - to[vertex]).cast<double>().norm()};
    if (near.distance > 0) to_tree.nearest(from[vertex], near, near.distance);
    sum += near.distance;
  }
  return sum / from.size();
}

// The edges of the welded surface, as pairs of the mesh's own vertices: a seam's edge counts once.
std::vector<Edge> welded_edges(const TriangleMesh& mesh) {
  const Weld weld = weld_positions(mesh.positions);
  std::vector<Edge> edges = unique_edges(welded_mesh(mesh, weld).triangles);
  for (Edge& edge : edges) edge = {weld.representative[edge[0]], weld.representative[edge[1]]};
  return edges;
}

double edge_length_score(const std::vector<Vec3f>& candidate, const std::vector<Vec3f>& truth,
                         const std::vector<Edge>& edges) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& [a, b] : edges) {
    const double truth_length = (truth[a] - truth[b]).cast<double>().norm();
    if (!(truth_length > 0)) continue;
    const double candidate_length = (candidate[a] - candidate[b]).cast<double>().norm();
    sum += 1.0 - std::abs(candidate_length / truth_length - 1.0);
    ++count;
  }
  return count > 0 ? sum / count : 1.0;
}

PoseDifference score_pose(const SkinPair& pair, const Pose& pose, const std::vector<Edge>& edges) {
  const std::vector<Affine3d> transforms = skinning_transforms(pair.truth_skeleton, pose);
  const std::vector<Vec3f> truth = pose_positions(pair.mesh.positions, pair.truth, transforms);
  const std::vector<Vec3f> candidate =
      pose_positions(pair.mesh.positions, pair.candidate, candidate_transforms(pair, transforms));
  PoseDifference score;
  score.distances.resize(truth.size());
  for (std::size_t vertex = 0; vertex < truth.size(); ++vertex) {
    const double distance = (candidate[vertex] - truth[vertex]).cast<double>().norm();
    score.distances[vertex] = static_cast<float>(distance);
    score.distance_sum += distance;
    if (distance > score.max_distance) {
      score.max_distance = distance;
      score.worst_vertex = vertex;
    }
  }
  if (score.max_distance > 0) {
    score.chamfer = 0.5 * (mean_nearest(candidate, truth, NearestPoints(truth)) +
                           mean_nearest(truth, candidate, NearestPoints(candidate)));
    score.els = edge_length_score(candidate, truth, edges);
  }
  return score;
}

}  // namespace

std::vector<Affine3d> candidate_transforms(const SkinPair& pair, const std::vector<Affine3d>& truth_transforms) {
  const Skeleton& candidate = pair.candidate_skeleton;
  const int count = candidate.joint_count();
  std::vector<Affine3d> result(count, Affine3d::Identity());
  std::vector<int> nearest_matched(count, -1);  // the joint itself or its nearest ancestor that has a match
  std::vector<char> same(count, 0);             // the joint and all matched ancestors lie where the truth's do
  for (int joint = 0; joint < count; ++joint) {
    const int parent = candidate.parents[joint];
    const int match = pair.joints.truth_of[joint];
    const int above = parent >= 0 ? nearest_matched[parent] : -1;
    nearest_matched[joint] = match >= 0 ? joint : above;
    if (match < 0) {
      if (parent >= 0) result[joint] = result[parent];
      continue;
    }
    // The joint goes where its ancestor takes it, plus what the truth's joint moves relative to the truth's ancestor
    // (a translation in the motion, or joints in between that the candidate does not have).
    const Vec3d truth_rest = pair.truth_skeleton.position(match);
    const Vec3d truth_posed = truth_transforms[match] * truth_rest;
    const Vec3d rest = candidate.position(joint);
    same[joint] = (above < 0 || same[above]) && (rest - truth_rest).norm() <= same_joint * pair.diagonal;
    if (same[joint]) {
      result[joint] = truth_transforms[match];
      continue;
    }
    Vec3d posed;
    if (above < 0) {
      posed = truth_transforms[match] * rest;
    } else {
      posed = result[above] * rest + truth_posed - truth_transforms[pair.joints.truth_of[above]] * truth_rest;
    }
    result[joint].linear() = truth_transforms[match].linear();
    result[joint].translation() = posed - truth_transforms[match].linear() * rest;
  }
  return result;
}

DeformationComparison compare_deformation(const SkinPair& pair, const std::vector<Pose>& poses,
                                          const Progress& progress) {
  if (poses.empty()) throw Error(ErrorCode::motion_missing, "there is no pose to compare deformation in");
  const std::vector<Edge> edges = welded_edges(pair.mesh);
  std::vector<PoseDifference> scores(poses.size());
  DeformationComparison result;
  result.ade_per_vertex.assign(pair.mesh.vertex_count(), 0.0);
  for (std::size_t first = 0; first < poses.size(); first += compared_per_report) {
    progress(static_cast<double>(first) / poses.size(), "posing both skins");
    const std::size_t count = std::min(compared_per_report, poses.size() - first);
    parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = first + begin; at < first + end; ++at) scores[at] = score_pose(pair, poses[at], edges);
    });
    for (std::size_t at = first; at < first + count; ++at) {
      for (std::size_t vertex = 0; vertex < result.ade_per_vertex.size(); ++vertex) {
        result.ade_per_vertex[vertex] += scores[at].distances[vertex] / pair.diagonal;
      }
      scores[at].distances = {};
    }
  }
  result.poses = poses.size();
  result.els = 0;
  const std::size_t vertices = pair.mesh.vertex_count();
  for (std::size_t pose = 0; pose < poses.size(); ++pose) {
    const PoseDifference& score = scores[pose];
    result.ade_per_pose.push_back(score.distance_sum / vertices / pair.diagonal);
    result.mde_per_pose.push_back(score.max_distance / pair.diagonal);
    result.ade += result.ade_per_pose.back();
    result.chamfer += score.chamfer / pair.diagonal;
    result.els += score.els;
    if (result.mde_per_pose.back() > result.mde) {
      result.mde = result.mde_per_pose.back();
      result.worst_pose = pose;
      result.worst_vertex = score.worst_vertex;
    }
  }
  const auto count = static_cast<double>(poses.size());
  result.ade /= count;
  result.chamfer /= count;
  result.els /= count;
  for (double& distance : result.ade_per_vertex) distance /= count;
  return result;
}

}  // namespace sinew
