#include "sinew/weights/biharmonic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/biharmonic_energy.h"
#include "sinew/weights/biharmonic_evaluate.h"
#include "sinew/weights/biharmonic_program.h"

namespace sinew {
namespace {

// Strength of the pull towards the simplex in the iteration: features of 1/6 of the local handle size are moved by the
// smooth step, smaller ones by the projection. Chosen by iteration counts; the solution does not depend on it.
constexpr double pull = 6.0;

int resolution_of(const BiharmonicOptions& options, std::size_t handles) {
  if (options.resolution > 0) return options.resolution;
  return static_cast<int>(std::min<std::size_t>(2000 + 500 * handles, 16000));
}

double handle_length(const BiharmonicHandle& handle) {
  double length = 0.0;
  for (const auto& [a, b] : handle.segments) length = std::max(length, (b - a).cast<double>().norm());
  return length;
}

// Distance inside the shape from every point to the nearest handle, and which one that is (-1: none in reach).
struct HandleDistance {
  std::vector<double> distance;
  std::vector<int> handle;
};

HandleDistance distance_to_handles(const BiharmonicPoints& points) {
  const std::size_t count = points.count();
  HandleDistance result;
  result.distance.assign(count, std::numeric_limits<double>::infinity());
  result.handle.assign(count, -1);
  std::vector<std::vector<std::uint32_t>> edges(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j : points.neighbours.row(i)) {
      edges[i].push_back(j);
      edges[j].push_back(i);
    }
  }
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (points.handle[i] < 0) continue;
    result.distance[i] = 0.0;
    result.handle[i] = points.handle[i];
    queue.emplace(0.0, i);
  }
  while (!queue.empty()) {
    const auto [distance, i] = queue.top();
    queue.pop();
    if (distance > result.distance[i]) continue;
    for (std::uint32_t j : edges[i]) {
      const double through = distance + (points.positions[i] - points.positions[j]).cast<double>().norm();
      if (through >= result.distance[j]) continue;
      result.distance[j] = through;
      result.handle[j] = result.handle[i];
      queue.emplace(through, j);
    }
  }
  return result;
}

}  // namespace

struct BiharmonicSolver::Impl {
  TriangleMesh mesh;
  std::vector<BiharmonicHandle> handles;
  BiharmonicOptions options;
  SolidDomain domain;
  SpacingField spacing;
  Warnings warnings;
  BiharmonicPoints points;
  HandleDistance reach;
  std::unique_ptr<VisibleNeighbours> visible;
  std::unique_ptr<BiharmonicMultigrid> multigrid;
  BiharmonicEvaluation at_vertices;
  ProgramState state;
  bool solved = false;
  Eigen::MatrixXd vertex_weights;

  Impl(const TriangleMesh& mesh_in, std::vector<BiharmonicHandle> handles_in, const BiharmonicOptions& options_in)
      : mesh(mesh_in),
        handles(std::move(handles_in)),
        options(options_in),
        domain(mesh),
        spacing(domain, {.target = resolution_of(options, handles.size()), .seed = options.seed}) {}

  int width() const { return static_cast<int>(handles.size()); }

  void prepare(const Progress& progress) {
    progress(0.1, "placing points");
    points = make_biharmonic_points(domain, spacing, handles, options, warnings);
    if (points.count() == 0) throw bad_input("the surface has no inside to put points into");
    visible = std::make_unique<VisibleNeighbours>(domain, points.positions);
    reach = distance_to_handles(points);
    progress(0.4, "building the energy");
    SparseRows energy = biharmonic_energy(domain, points, options.boundary);
    std::vector<double> shift(points.count());
    for (std::size_t i = 0; i < shift.size(); ++i) {
      double size = 4.0 * points.spacing[i];
      if (reach.handle[i] >= 0) size = std::max({size, reach.distance[i], handle_length(handles[reach.handle[i]])});
      shift[i] = points.volume[i] * points.insideness[i] * std::pow(pull / size, 4);
    }
    progress(0.6, "building the hierarchy");
    multigrid = std::make_unique<BiharmonicMultigrid>(points, std::move(energy), std::move(shift));
    progress(0.8, "looking from the vertices");
    const std::vector<Vec3f> normals = mesh.is_point_cloud() ? std::vector<Vec3f>(mesh.vertex_count(), Vec3f::Zero())
                                                             : vertex_normals(mesh.positions, mesh.triangles);
    at_vertices = evaluate_vertices(domain, points, *visible, spacing, mesh.positions, normals);
  }

  // Given rows: handles, and what else is known.
  Columns handle_values() const {
    Columns values = Columns::Zero(static_cast<Eigen::Index>(points.count()), width());
    for (std::size_t i = 0; i < points.count(); ++i) {
      if (points.handle[i] >= 0) values(i, points.handle[i]) = 1.0;
    }
    return values;
  }

  BiharmonicReport solve(const std::vector<BiharmonicPin>&, const Progress& progress) {
    BiharmonicReport report;
    report.points = points.count();
    ProgramOptions program;
    program.tolerance = options.tolerance;
    const Columns values = handle_values();
    ProgramReport outcome = solve_program(*multigrid, values, program, progress.part(0.0, 0.8), state);
    if (options.max_influences > 0 && options.max_influences < width()) {
      program.max_influences = options.max_influences;
      program.max_iterations = 10;
      outcome = continue_program(*multigrid, values, program, progress.part(0.8, 0.95), state);
    }
    report.iterations = outcome.iterations[0];
    report.energy = outcome.energy;
    solved = true;

    Columns at;
    multiply(at_vertices.weights, state.weights, at);
    fade_to_handles(domain, spacing, handles, mesh.positions, at_vertices.eyes, at);
    report.filled_vertices = fill_unseen(mesh, points, state.weights, at_vertices.sees_points, at);
    parallel_for(static_cast<std::size_t>(at.rows()), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        project_to_simplex(at.data() + i * at.cols(), width(), options.max_influences);
      }
    });
    vertex_weights = at;
    return report;
  }
};

BiharmonicSolver::BiharmonicSolver(const TriangleMesh& mesh, std::vector<BiharmonicHandle> handles,
                                   const BiharmonicOptions& options, const Progress& progress) {
  if (handles.empty()) throw bad_input("there are no handles to compute weights for");
  progress(0.0, "looking at the surface");
  impl_ = std::make_unique<Impl>(mesh, std::move(handles), options);
  impl_->prepare(progress);
}
BiharmonicSolver::~BiharmonicSolver() = default;
BiharmonicSolver::BiharmonicSolver(BiharmonicSolver&&) noexcept = default;
BiharmonicSolver& BiharmonicSolver::operator=(BiharmonicSolver&&) noexcept = default;

BiharmonicReport BiharmonicSolver::solve(const std::vector<BiharmonicPin>& pins, const Progress& progress) {
  return impl_->solve(pins, progress);
}
const Eigen::MatrixXd& BiharmonicSolver::vertex_weights() const { return impl_->vertex_weights; }
const Warnings& BiharmonicSolver::warnings() const { return impl_->warnings; }
const std::vector<Vec3f>& BiharmonicSolver::points() const { return impl_->points.positions; }

Eigen::MatrixXd BiharmonicSolver::weights_at(const std::vector<Vec3f>& places) const {
  const BiharmonicEvaluation evaluation = evaluate_inside(impl_->domain, impl_->points, *impl_->visible, places);
  Columns at;
  multiply(evaluation.weights, impl_->state.weights, at);
  fade_to_handles(impl_->domain, impl_->spacing, impl_->handles, places, evaluation.eyes, at);
  TriangleMesh cloud;
  cloud.positions = places;
  fill_unseen(cloud, impl_->points, impl_->state.weights, evaluation.sees_points, at);
  for (Eigen::Index i = 0; i < at.rows(); ++i) project_to_simplex(at.data() + i * at.cols(), impl_->width());
  return at;
}

SkinWeights biharmonic_weights(const BindInput& input, const BiharmonicOptions& options, const Progress& progress,
                               Warnings& warnings) {
  std::vector<BiharmonicHandle> handles;
  std::vector<std::uint16_t> joint_of;
  for (const BindBone& bone : input.bones) {
    if (joint_of.empty() || joint_of.back() != bone.joint) {
      handles.emplace_back();
      joint_of.push_back(static_cast<std::uint16_t>(bone.joint));
    }
    handles.back().segments.emplace_back(bone.head.cast<float>(), bone.tail.cast<float>());
  }
  BiharmonicSolver solver(input.mesh, std::move(handles), options, progress.part(0.0, 0.4));
  solver.solve({}, progress.part(0.4, 1.0));
  warnings.insert(warnings.end(), solver.warnings().begin(), solver.warnings().end());
  const Eigen::MatrixXd& dense = solver.vertex_weights();
  SkinWeights weights = make_skin_weights(input.vertex_count(), input.max_influences);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    std::vector<Influence> influences;
    for (Eigen::Index h = 0; h < dense.cols(); ++h) {
      if (dense(v, h) > 0.0) influences.push_back({joint_of[h], dense(v, h)});
    }
    set_influences(weights, v, std::move(influences));
  }
  return weights;
}

WeightMethod biharmonic_method() {
  const BiharmonicOptions defaults;
  WeightMethod method;
  method.name = "biharmonic";
  method.summary = "the smoothest bounded weights through the volume; works on soups, scans and point clouds";
  method.options = {
      {"resolution", defaults.resolution, "points inside the shape; 0 = as many as the skeleton asks for", 0, 1e6, {}},
      {"boundary",
       std::string("neumann"),
       "at the surface: natural, or neumann (classic)",
       -1e30,
       1e30,
       {"natural", "neumann"}},
  };
  method.solve = [](const BindInput& input, const OptionValues& values, const Progress& progress, Warnings& warnings) {
    BiharmonicOptions options;
    options.resolution = option<int>(values, "resolution");
    options.boundary = option<std::string>(values, "boundary") == "natural" ? BiharmonicBoundary::natural
                                                                            : BiharmonicBoundary::neumann;
    options.max_influences = input.max_influences;
    options.seed = input.seed;
    return biharmonic_weights(input, options, progress, warnings);
  };
  return method;
}

}  // namespace sinew
