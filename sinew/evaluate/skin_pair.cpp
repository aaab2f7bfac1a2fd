#include "sinew/evaluate/skin_pair.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {
namespace {

constexpr double same_place =
    1e-5;  // of the diagonal: more than float rounding and quantised positions, less than detail
constexpr double other_place = 0.1;           // mean distance from which the surfaces cannot be the same character
constexpr double noticeable_distance = 1e-3;  // largest distance from which the reader should know

// Takes the weights of `from` to the vertices of `to`.
class WeightTransfer {
 public:
  WeightTransfer(const SkinnedSurface& from, const TriangleMesh& to, double diagonal)
      : from_(from), to_(to), tolerance_(same_place * diagonal), points_(from.mesh.positions) {
    if (!from.mesh.is_point_cloud()) scene_ = std::make_unique<RayScene>(from.mesh.positions, from.mesh.triangles);
  }

  SkinWeights run(VertexMatch& match) const {
    const std::size_t count = to_.vertex_count();
    SkinWeights result = make_skin_weights(count, 3 * from_.weights.influences);
    std::vector<double> distances(count);
    std::vector<char> on_vertex(count);
    parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
      std::vector<NearPoint> near;
      for (std::size_t vertex = begin; vertex < end; ++vertex) {
        points_.within(to_.positions[vertex], tolerance_, near);
        on_vertex[vertex] = !near.empty();
        distances[vertex] = near.empty() ? take_closest(vertex, result) : take_most_similar(vertex, near, result);
      }
    });
    match.on_vertex = std::count(on_vertex.begin(), on_vertex.end(), char{1});
    match.on_surface = count - match.on_vertex;
    for (const double distance : distances) {
      match.mean_distance += distance / count;
      match.max_distance = std::max(match.max_distance, distance);
    }
    return result;
  }

 private:
  void append(std::size_t vertex, double factor, std::vector<Influence>& list) const {
    const SkinWeights& weights = from_.weights;
    for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1) * weights.influences; ++slot) {
      list.push_back({weights.joints[slot], factor * weights.weights[slot]});
    }
  }

  double take_most_similar(std::size_t vertex, const std::vector<NearPoint>& near, SkinWeights& result) const {
    const NearPoint* best = nullptr;
    double best_difference = 0;
    for (const NearPoint& point : near) {
      const double difference = attribute_difference(vertex, point.index);
      if (!best || difference < best_difference) {
        best = &point;
        best_difference = difference;
      }
    }
    std::vector<Influence> list;
    append(best->index, 1.0, list);
    set_influences(result, vertex, std::move(list));
    return best->distance;
  }

  double attribute_difference(std::size_t vertex, std::size_t other) const {
    double difference = 0;
    if (!to_.normals.empty() && !from_.mesh.normals.empty()) {
      difference += (to_.normals[vertex] - from_.mesh.normals[other]).norm();
    }
    if (!to_.uvs.empty() && !from_.mesh.uvs.empty()) difference += (to_.uvs[vertex] - from_.mesh.uvs[other]).norm();
    return difference;
  }

  double take_closest(std::size_t vertex, SkinWeights& result) const {
    std::vector<Influence> list;
    double distance = 0;
    ClosestPoint closest;
    NearPoint point;
    if (scene_ && scene_->closest_point(to_.positions[vertex], closest)) {
      for (int corner = 0; corner < 3; ++corner) {
        append(from_.mesh.triangles[closest.triangle][corner], closest.barycentric[corner], list);
      }
      distance = closest.distance;
    } else if (points_.nearest(to_.positions[vertex], point)) {
      append(point.index, 1.0, list);
      distance = point.distance;
    }
    set_influences(result, vertex, std::move(list));
    return distance;
  }

  const SkinnedSurface& from_;
  const TriangleMesh& to_;
  double tolerance_;
  NearestPoints points_;
  std::unique_ptr<RayScene> scene_;
};

bool in_same_order(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  if (a.vertex_count() != b.vertex_count()) return false;
  for (std::size_t vertex = 0; vertex < a.vertex_count(); ++vertex) {
    if (!((a.positions[vertex] - b.positions[vertex]).norm() <= tolerance)) return false;
  }
  return true;
}

void match_vertices(const SkinnedSurface& candidate, SkinPair& pair) {
  VertexMatch& match = pair.vertices;
  if (in_same_order(candidate.mesh, pair.mesh, same_place * pair.diagonal)) {
    match.same_order = true;
    match.on_vertex = pair.mesh.vertex_count();
    pair.candidate = candidate.weights;
    return;
  }
  pair.candidate = WeightTransfer(candidate, pair.mesh, pair.diagonal).run(match);
  match.mean_distance /= pair.diagonal;
  match.max_distance /= pair.diagonal;
  if (match.mean_distance > other_place) {
    throw Error(ErrorCode::characters_differ,
                "the candidate's mesh is not where the truth's mesh is (mean distance " +
                    number_text(match.mean_distance) + " of the diagonal)",
                "compare the same character in the same unit and rest pose");
  }
  if (match.max_distance > noticeable_distance) {
    pair.warnings.push_back({"meshes-differ", "the meshes differ by up to " + number_text(match.max_distance) +
                                                  " of the diagonal; weights were taken from the closest points"});
  }
}

}  // namespace

SkinPair pair_skins(const Character& candidate, const Character& truth) {
  SkinPair pair;
  pair.truth_skeleton = truth.skeleton;
  pair.candidate_skeleton = candidate.skeleton;
  pair.joints = match_joints(candidate.skeleton, truth.skeleton);
  if (pair.joints.matched() == 0) {
    throw Error(
        ErrorCode::skeletons_differ, "the candidate and the truth have no joint name in common",
        "candidate: " + (candidate.skeleton.empty() ? "no joints" : "'" + candidate.skeleton.names[0] + "', …") +
            "; truth: " + (truth.skeleton.empty() ? "no joints" : "'" + truth.skeleton.names[0] + "', …"));
  }
  SkinnedSurface truth_surface = skinned_surface(truth);
  const SkinnedSurface candidate_surface = skinned_surface(candidate);
  pair.mesh = std::move(truth_surface.mesh);
  pair.truth = std::move(truth_surface.weights);
  pair.original = std::move(truth_surface.original);
  pair.diagonal = bounding_diagonal(pair.mesh);
  if (!(pair.diagonal > 0) || !std::isfinite(pair.diagonal)) {
    throw Error(ErrorCode::mesh_degenerate, "the truth's mesh has no extent");
  }
  match_vertices(candidate_surface, pair);
  if (truth_surface.left_out > 0) {
    pair.warnings.push_back({"parts-left-out", std::to_string(truth_surface.left_out) +
                                                   " vertices of parts that are not skinned were left out"});
  }
  return pair;
}

}  // namespace sinew
