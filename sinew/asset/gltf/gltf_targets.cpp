#include "sinew/asset/gltf/gltf_targets.h"

#include <algorithm>
#include <cmath>

#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/gltf/gltf_patch.h"
#include "sinew/base/dense_algebra.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

using namespace gltf;

// What every target does to the vertices: as given, and to the normals of the surface they make. Normals look across
// seams, so that copies of a vertex turn together.
struct Shapes {
  std::vector<std::vector<Vec3f>> offsets, turns;
};

Shapes shapes_of(const TriangleMesh& mesh, const MorphTargets& targets) {
  const Weld weld = weld_positions(mesh.positions);
  const TriangleMesh welded = welded_mesh(mesh, weld);
  const std::vector<Vec3f> rest = vertex_normals(welded.positions, welded.triangles);
  Shapes shapes{targets.offsets, {}};
  for (const std::vector<Vec3f>& offsets : targets.offsets) {
    std::vector<Vec3f> moved = welded.positions;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += offsets[weld.representative[i]];
    const std::vector<Vec3f> normals = vertex_normals(moved, welded.triangles);
    std::vector<Vec3f> turns(mesh.positions.size());
    for (std::size_t v = 0; v < turns.size(); ++v) {
      turns[v] = normals[weld.welded_of[v]] - rest[weld.welded_of[v]];
    }
    shapes.turns.push_back(std::move(turns));
  }
  return shapes;
}

// An accessor with one value per vertex of a primitive, in the space of the file's mesh. Accessors may hold vertices
// that the character does not: those stay as they are.
int add_change(Patch& patch, const PartSource& source, const Part& part, std::size_t count,
               const std::vector<Vec3f>& change, const Mat3d& to_mesh) {
  std::vector<float> values(3 * count, 0.0f);
  for (std::size_t i = 0; i < part.vertex_count; ++i) {
    const std::size_t at = source.vertex_of.empty() ? i : source.vertex_of[i];
    const Vec3f value = (to_mesh * change[part.first_vertex + i].cast<double>()).cast<float>();
    std::copy_n(value.data(), 3, values.begin() + static_cast<std::ptrdiff_t>(3 * at));
  }
  const std::vector<float> copy = values;
  const int made = patch.builder.add_values(std::move(values), Component::f32, "VEC3", count, ViewTarget::vertices);
  patch.builder.set_bounds(made, copy, 3);
  return made;
}

// The targets of one primitive.
Json targets_of(Patch& patch, const PartSource& source, const Part& part, const Shapes& shapes) {
  const Mat3d linear = source.to_character.linear();
  const double size = std::cbrt(std::abs(linear.determinant()));
  const Json attributes = patch.json["meshes"][source.mesh]["primitives"][source.primitive]["attributes"];
  const auto accessor = attributes["POSITION"].get<std::size_t>();
  std::size_t count = std::max(part.vertex_count, patch.json["accessors"][accessor]["count"].get<std::size_t>());
  for (const std::uint32_t vertex : source.vertex_of) count = std::max<std::size_t>(count, vertex + 1);
  Json result = Json::array();
  for (std::size_t k = 0; k < shapes.offsets.size(); ++k) {
    Json target = {{"POSITION", add_change(patch, source, part, count, shapes.offsets[k], linear.inverse())}};
    if (attributes.contains("NORMAL")) {
      target["NORMAL"] = add_change(patch, source, part, count, shapes.turns[k], linear.transpose() / size);
    }
    result.push_back(std::move(target));
  }
  return result;
}

const MotionSource& motion_of(const Patch& patch, const std::string& motion) {
  for (const MotionSource& source : patch.source.motions) {
    if (source.name == motion) return source;
  }
  throw Error(ErrorCode::motion_unknown, "'" + patch.character.name + "' holds no motion '" + motion + "'");
}

void add_weight_channels(Patch& patch, const std::vector<int>& nodes, const MorphTargets& targets) {
  const MotionSource& motion = motion_of(patch, targets.motion);
  std::vector<float> times;
  for (const double time : targets.times) times.push_back(static_cast<float>(motion.begin + time));
  const std::vector<float> bounds = times;
  std::vector<float> weights(targets.weights.data(), targets.weights.data() + targets.weights.size());
  const std::size_t frames = times.size(), numbers = weights.size();
  const int input = patch.builder.add_values(std::move(times), Component::f32, "SCALAR", frames, ViewTarget::none);
  patch.builder.set_bounds(input, bounds, 1);
  const int output = patch.builder.add_values(std::move(weights), Component::f32, "SCALAR", numbers, ViewTarget::none);
  Json& animation = patch.json["animations"][static_cast<std::size_t>(motion.animation)];
  const std::size_t sampler = animation["samplers"].size();
  animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  for (const int node : nodes) {
    animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", "weights"}}}});
  }
}

}  // namespace

MorphTargets compress_to_targets(const std::vector<std::vector<Vec3f>>& frames, double tolerance, int most) {
  MorphTargets result;
  if (frames.empty() || frames[0].empty()) return result;
  const auto rows = static_cast<Eigen::Index>(3 * frames[0].size()), columns = static_cast<Eigen::Index>(frames.size());
  const auto column = [&](std::size_t f) { return Eigen::Map<const Eigen::VectorXf>(frames[f][0].data(), rows); };
  Eigen::MatrixXd gram(columns, columns);
  for (Eigen::Index a = 0; a < columns; ++a) {
    const Eigen::VectorXd left = column(static_cast<std::size_t>(a)).cast<double>();
    for (Eigen::Index b = 0; b <= a; ++b) {
      gram(a, b) = gram(b, a) = left.dot(column(static_cast<std::size_t>(b)).cast<double>());
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(gram);
  const double allowed = tolerance * tolerance * static_cast<double>(frames[0].size() * frames.size());
  double left = gram.trace();
  Eigen::Index count = 0;
  while (count < std::min<Eigen::Index>(most, columns) && left > allowed) {
    left -= std::max(0.0, eigen.values[columns - 1 - count]);
    ++count;
  }
  result.weights.resize(count, columns);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXd direction = eigen.vectors.col(columns - 1 - k);
    // Scaled so that the largest weight is 1: offsets are then lengths a person can read.
    const double scale = std::max(direction.cwiseAbs().maxCoeff(), 1e-30);
    result.weights.row(k) = (direction / scale).transpose().cast<float>();
    std::vector<Vec3f> offsets(frames[0].size(), Vec3f::Zero());
    Eigen::Map<Eigen::VectorXf> sum(offsets[0].data(), rows);
    for (Eigen::Index f = 0; f < columns; ++f) {
      sum += static_cast<float>(scale * direction[f]) * column(static_cast<std::size_t>(f));
    }
    result.offsets.push_back(std::move(offsets));
  }
  return result;
}

WrittenCharacter write_gltf_targets(const Character& character, const MorphTargets& targets, FileFormat format,
                                    const SaveOptions& options) {
  const Character source = with_document(character);
  Patch patch(source, dynamic_cast<const Document&>(*source.source), options);
  patch.changed = true;
  std::vector<int> nodes;
  const Shapes shapes = shapes_of(source.mesh, targets);
  const std::vector<Part> parts = parts_of(source);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartSource& part = patch.source.parts[i];
    Json& mesh = patch.json["meshes"][static_cast<std::size_t>(part.mesh)];
    Json& primitive = mesh["primitives"][static_cast<std::size_t>(part.primitive)];
    if (primitive.contains("targets")) {
      throw Error(ErrorCode::output_format_unfit, "'" + character.name + "' has morph targets of its own",
                  "bake frame by frame instead");
    }
    primitive["targets"] = targets_of(patch, part, parts[i], shapes);
    mesh["weights"] = std::vector<float>(targets.offsets.size(), 0.0f);
    if (std::find(nodes.begin(), nodes.end(), part.node) == nodes.end()) nodes.push_back(part.node);
  }
  if (!targets.offsets.empty()) add_weight_channels(patch, nodes, targets);
  return joined(write_patch(patch, format));
}

}  // namespace sinew
