#include "sinew/asset/gltf_targets.h"

#include <algorithm>

#include "sinew/asset/gltf.h"
#include "sinew/asset/gltf_patch.h"
#include "sinew/base/dense_algebra.h"

namespace sinew {
namespace {

using namespace gltf;

// The targets of one primitive: offsets of its vertices in the space of the file's mesh.
Json targets_of(Patch& patch, const PartSource& source, const Part& part, const MorphTargets& targets) {
  const Mat3d from_character = source.to_character.linear().inverse();
  Json result = Json::array();
  for (const std::vector<Vec3f>& offsets : targets.offsets) {
    // Accessors may hold vertices that the character does not: those stay where they are.
    std::size_t count = part.vertex_count;
    for (const std::uint32_t vertex : source.vertex_of) count = std::max<std::size_t>(count, vertex + 1);
    const Json& attributes = patch.json["meshes"][source.mesh]["primitives"][source.primitive]["attributes"];
    const auto accessor = attributes["POSITION"].get<std::size_t>();
    count = std::max(count, patch.json["accessors"][accessor]["count"].get<std::size_t>());
    std::vector<float> values(3 * count, 0.0f);
    for (std::size_t i = 0; i < part.vertex_count; ++i) {
      const std::size_t at = source.vertex_of.empty() ? i : source.vertex_of[i];
      const Vec3f offset = (from_character * offsets[part.first_vertex + i].cast<double>()).cast<float>();
      std::copy_n(offset.data(), 3, values.begin() + static_cast<std::ptrdiff_t>(3 * at));
    }
    const std::vector<float> copy = values;
    const int made = patch.builder.add_values(std::move(values), Component::f32, "VEC3", count, ViewTarget::vertices);
    patch.builder.set_bounds(made, copy, 3);
    result.push_back({{"POSITION", made}});
  }
  return result;
}

Json& animation_of(Patch& patch, const std::string& motion) {
  for (const MotionSource& source : patch.source.motions) {
    if (source.name == motion) return patch.json["animations"][static_cast<std::size_t>(source.animation)];
  }
  throw bad_input("'" + patch.character.name + "' holds no motion '" + motion + "'");
}

void add_weight_channels(Patch& patch, const std::vector<int>& nodes, const MorphTargets& targets) {
  std::vector<float> times(targets.times.begin(), targets.times.end());
  const std::vector<float> bounds = times;
  std::vector<float> weights(targets.weights.data(), targets.weights.data() + targets.weights.size());
  const std::size_t frames = times.size(), numbers = weights.size();
  const int input = patch.builder.add_values(std::move(times), Component::f32, "SCALAR", frames, ViewTarget::none);
  patch.builder.set_bounds(input, bounds, 1);
  const int output = patch.builder.add_values(std::move(weights), Component::f32, "SCALAR", numbers, ViewTarget::none);
  Json& animation = animation_of(patch, targets.motion);
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

Warnings write_gltf_targets(const Character& character, const MorphTargets& targets,
                            const std::filesystem::path& path) {
  const Character source = with_document(character, path);
  Patch patch(source, dynamic_cast<const Document&>(*source.source), {});
  patch.changed = true;
  std::vector<int> nodes;
  const std::vector<Part> parts = parts_of(source);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartSource& part = patch.source.parts[i];
    Json& mesh = patch.json["meshes"][static_cast<std::size_t>(part.mesh)];
    Json& primitive = mesh["primitives"][static_cast<std::size_t>(part.primitive)];
    if (primitive.contains("targets")) {
      throw bad_input("'" + character.name + "' has morph targets of its own", "bake frame by frame instead");
    }
    primitive["targets"] = targets_of(patch, part, parts[i], targets);
    mesh["weights"] = std::vector<float>(targets.offsets.size(), 0.0f);
    if (std::find(nodes.begin(), nodes.end(), part.node) == nodes.end()) nodes.push_back(part.node);
  }
  if (!targets.offsets.empty()) add_weight_channels(patch, nodes, targets);
  return write_patch(patch, path);
}

}  // namespace sinew
