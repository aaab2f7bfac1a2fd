#include "sinew/lod.h"

#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/base/plain_text.h"
#include "sinew/lod/lod_deviation.h"

namespace sinew {
namespace {

std::vector<std::size_t> target_counts(const LodOptions& options, std::size_t finest, std::size_t finest_points) {
  if (!options.vertex_counts.empty()) {
    std::size_t above = finest;
    for (const std::size_t count : options.vertex_counts) {
      if (count == 0 || count >= above) {
        throw Error(ErrorCode::option_out_of_range,
                    "the levels' vertex counts do not descend from " + std::to_string(finest),
                    "name the finest of them first, for example 18000 4500 1100")
            .about("vertex_counts");
      }
      above = count;
    }
    return options.vertex_counts;
  }
  if (options.levels < 1) {
    throw Error(ErrorCode::option_out_of_range, "levels must be 1 or more, got " + std::to_string(options.levels))
        .about("levels");
  }
  if (!(options.ratio > 0 && options.ratio < 1)) {
    throw Error(ErrorCode::option_out_of_range, "ratio must be between 0 and 1, got " + number_text(options.ratio))
        .about("ratio");
  }
  std::vector<std::size_t> counts;
  auto count = static_cast<double>(finest_points);
  for (int level = 1; level < options.levels; ++level) {
    count *= options.ratio;
    counts.push_back(std::max<std::size_t>(4, static_cast<std::size_t>(std::lround(count))));
  }
  return counts;
}

// Lengths on the surface per unit of UV space: what makes a UV error comparable to a distance.
double length_per_uv(const TriangleMesh& mesh) {
  double surface = 0, chart = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3f a = mesh.positions[t[1]] - mesh.positions[t[0]], b = mesh.positions[t[2]] - mesh.positions[t[0]];
    surface += a.cross(b).norm();
    const Vec2f u = mesh.uvs[t[1]] - mesh.uvs[t[0]], v = mesh.uvs[t[2]] - mesh.uvs[t[0]];
    chart += std::abs(u.x() * v.y() - u.y() * v.x());
  }
  return chart > 0 ? std::sqrt(surface / chart) : 0.0;
}

SimplifyAttributes attributes_of(const Character& character, const LodOptions& options) {
  constexpr double normal_importance = 0.003;
  const TriangleMesh& mesh = character.mesh;
  const double diagonal = bounding_diagonal(mesh);
  const auto count = static_cast<Eigen::Index>(mesh.vertex_count());
  std::vector<int> column(character.skeleton.names.size(), -1);
  int columns = 0;
  const SkinWeights& weights = character.weights;
  for (std::size_t s = 0; s < weights.weights.size(); ++s) {
    if (weights.weights[s] > 0 && column[weights.joints[s]] < 0) column[weights.joints[s]] = columns++;
  }
  const int uv_column = columns, normal_column = uv_column + (mesh.uvs.empty() ? 0 : 2);
  SimplifyAttributes attributes = SimplifyAttributes::Zero(count, normal_column + (mesh.normals.empty() ? 0 : 3));
  const auto weight_scale = static_cast<float>(options.weight_importance * diagonal);
  const auto uv_scale = static_cast<float>(mesh.uvs.empty() ? 0.0 : options.uv_importance * length_per_uv(mesh));
  const auto normal_scale = static_cast<float>(normal_importance * diagonal);
  for (Eigen::Index v = 0; v < count; ++v) {
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t s = static_cast<std::size_t>(v) * weights.influences + slot;
      if (weights.weights[s] > 0) attributes(v, column[weights.joints[s]]) += weight_scale * weights.weights[s];
    }
    if (!mesh.uvs.empty()) attributes.block<1, 2>(v, uv_column) = uv_scale * mesh.uvs[v].transpose();
    if (!mesh.normals.empty()) attributes.block<1, 3>(v, normal_column) = normal_scale * mesh.normals[v].transpose();
  }
  return attributes;
}

template <typename T>
std::vector<T> pick(const std::vector<T>& all, const std::vector<std::uint32_t>& chosen) {
  std::vector<T> result;
  if (all.empty()) return result;
  result.reserve(chosen.size());
  for (const std::uint32_t i : chosen) result.push_back(all[i]);
  return result;
}

std::vector<std::uint32_t> part_of_triangles(const Character& character) {
  std::vector<std::uint32_t> result(character.mesh.triangles.size(), 0);
  for (std::uint32_t part = 0; part < character.parts.size(); ++part) {
    const Part& p = character.parts[part];
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(p.first_triangle), p.triangle_count, part);
  }
  return result;
}

LodLevel make_level(const Character& character, const SimplifiedMesh& mesh,
                    const std::vector<std::uint32_t>& part_of_triangle) {
  LodLevel level;
  level.vertices = mesh.vertices;
  level.point_of = mesh.point_of;
  level.point_count = mesh.point_count;
  level.to_finer = mesh.from_finer;
  level.error = mesh.largest_error;
  level.dropped_pieces = mesh.dropped_pieces;
  level.mesh.positions = pick(character.mesh.positions, mesh.vertices);
  level.mesh.normals = pick(character.mesh.normals, mesh.vertices);
  level.mesh.tangents = pick(character.mesh.tangents, mesh.vertices);
  level.mesh.uvs = pick(character.mesh.uvs, mesh.vertices);
  level.mesh.colors = pick(character.mesh.colors, mesh.vertices);
  level.mesh.triangles = mesh.triangles;  // in the input's order, hence by part
  if (character.has_skin()) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    level.weights.influences = character.weights.influences;
    for (const std::uint32_t v : mesh.vertices) {
      const auto at = static_cast<std::ptrdiff_t>(v * slots);
      const auto& w = character.weights;
      level.weights.joints.insert(level.weights.joints.end(), w.joints.begin() + at, w.joints.begin() + at + slots);
      level.weights.weights.insert(level.weights.weights.end(), w.weights.begin() + at, w.weights.begin() + at + slots);
    }
  }
  for (std::uint32_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    Part& now = level.parts.emplace_back(part);
    const auto first = std::lower_bound(mesh.vertices.begin(), mesh.vertices.end(), part.first_vertex);
    const auto last = std::lower_bound(first, mesh.vertices.end(), part.first_vertex + part.vertex_count);
    now.first_vertex = static_cast<std::size_t>(first - mesh.vertices.begin());
    now.vertex_count = static_cast<std::size_t>(last - first);
    now.first_triangle = now.triangle_count = 0;
    for (std::size_t t = 0; t < mesh.input_triangles.size(); ++t) {
      if (part_of_triangle[mesh.input_triangles[t]] != i) continue;
      if (now.triangle_count++ == 0) now.first_triangle = t;
    }
    if (now.triangle_count == 0 && i > 0) {
      now.first_triangle = level.parts[i - 1].first_triangle + level.parts[i - 1].triangle_count;
    }
  }
  return level;
}

// The finest level is the character as it is, isolated vertices and all.
LodLevel finest_level(const Character& character, const SimplifiedMesh& input) {
  LodLevel level;
  level.mesh = character.mesh;
  level.weights = character.weights;
  level.parts = character.parts;
  level.vertices.resize(character.mesh.vertex_count());
  for (std::uint32_t v = 0; v < level.vertices.size(); ++v) level.vertices[v] = v;
  level.point_of.assign(character.mesh.vertex_count(), no_point);
  for (std::size_t i = 0; i < input.vertices.size(); ++i) level.point_of[input.vertices[i]] = input.point_of[i];
  level.point_count = input.point_count;
  return level;
}

// A piece loses its shape when it is off by more than this share of half its bounding diagonal.
constexpr double piece_error = 0.15;

Warning not_made(std::size_t first, std::size_t last, bool too_far) {
  const std::string levels = first == last
                                 ? "level " + std::to_string(first) + " was"
                                 : "levels " + std::to_string(first) + " to " + std::to_string(last) + " were";
  return Warning{"level-not-made", levels + " not made: " +
                                       (too_far ? "the surface would be off by more than the error asked for"
                                                : "hardly anything more can go without passing the error asked for")};
}

}  // namespace

LodChain make_lod_chain(const Character& character, const LodOptions& options, const Progress& progress) {
  const CancellationScope scope(progress);
  check_character(character);
  if (character.mesh.triangles.empty()) {
    throw Error(ErrorCode::surface_missing, "'" + character.name + "' has no triangles to simplify");
  }
  const std::vector<std::uint32_t> part_of_triangle = part_of_triangles(character);
  if (!(options.max_error >= 0)) {
    throw Error(ErrorCode::option_out_of_range, "max_error must be 0 or more, got " + number_text(options.max_error))
        .about("max_error");
  }
  progress(0.0, "preparing the surface");
  const double diagonal = bounding_diagonal(character.mesh);
  SimplifyOptions simplify = options.simplify;
  if (options.max_error > 0) simplify.max_error = options.max_error * diagonal;
  if (options.whole_pieces) simplify.piece_error = piece_error;
  Simplifier simplifier(character.mesh, attributes_of(character, options), part_of_triangle, simplify);
  const std::vector<std::size_t> targets =
      target_counts(options, character.mesh.vertex_count(), simplifier.input().point_count);
  const SimplifyCount unit = options.vertex_counts.empty() ? SimplifyCount::points : SimplifyCount::vertices;
  const LodDeviation deviation(character);
  LodChain chain;
  chain.levels.push_back(finest_level(character, simplifier.input()));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto begin_of = [&](std::size_t level) {
      return 0.1 + 0.9 * static_cast<double>(level) / static_cast<double>(targets.size());
    };
    const SimplifiedMesh mesh = simplifier.reduce(targets[i], unit, progress.part(begin_of(i), begin_of(i + 1)));
    chain.levels.push_back(make_level(character, mesh, part_of_triangle));
    LodLevel& level = chain.levels.back();
    level.deviation = deviation.of(chain);
    const std::size_t finer = chain.levels[i].mesh.triangles.size();
    const bool too_far = options.max_error > 0 && level.deviation > options.max_error * diagonal;
    const bool same = options.max_error > 0 && !mesh.target_reached && 10 * level.mesh.triangles.size() > 9 * finer;
    if (too_far || same) {
      chain.levels.pop_back();
      chain.warnings.push_back(not_made(i + 1, targets.size(), too_far));
      break;
    }
    if (!mesh.target_reached) {
      chain.warnings.push_back({"level-not-reached", "level " + std::to_string(i + 1) + " has " +
                                                         std::to_string(mesh.vertices.size()) +
                                                         " vertices instead of " + std::to_string(targets[i]) +
                                                         ": what is left would fall apart, turn inside out or lose "
                                                         "its shape"});
    }
  }
  progress(1.0, "simplifying");
  return chain;
}

Character level_character(const Character& character, const LodLevel& level) {
  Character result = character;
  result.mesh = level.mesh;
  result.weights = level.weights;
  result.parts = level.parts;
  return result;
}

Eigen::MatrixXf prolong(const Prolongation& prolongation, const Eigen::MatrixXf& coarse) {
  Eigen::MatrixXf fine(prolongation.points.size(), coarse.cols());
  for (std::size_t i = 0; i < prolongation.points.size(); ++i) {
    const auto& p = prolongation.points[i];
    const auto& w = prolongation.weights[i];
    fine.row(static_cast<Eigen::Index>(i)) =
        w[0] * coarse.row(p[0]) + w[1] * coarse.row(p[1]) + w[2] * coarse.row(p[2]);
  }
  return fine;
}

Eigen::MatrixXf restrict_to_coarse(const Prolongation& prolongation, const Eigen::MatrixXf& fine) {
  Eigen::MatrixXf coarse(prolongation.kept.size(), fine.cols());
  for (std::size_t i = 0; i < prolongation.kept.size(); ++i) {
    coarse.row(static_cast<Eigen::Index>(i)) = fine.row(prolongation.kept[i]);
  }
  return coarse;
}

}  // namespace sinew
