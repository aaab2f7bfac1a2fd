#include "sinew/weights/heat/heat.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/sparse_cholesky.h"
#include "sinew/mesh/laplacian.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/ray_scene.h"
#include "sinew/weights/attached_pieces.h"
#include "sinew/weights/heat/heat_sources.h"
#include "sinew/weights/limit_influences.h"

namespace sinew {
namespace {

// Components in which no vertex sees a bone.
std::vector<char> cold_components(const BindInput& input, const HeatSources& sources) {
  std::vector<char> cold(input.components.count, 1);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    if (sources.begin[v + 1] > sources.begin[v]) cold[input.components.component_of[v]] = 0;
  }
  return cold;
}

// Pieces without a source take the weights of the nearest surface that has some: eyes, teeth, buttons under a coat.
void take_from_nearest_surface(const BindInput& input, const std::vector<char>& cold, SkinWeights& weights,
                               Warnings& warnings) {
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    if (cold[input.components.component_of[v]]) vertices.push_back(v);
  }
  if (vertices.empty()) return;
  std::vector<Triangle> warm;
  for (const Triangle& t : input.mesh.triangles) {
    if (!cold[input.components.component_of[t[0]]]) warm.push_back(t);
  }
  const RayScene scene(input.mesh.positions, warm);
  for (std::uint32_t v : vertices) {
    ClosestPoint closest;
    std::vector<Influence> influences;
    if (scene.closest_point(input.mesh.positions[v], closest)) {
      for (int corner = 0; corner < 3; ++corner) {
        const std::size_t from = static_cast<std::size_t>(warm[closest.triangle][corner]) * weights.influences;
        for (int slot = 0; slot < weights.influences; ++slot) {
          influences.push_back({weights.joints[from + slot],
                                static_cast<double>(weights.weights[from + slot]) * closest.barycentric[corner]});
        }
      }
    }
    if (set_influences(weights, v, influences)) continue;
    const auto nearest = std::min_element(input.bones.begin(), input.bones.end(), [&](const auto& a, const auto& b) {
      const Vec3d p = input.mesh.positions[v].cast<double>();
      return closest_point_on_bone(a, p).distance < closest_point_on_bone(b, p).distance;
    });
    set_influences(weights, v, {{static_cast<std::uint16_t>(nearest->joint), 1.0}});
  }
  const auto pieces = std::count(cold.begin(), cold.end(), 1);
  warnings.push_back({"pieces-without-bone", std::to_string(pieces) + " of " + std::to_string(cold.size()) +
                                                 " pieces of the mesh see no bone; they follow the nearest surface"});
}

// Triangle soups: pieces of a few vertices exchange heat with what lies within an edge length, as if they were joined.
void bridge_small_pieces(const BindInput& input, Laplacian& laplacian) {
  constexpr std::size_t small_piece = 8, most_bridges = 6;
  constexpr double conductance = 0.5;  // of a bridge; an edge of a regular mesh has 0.58
  std::vector<std::size_t> size(input.components.count, 0);
  for (std::uint32_t component : input.components.component_of) ++size[component];
  if (std::none_of(size.begin(), size.end(), [](std::size_t s) { return s < small_piece; })) return;
  double length = 0;
  for (const Triangle& t : input.mesh.triangles) {
    for (int s = 0; s < 3; ++s) length += (input.mesh.positions[t[s]] - input.mesh.positions[t[(s + 1) % 3]]).norm();
  }
  length /= 3.0 * static_cast<double>(std::max<std::size_t>(input.mesh.triangles.size(), 1));
  const NearestPoints points(input.mesh.positions);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<NearPoint> near;
  for (std::uint32_t v = 0; v < input.vertex_count(); ++v) {
    const std::uint32_t own = input.components.component_of[v];
    if (size[own] >= small_piece) continue;
    points.within(input.mesh.positions[v], length, near);
    std::erase_if(near, [&](const NearPoint& p) { return input.components.component_of[p.index] == own; });
    std::stable_sort(near.begin(), near.end(),
                     [](const NearPoint& a, const NearPoint& b) { return a.distance < b.distance; });
    for (std::size_t i = 0; i < std::min(near.size(), most_bridges); ++i) {
      const std::uint32_t other = near[i].index;
      entries.emplace_back(v, v, conductance);
      entries.emplace_back(other, other, conductance);
      entries.emplace_back(v, other, -conductance);
      entries.emplace_back(other, v, -conductance);
    }
  }
  Eigen::SparseMatrix<double> bridges(laplacian.stiffness.rows(), laplacian.stiffness.cols());
  bridges.setFromTriplets(entries.begin(), entries.end());
  laplacian.stiffness += bridges;
}

// What the skin takes from its bones: the diagonal of H.
Eigen::VectorXd heat_taken(const HeatSystem& system, double strength) {
  // Vertices without area (isolated, or of degenerate triangles only) still need a row that can be solved.
  const double least_mass = 1e-12;
  Eigen::VectorXd heat(system.laplacian.mass.size());
  for (Eigen::Index v = 0; v < heat.size(); ++v) {
    const double distance = system.sources.distance[v];
    const double mass = std::max(system.laplacian.mass[v], least_mass);
    heat[v] = std::isfinite(distance) ? strength * mass / std::max(distance * distance, 1e-12) : 0.0;
  }
  return heat;
}

// −Δ + H. Never singular: rows that no heat reaches (cold components) get a negligible ground connection.
Eigen::SparseMatrix<double> heat_matrix(const HeatSystem& system, const Eigen::VectorXd& heat) {
  Eigen::SparseMatrix<double> ground(heat.size(), heat.size());
  ground.setIdentity();
  for (Eigen::Index v = 0; v < heat.size(); ++v) ground.coeffRef(v, v) = heat[v] + 1e-14;
  return system.laplacian.stiffness + ground;
}

// Temperatures: one column per joint of the system.
Eigen::MatrixXd solve_equilibrium(const BindInput& input, const HeatSystem& system, double strength,
                                  const Progress& progress) {
  const auto count = static_cast<Eigen::Index>(input.vertex_count());
  const HeatSources& sources = system.sources;
  const std::vector<int>& joints = system.joints;
  const Eigen::VectorXd heat = heat_taken(system, strength);
  progress(0.0, "factorising the heat system");
  const SparseCholesky solver(heat_matrix(system, heat), system.pattern);
  if (!solver.succeeded()) {
    throw Error(ErrorCode::no_convergence, "the heat system could not be factorised");
  }

  Eigen::MatrixXd temperature(count, static_cast<Eigen::Index>(joints.size()));
  std::vector<int> column(input.joint_count(), -1);
  for (std::size_t c = 0; c < joints.size(); ++c) column[joints[c]] = static_cast<int>(c);
  constexpr std::size_t at_once = SparseCholesky::sides_at_once;
  parallel_for(joints.size(), at_once, progress.part(0.6, 1.0), "spreading heat",
               [&](std::size_t begin, std::size_t end) {
                 SparseCholesky::Sides sides(count, static_cast<Eigen::Index>(at_once));
                 sides.setZero();
                 for (Eigen::Index v = 0; v < count; ++v) {
                   for (std::size_t s = sources.begin[v]; s < sources.begin[v + 1]; ++s) {
                     const auto c = static_cast<std::size_t>(column[sources.sources[s].joint]);
                     if (c < begin || c >= end) continue;
                     sides(v, static_cast<Eigen::Index>(c - begin)) = heat[v] * sources.sources[s].share;
                   }
                 }
                 solver.solve_in_place(sides);
                 for (std::size_t c = begin; c < end; ++c) {
                   temperature.col(static_cast<Eigen::Index>(c)) = sides.col(static_cast<Eigen::Index>(c - begin));
                 }
               });
  progress(1.0, "spreading heat");
  return temperature;
}

}  // namespace

HeatSystem make_heat_system(const BindInput& input, const Progress& progress) {
  HeatSystem system;
  system.sources = find_heat_sources(input, progress.part(0.0, 0.7));
  for (const HeatSource& source : system.sources.sources) system.joints.push_back(source.joint);
  std::sort(system.joints.begin(), system.joints.end());
  system.joints.erase(std::unique(system.joints.begin(), system.joints.end()), system.joints.end());
  progress(0.7, "building the heat system");
  if (input.mesh.is_point_cloud()) {
    system.laplacian = cloud_laplacian(input.mesh.positions);
  } else {
    system.laplacian = robust_laplacian(input.mesh.positions, input.mesh.triangles);
    bridge_small_pieces(input, system.laplacian);
  }
  stop_if_cancelled();
  system.pattern = sparse_pattern(heat_matrix(system, heat_taken(system, 1)));
  return system;
}

SkinWeights heat_weights(const BindInput& input, const HeatSystem& system, const HeatOptions& options, int slots,
                         const Progress& progress, Warnings& warnings) {
  const std::vector<int>& joints = system.joints;
  const Eigen::MatrixXd temperature = solve_equilibrium(input, system, options.strength, progress);

  SkinWeights weights = make_skin_weights(input.vertex_count(), slots);
  const std::vector<char> cold = cold_components(input, system.sources);
  parallel_for(input.vertex_count(), 512, [&](std::size_t begin, std::size_t end) {
    std::vector<Influence> influences;
    for (std::size_t v = begin; v < end; ++v) {
      if (cold[input.components.component_of[v]]) continue;
      influences.clear();
      for (std::size_t c = 0; c < joints.size(); ++c) {
        const double t = temperature(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(c));
        if (t > 1e-4) influences.push_back({static_cast<std::uint16_t>(joints[c]), t});
      }
      set_limited_influences(weights, v, influences);
    }
  });
  take_from_nearest_surface(input, cold, weights, warnings);
  attach_small_pieces(input, weights);
  return weights;
}

SkinWeights heat_weights(const BindInput& input, const HeatOptions& options, const Progress& progress,
                         Warnings& warnings) {
  const HeatSystem system = make_heat_system(input, progress.part(0.0, 0.4));
  return heat_weights(input, system, options, input.max_influences, progress.part(0.4, 0.95), warnings);
}

WeightMethod heat_method() {
  const HeatOptions defaults;
  WeightMethod method;
  method.name = "heat";
  method.summary = "bone heat: each bone warms the skin it sees, heat spreads over the surface";
  method.options = {
      {"strength", defaults.strength, "heat of a bone; larger is more rigid, smaller is softer", 1e-4, 1e4, {}}};
  method.solve = [](const BindInput& input, const MethodInputs&, const OptionValues& values, const Progress& progress) {
    MethodResult result;
    result.weights = heat_weights(input, {option<double>(values, "strength")}, progress, result.warnings);
    return result;
  };
  return method;
}

}  // namespace sinew
