#include "sinew/evaluate/skin_quality.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/mesh/components.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr double same_weights = 1e-3;  // half L1 distance up to which two vertices move as one
constexpr std::size_t elements_per_task = 1024;

// Half the L1 distance between two vertices' weights: 0 for the same, 1 for no joint in common.
double step(const SkinWeights& weights, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t slot = a * weights.influences; slot < (a + 1) * weights.influences; ++slot) {
    if (weights.weights[slot] > 0) sum += std::abs(weights.weights[slot] - weights.weight_of(b, weights.joints[slot]));
  }
  for (std::size_t slot = b * weights.influences; slot < (b + 1) * weights.influences; ++slot) {
    if (weights.weights[slot] > 0 && weights.weight_of(a, weights.joints[slot]) == 0) sum += weights.weights[slot];
  }
  return 0.5 * sum;
}

bool has_weight(const SkinWeights& weights, std::size_t vertex) {
  return weights.weights[vertex * weights.influences] > 0;  // strongest first
}

std::size_t count_split_seams(const SkinWeights& weights, const Weld& weld) {
  std::vector<char> split(weld.welded_count(), 0);
  for (std::size_t vertex = 0; vertex < weld.welded_of.size(); ++vertex) {
    const std::uint32_t first = weld.representative[weld.welded_of[vertex]];
    if (first != vertex && step(weights, first, vertex) > same_weights) split[weld.welded_of[vertex]] = 1;
  }
  return std::count(split.begin(), split.end(), char{1});
}

void assess_islands(const TriangleMesh& mesh, const SkinWeights& weights, SkinQuality& quality) {
  const Components components = connected_components(mesh.vertex_count(), mesh.triangles);
  struct Island {
    std::size_t first = 0, vertices = 0, weighted = 0;
    bool rigid = true, has_triangle = false;
  };
  std::vector<Island> islands(components.count);
  for (std::size_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    Island& island = islands[components.component_of[vertex]];
    if (island.vertices++ == 0) island.first = vertex;
    island.weighted += has_weight(weights, vertex);
    island.rigid = island.rigid && step(weights, island.first, vertex) <= same_weights;
  }
  for (const Triangle& triangle : mesh.triangles) islands[components.component_of[triangle[0]]].has_triangle = true;
  for (const Island& island : islands) {
    if (!island.has_triangle) continue;  // a lone vertex is no surface
    ++quality.islands;
    quality.unweighted_islands += island.weighted == 0;
    quality.partial_islands += island.weighted > 0 && island.weighted < island.vertices;
    quality.rigid_islands += island.rigid && island.weighted > 0;
  }
}

// Σ_j ∫ |∇w_j|² over one triangle: the gradient of a linear function is Σ_corners w (normal × opposite edge) / 2 area.
double dirichlet_energy(const TriangleMesh& mesh, const SkinWeights& weights, const Triangle& triangle,
                        double smallest_area) {
  Vec3d corners[3];
  for (int corner = 0; corner < 3; ++corner) corners[corner] = mesh.positions[triangle[corner]].cast<double>();
  const double area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
  if (!(area > smallest_area)) return 0.0;
  std::vector<int> joints;
  for (const std::uint32_t vertex : triangle) {
    for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1ul) * weights.influences; ++slot) {
      if (weights.weights[slot] > 0) joints.push_back(weights.joints[slot]);
    }
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  double energy = 0;
  for (const int joint : joints) {
    Vec3d sum = Vec3d::Zero();
    for (int corner = 0; corner < 3; ++corner) {
      sum += static_cast<double>(weights.weight_of(triangle[corner], joint)) *
             (corners[(corner + 2) % 3] - corners[(corner + 1) % 3]);
    }
    energy += sum.squaredNorm() / (4 * area);
  }
  return energy;
}

double mean_roughness(const std::vector<Edge>& edges, const SkinWeights& weights) {
  const std::size_t count = weights.vertex_count();
  std::vector<std::vector<std::uint32_t>> neighbours(count);
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  const double sum = parallel_sum(count, elements_per_task, [&](std::size_t begin, std::size_t end) {
    double block = 0;
    std::vector<std::pair<int, double>> difference;  // joint, weight here minus mean of the neighbours' weights
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      difference.clear();
      const auto add = [&](std::size_t from, double factor) {
        for (std::size_t slot = from * weights.influences; slot < (from + 1) * weights.influences; ++slot) {
          if (weights.weights[slot] > 0) difference.emplace_back(weights.joints[slot], factor * weights.weights[slot]);
        }
      };
      if (neighbours[vertex].empty()) continue;
      add(vertex, 1.0);
      for (const std::uint32_t other : neighbours[vertex]) add(other, -1.0 / neighbours[vertex].size());
      std::sort(difference.begin(), difference.end());
      for (std::size_t i = 0, next = 0; i < difference.size(); i = next) {
        double entry = 0;
        for (; next < difference.size() && difference[next].first == difference[i].first; ++next) {
          entry += difference[next].second;
        }
        block += 0.5 * std::abs(entry);
      }
    }
    return block;
  });
  return count > 0 ? sum / count : 0.0;
}

void assess_smoothness(const TriangleMesh& mesh, const SkinWeights& weights, SkinQuality& quality) {
  const double diagonal = bounding_diagonal(mesh);
  const double smallest_area = 1e-12 * diagonal * diagonal;  // slivers below this are numerical dust
  quality.dirichlet = parallel_sum(mesh.triangles.size(), elements_per_task, [&](std::size_t begin, std::size_t end) {
    double block = 0;
    for (std::size_t i = begin; i < end; ++i)
      block += dirichlet_energy(mesh, weights, mesh.triangles[i], smallest_area);
    return block;
  });
  if (quality.used_joints > 0) quality.dirichlet /= quality.used_joints;
  const std::vector<Edge> edges = unique_edges(mesh.triangles);
  for (const auto& [a, b] : edges) quality.largest_step = std::max(quality.largest_step, step(weights, a, b));
  quality.roughness = mean_roughness(edges, weights);
}

int count_used_joints(const SkinWeights& weights, int joint_count, double threshold) {
  std::vector<char> used(joint_count, 0);
  for (std::size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] > threshold) used[weights.joints[slot]] = 1;
  }
  return static_cast<int>(std::count(used.begin(), used.end(), char{1}));
}

}  // namespace

SkinQuality assess_skin(const Character& character, double threshold) {
  const SkinnedSurface surface = skinned_surface(character);
  const Skeleton& skeleton = character.skeleton;
  SkinQuality quality;
  quality.vertices = surface.mesh.vertex_count();
  quality.left_out = surface.left_out;
  quality.influences = count_influences(surface.weights, threshold);
  quality.coverage = 1.0 - static_cast<double>(quality.influences.unweighted) / quality.vertices;
  quality.joints = static_cast<int>(std::count(skeleton.kinds.begin(), skeleton.kinds.end(), JointKind::joint));
  quality.used_joints = count_used_joints(surface.weights, skeleton.joint_count(), threshold);

  const Weld weld = weld_positions(surface.mesh.positions);
  quality.split_seams = count_split_seams(surface.weights, weld);
  const TriangleMesh mesh = welded_mesh(surface.mesh, weld);
  // A welded vertex has the weights of its first vertex.
  const SkinWeights weights = scatter(surface.weights, weld.representative);
  assess_islands(mesh, weights, quality);
  assess_smoothness(mesh, weights, quality);
  return quality;
}

}  // namespace sinew
