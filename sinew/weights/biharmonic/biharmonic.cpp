#include "sinew/weights/biharmonic/biharmonic.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/disjoint_sets.h"
#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/biharmonic/biharmonic_energy.h"
#include "sinew/weights/biharmonic/biharmonic_evaluate.h"
#include "sinew/weights/biharmonic/biharmonic_frame.h"
#include "sinew/weights/biharmonic/biharmonic_program.h"
#include "sinew/weights/biharmonic/biharmonic_settle.h"

namespace sinew {
namespace {

// Points this near to a pinned vertex, in spacings, are given its weights.
constexpr double pin_reach = 0.75;
// Iterations after the number of influences has been limited.
constexpr int limited_iterations = 2;
// Points that follow a brush: their system is dense, and solved in some hundredths of a second.
constexpr std::size_t most_near = 800;

int resolution_of(const BiharmonicOptions& options, std::size_t handles) {
  if (options.resolution > 0) return options.resolution;
  return static_cast<int>(std::min<std::size_t>(3000 + 100 * handles, 8000));
}

// Parts of the neighbour graph that are connected: for every point the smallest index of its part.
std::vector<std::uint32_t> connected_parts(const BiharmonicPoints& points) {
  DisjointSets parts(points.count());
  for (std::uint32_t i = 0; i < points.count(); ++i) {
    for (std::uint32_t j : points.neighbours.row(i)) parts.join(i, j);
  }
  std::vector<std::uint32_t> root(points.count());
  for (std::uint32_t i = 0; i < points.count(); ++i) root[i] = parts.find(i);
  return root;
}

// Points at which something else is given now than before.
std::vector<std::uint32_t> changed_points(const std::vector<bool>& given, const Columns& values,
                                          const std::vector<bool>& given_before, const Columns& values_before) {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < given.size(); ++i) {
    if (given[i] != given_before[i] || (given[i] && values.row(i) != values_before.row(i))) changed.push_back(i);
  }
  return changed;
}

}  // namespace

struct BiharmonicSolver::Impl {
  BiharmonicFrame frame;  // everything below is in its unit, but for places_for_caller
  TriangleMesh mesh;
  std::vector<BiharmonicHandle> handles;
  BiharmonicOptions options;
  Warnings shape_warnings, solve_warnings;
  BiharmonicShape shape;
  BiharmonicPoints points;
  std::vector<VisibleNeighbours> visible;
  std::unique_ptr<BiharmonicMultigrid> multigrid;
  BiharmonicEvaluation at_vertices;
  std::vector<char> bound;
  Columns state;    // weights of the points without the limit on influences: where the next solve starts
  Columns limited;  // the same within the limit
  Columns solved_values;
  std::vector<bool> solved_given;
  bool solved = false;
  Columns shown;  // weights of the points as answered last, within the limit, and what was given then
  Columns shown_values;
  std::vector<bool> shown_given;
  Eigen::MatrixXd vertex_weights;
  std::vector<Vec3f> places_for_caller;

  Impl(const TriangleMesh& mesh_in, std::vector<BiharmonicHandle> handles_in, const BiharmonicOptions& options_in)
      : frame(frame_of(mesh_in)), mesh(mesh_in), handles(std::move(handles_in)), options(options_in) {
    for (Vec3f& p : mesh.positions) p = frame.enter(p);
    for (BiharmonicHandle& handle : handles) {
      for (Bone& bone : handle.bones) bone = {bone.joint, frame.enter(bone.head), frame.enter(bone.tail)};
    }
  }

  int width() const { return static_cast<int>(handles.size()); }

  void prepare(const Progress& progress) {
    progress(0.0, "looking at the surface");
    VolumeSampleOptions sampling;
    sampling.target = resolution_of(options, handles.size());
    sampling.seed = options.seed;
    shape = make_biharmonic_shape(mesh, shape_warnings);
    progress(0.05, "placing points");
    points = make_biharmonic_points(shape, handles, sampling, options.resolution > 0, shape_warnings);
    if (std::find_if(points.handle.begin(), points.handle.end(), [](int h) { return h >= 0; }) == points.handle.end()) {
      throw Error(ErrorCode::mesh_degenerate, "the surface has no inside that holds a handle",
                  "a flat or shredded mesh may need a method that works on the surface, such as heat");
    }
    for (const Vec3f& p : points.positions) places_for_caller.push_back(frame.leave(p));
    visible = make_visible_neighbours(shape, points);
    progress(0.4, "building the energy");
    SparseRows energy = biharmonic_energy(shape, points, options.boundary);
    progress(0.45, "building the hierarchy");
    multigrid = std::make_unique<BiharmonicMultigrid>(points, std::move(energy));
    at_vertices = evaluate_vertices(shape, points, visible, mesh, progress.part(0.5, 1.0));
    progress(1.0, "looking from the vertices");
  }

  // Rows of points whose weights are known: those on handles, and those next to pinned vertices.
  Columns given_values(const std::vector<BiharmonicPin>& pins, std::vector<bool>& given) const {
    Columns values = Columns::Zero(static_cast<Eigen::Index>(points.count()), width());
    std::vector<double> claims(points.count(), 0.0);
    for (const BiharmonicPin& pin : pins) {
      const std::size_t first = at_vertices.weights.offsets[pin.vertex],
                        last = at_vertices.weights.offsets[pin.vertex + 1];
      if (first == last) continue;
      const Vec3f place = mesh.positions[pin.vertex];
      const auto distance = [&](std::size_t k) {
        const std::uint32_t point = at_vertices.weights.columns[k];
        return (points.positions[point] - place).norm() / points.spacing[point];
      };
      std::size_t nearest = first;
      for (std::size_t k = first; k < last; ++k) nearest = distance(k) < distance(nearest) ? k : nearest;
      for (std::size_t k = first; k < last; ++k) {
        if (k != nearest && distance(k) > pin_reach) continue;
        const std::uint32_t point = at_vertices.weights.columns[k];
        const double claim = 1.0 / (std::pow(distance(k), 2) + 1e-3);
        double sum = 0.0;
        for (const auto& [handle, weight] : pin.weights) sum += weight;
        for (const auto& [handle, weight] : pin.weights) values(point, handle) += claim * weight / sum;
        claims[point] += claim;
      }
    }
    given.assign(points.count(), false);
    for (std::size_t i = 0; i < points.count(); ++i) {
      if (points.handle[i] >= 0) {
        values.row(i).setZero();
        values(i, points.handle[i]) = 1.0;
        given[i] = true;
      } else if (claims[i] > 0.0) {
        values.row(i) /= claims[i];
        given[i] = true;
      }
    }
    return values;
  }

  // Which points lie in parts of the graph that hold a given point. A part that a pin has just bound starts from the
  // mean of what it was given: no last solution knows it.
  std::vector<char> bound_by(const Columns& values, const std::vector<bool>& given, Columns& start) const {
    const std::vector<std::uint32_t> part = connected_parts(points);
    std::vector<int> given_count(points.count(), 0);
    for (std::size_t i = 0; i < points.count(); ++i) given_count[part[i]] += given[i];
    std::vector<char> now(points.count());
    for (std::size_t i = 0; i < points.count(); ++i) now[i] = given_count[part[i]] > 0;
    if (!solved) return now;
    Columns means = Columns::Zero(values.rows(), values.cols());
    for (std::size_t i = 0; i < points.count(); ++i) {
      if (given[i] && !bound[i]) means.row(part[i]) += values.row(i) / given_count[part[i]];
    }
    for (std::size_t i = 0; i < points.count(); ++i) {
      if (bound[i] || !now[i]) continue;
      start.row(i) = means.row(part[i]);
    }
    return now;
  }

  void check(const std::vector<BiharmonicPin>& pins) const {
    for (const BiharmonicPin& pin : pins) {
      if (pin.vertex >= mesh.vertex_count()) {
        throw Error(ErrorCode::settings_invalid,
                    "a pin names vertex " + std::to_string(pin.vertex) + " of " + std::to_string(mesh.vertex_count()));
      }
      double sum = 0.0;
      for (const auto& [handle, weight] : pin.weights) {
        if (handle < 0 || handle >= width()) {
          throw Error(ErrorCode::settings_invalid, "a pin names handle " + std::to_string(handle));
        }
        if (!(weight >= 0.0) || !std::isfinite(weight)) {
          throw Error(ErrorCode::settings_invalid,
                      "the pin of vertex " + std::to_string(pin.vertex) + " has a weight below 0");
        }
        sum += weight;
      }
      if (!(sum > 0.0)) {
        throw Error(ErrorCode::settings_invalid, "the pin of vertex " + std::to_string(pin.vertex) + " has no weight");
      }
    }
  }

  BiharmonicReport solve(const std::vector<BiharmonicPin>& pins, const Progress& progress) {
    check(pins);
    BiharmonicReport report;
    report.points = points.count();
    std::vector<bool> given;
    Columns values = given_values(pins, given);
    if (given != multigrid->level(0).given) multigrid->set_given(given);
    Columns unlimited = state;
    std::vector<char> bound_now = bound_by(values, given, unlimited);
    ProgramOptions program;
    program.tolerance = options.tolerance;
    program.max_iterations = options.max_iterations;
    const bool has_limit = options.max_influences > 0 && options.max_influences < width();
    const Progress part = progress.part(0.0, has_limit ? 0.7 : 0.95);
    std::vector<char> moved;
    ProgramReport outcome;
    if (solved) {
      const std::vector<std::uint32_t> changed = changed_points(given, values, solved_given, solved_values);
      outcome = continue_program(*multigrid, values, changed, program, part, unlimited, moved);
    } else {
      outcome = solve_program(*multigrid, values, program, part, unlimited);
      moved = not_given(given);
    }
    Columns within_limit = solved && has_limit ? limited : unlimited;
    if (has_limit) {
      for (std::size_t i = 0; i < points.count(); ++i) {
        const bool newly_bound = solved && bound_now[i] && !bound[i];
        moved[i] = moved[i] || (newly_bound && !given[i]);
        if (moved[i] || given[i]) within_limit.row(i) = unlimited.row(i);
      }
      program.max_influences = options.max_influences;
      program.max_iterations = limited_iterations;
      outcome = limit_program(*multigrid, moved, program, progress.part(0.7, 0.95), within_limit);
    }
    report.iterations = outcome.iterations[0];
    report.energy = outcome.energy;
    Answer answer = evaluate(pins, within_limit, bound_now, report);
    progress(1.0, "solving");
    Columns now_shown = within_limit, now_given_values = values;
    std::vector<bool> now_given = given;
    // Nothing below throws: the new solution takes the place of the last one as a whole, or a cancelled one leaves it.
    state = std::move(unlimited);
    limited = std::move(within_limit);
    solved_values = std::move(now_given_values);
    solved_given = std::move(now_given);
    solved = true;
    bound = std::move(bound_now);
    show(std::move(now_shown), std::move(values), std::move(given), std::move(answer));
    return report;
  }

  BiharmonicReport settle_near(const std::vector<BiharmonicPin>& pins, const Progress& progress) {
    check(pins);
    if (!solved) return solve(pins, progress);
    std::vector<bool> given;
    Columns values = given_values(pins, given);
    const std::vector<std::uint32_t> changed = changed_points(given, values, shown_given, shown_values);
    for (const std::uint32_t i : changed) {
      if (!bound[i]) return solve(pins, progress);
    }
    Columns near = shown;
    for (const std::uint32_t i : changed) {
      if (given[i]) near.row(i) = values.row(i);
    }
    sinew::settle_near(multigrid->level(0).energy, given, changed, most_near, options.max_influences, near);
    BiharmonicReport report;
    report.points = points.count();
    Answer answer = evaluate(pins, near, bound, report);
    progress(1.0, "solving");
    show(std::move(near), std::move(values), std::move(given), std::move(answer));
    return report;
  }

  // What the vertices make of the points' weights.
  struct Answer {
    Eigen::MatrixXd vertex_weights;
    Warnings warnings;
  };

  void show(Columns&& weights, Columns&& values, std::vector<bool>&& given, Answer&& answer) {
    shown = std::move(weights);
    shown_values = std::move(values);
    shown_given = std::move(given);
    vertex_weights = std::move(answer.vertex_weights);
    solve_warnings = std::move(answer.warnings);
  }

  Answer evaluate(const std::vector<BiharmonicPin>& pins, const Columns& weights, const std::vector<char>& bound_points,
                  BiharmonicReport& report) const {
    Columns at;
    multiply(at_vertices.weights, weights, at);
    fade_to_handles(shape, handles, mesh.positions, at_vertices, at);
    const Filling filling = fill_missing(mesh, points, bound_points, weights, at_vertices, at);
    for (const BiharmonicPin& pin : pins) {
      at.row(pin.vertex).setZero();
      for (const auto& [handle, weight] : pin.weights) at(pin.vertex, handle) += weight;
      at.row(pin.vertex) /= at.row(pin.vertex).sum();
    }
    parallel_for(static_cast<std::size_t>(at.rows()), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        project_to_simplex(at.data() + i * at.cols(), width(), options.max_influences);
      }
    });
    Answer answer{at, {}};
    report.unseen_vertices = filling.unseen;
    report.island_vertices = filling.islands;
    if (filling.islands > 0) {
      answer.warnings.push_back({"islands", std::to_string(filling.islands) +
                                                " vertices lie on pieces that no bone or pin reaches; they follow the "
                                                "nearest part that is bound"});
    }
    if (filling.unseen > 0) {
      answer.warnings.push_back({"unseen-vertices", std::to_string(filling.unseen) +
                                                        " vertices see no inside of the shape; they were filled from "
                                                        "their neighbours"});
    }
    return answer;
  }
};

BiharmonicSolver::BiharmonicSolver(const TriangleMesh& mesh, std::vector<BiharmonicHandle> handles,
                                   const BiharmonicOptions& options, const Progress& progress) {
  if (handles.empty()) throw Error(ErrorCode::argument_invalid, "there are no handles to compute weights for");
  impl_ = std::make_unique<Impl>(mesh, std::move(handles), options);
  impl_->prepare(progress);
}
BiharmonicSolver::~BiharmonicSolver() = default;
BiharmonicSolver::BiharmonicSolver(BiharmonicSolver&&) noexcept = default;
BiharmonicSolver& BiharmonicSolver::operator=(BiharmonicSolver&&) noexcept = default;

BiharmonicReport BiharmonicSolver::solve(const std::vector<BiharmonicPin>& pins, const Progress& progress) {
  return impl_->solve(pins, progress);
}
BiharmonicReport BiharmonicSolver::settle_near(const std::vector<BiharmonicPin>& pins, const Progress& progress) {
  return impl_->settle_near(pins, progress);
}
const Eigen::MatrixXd& BiharmonicSolver::vertex_weights() const { return impl_->vertex_weights; }
const std::vector<Vec3f>& BiharmonicSolver::points() const { return impl_->places_for_caller; }

Warnings BiharmonicSolver::warnings() const {
  Warnings all = impl_->shape_warnings;
  all.insert(all.end(), impl_->solve_warnings.begin(), impl_->solve_warnings.end());
  return all;
}

Eigen::MatrixXd BiharmonicSolver::weights_at(const std::vector<Vec3f>& places_in) const {
  const Impl& solver = *impl_;
  std::vector<Vec3f> places;
  for (const Vec3f& p : places_in) places.push_back(solver.frame.enter(p));
  const BiharmonicEvaluation evaluation = evaluate_inside(solver.shape, solver.points, solver.visible, places);
  Columns at;
  multiply(evaluation.weights, solver.shown, at);
  fade_to_handles(solver.shape, solver.handles, places, evaluation, at);
  TriangleMesh cloud;
  cloud.positions = places;
  fill_missing(cloud, solver.points, solver.bound, solver.shown, evaluation, at);
  for (Eigen::Index i = 0; i < at.rows(); ++i) {
    project_to_simplex(at.data() + i * at.cols(), solver.width(), solver.options.max_influences);
  }
  return at;
}

}  // namespace sinew
