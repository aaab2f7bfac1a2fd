// Mesh, skeleton, weights and motions of a character as arrays, in and out.
#include <algorithm>
#include <cmath>

#include "bindings/c/call.h"
#include "bindings/c/part_bindings.h"
#include "bindings/c/transforms.h"
#include "sinew/bind.h"
#include "sinew/character_c.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_mesh = SINEW_SIZE_UP_TO(sinew_mesh_arrays, parts);
constexpr std::size_t least_skeleton = SINEW_SIZE_UP_TO(sinew_skeleton_arrays, kinds);
constexpr std::size_t least_weights = SINEW_SIZE_UP_TO(sinew_weight_arrays, weights);
constexpr std::size_t least_motion = SINEW_SIZE_UP_TO(sinew_motion_arrays, transforms);
constexpr std::size_t most_joints = 65'535;
constexpr int most_slots = 32;

// Vectors per vertex out of packed floats; NULL gives none.
template <typename Vector>
std::vector<Vector> vectors_of(const float* floats, std::size_t count, const char* name) {
  if (floats == nullptr) return {};
  constexpr auto size = static_cast<std::size_t>(Vector::SizeAtCompileTime);
  std::vector<Vector> vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    vectors[i] = Eigen::Map<const Vector>(floats + i * size);
    if (!vectors[i].allFinite()) {
      throw Error(ErrorCode::mesh_invalid, std::string(name) + " of vertex " + std::to_string(i) + " are not finite");
    }
  }
  return vectors;
}

PartBinding part_binding_of(int binding) {
  if (binding < SINEW_PART_SKINNED || binding > SINEW_PART_FIXED) {
    throw Error(ErrorCode::argument_invalid, "there is no part binding " + std::to_string(binding));
  }
  return static_cast<PartBinding>(binding);
}

Character mesh_of(const sinew_mesh_arrays& arrays) {
  constexpr std::size_t most = 0xffffffffu;  // vertices are named by 32 bits
  if (arrays.vertex_count > most || arrays.triangle_count > most) {
    throw Error(ErrorCode::too_large, "a mesh has at most 4,294,967,295 vertices and triangles");
  }
  if (arrays.vertex_count > 0) require(arrays.positions, "positions");
  Character made;
  made.mesh.positions = vectors_of<Vec3f>(arrays.positions, arrays.vertex_count, "positions");
  made.mesh.normals = vectors_of<Vec3f>(arrays.normals, arrays.vertex_count, "normals");
  made.mesh.tangents = vectors_of<Vec4f>(arrays.tangents, arrays.vertex_count, "tangents");
  made.mesh.uvs = vectors_of<Vec2f>(arrays.uvs, arrays.vertex_count, "texture coordinates");
  made.mesh.colors = vectors_of<Vec4f>(arrays.colors, arrays.vertex_count, "colours");
  const auto corners = array_of(arrays.triangles, 3 * arrays.triangle_count, "triangles");
  made.mesh.triangles.resize(arrays.triangle_count);
  for (std::size_t i = 0; i < corners.size(); ++i) made.mesh.triangles[i / 3][i % 3] = corners[i];
  for (const sinew_part& part : array_of(arrays.parts, arrays.part_count, "parts")) {
    made.parts.push_back({text_or(part.name, ""), text_or(part.material, ""), part.first_vertex, part.vertex_count,
                          part.first_triangle, part.triangle_count, part_binding_of(part.binding)});
  }
  check_character(made);
  unbind_parts(made.parts);
  return made;
}

Skeleton skeleton_of(const sinew_skeleton_arrays& arrays) {
  if (arrays.joint_count > most_joints) throw Error(ErrorCode::too_large, "a skeleton has at most 65,535 joints");
  const auto names = array_of(arrays.names, arrays.joint_count, "names");
  const auto parents = array_of(arrays.parents, arrays.joint_count, "parents");
  const auto rest = array_of(arrays.rest, 16 * arrays.joint_count, "rest");
  Skeleton skeleton;
  for (std::size_t joint = 0; joint < names.size(); ++joint) {
    require(names[joint], "the name of a joint");
    const Eigen::Map<const Mat4d> matrix(rest.data() + 16 * joint);
    if (matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) {
      throw Error(ErrorCode::skeleton_invalid,
                  std::string("joint '") + names[joint] + "': the last row of its rest matrix is not 0 0 0 1",
                  "matrices are given column by column");
    }
    const int kind = arrays.kinds != nullptr ? int{arrays.kinds[joint]} : int{SINEW_JOINT};
    if (kind > SINEW_JOINT_HELPER) {
      throw Error(ErrorCode::argument_invalid, "there is no joint kind " + std::to_string(kind));
    }
    skeleton.names.emplace_back(names[joint]);
    skeleton.parents.push_back(parents[joint]);
    skeleton.rest.emplace_back(matrix);
    skeleton.kinds.push_back(static_cast<JointKind>(kind));
  }
  check_skeleton(skeleton);
  return skeleton;
}

bool is_valid(const SkinWeights& weights, std::size_t vertices, int joints) {
  try {
    check_skin_weights(weights, vertices, joints, true);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The same weights sorted, normalised and without doubles; what cannot be put right is refused.
SkinWeights put_right(const SkinWeights& given, std::size_t joint_count) {
  SkinWeights weights = make_skin_weights(given.vertex_count(), given.influences);
  for (std::size_t vertex = 0; vertex < given.vertex_count(); ++vertex) {
    std::vector<Influence> influences;
    for (int slot = 0; slot < given.influences; ++slot) {
      const std::size_t at = vertex * static_cast<std::size_t>(given.influences) + static_cast<std::size_t>(slot);
      const float weight = given.weights[at];
      const std::string where = "vertex " + std::to_string(vertex);
      if (!std::isfinite(weight) || weight < 0) {
        throw Error(ErrorCode::weights_invalid, where + " has a negative or non-finite weight");
      }
      if (weight > 0 && given.joints[at] >= joint_count) {
        throw Error(ErrorCode::weights_invalid,
                    where + " uses joint " + std::to_string(given.joints[at]) + ", which does not exist");
      }
      if (weight > 0) influences.push_back({given.joints[at], weight});
    }
    set_influences(weights, vertex, std::move(influences));
  }
  return weights;
}

SkinWeights weights_of(const sinew_weight_arrays& arrays, const Character& character) {
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "weights need a skeleton", "set the skeleton first");
  }
  if (arrays.vertex_count != character.mesh.vertex_count()) {
    throw Error(ErrorCode::weights_invalid, "weights for " + std::to_string(arrays.vertex_count) +
                                                " vertices, but the mesh has " +
                                                std::to_string(character.mesh.vertex_count()));
  }
  if (arrays.influences < 1 || arrays.influences > most_slots) {
    throw Error(ErrorCode::argument_invalid, "influences must be 1 … 32, got " + std::to_string(arrays.influences));
  }
  const std::size_t slots = arrays.vertex_count * static_cast<std::size_t>(arrays.influences);
  const auto joints = array_of(arrays.joints, slots, "joints");
  const auto numbers = array_of(arrays.weights, slots, "weights");
  SkinWeights given{arrays.influences, {joints.begin(), joints.end()}, {numbers.begin(), numbers.end()}};
  if (is_valid(given, arrays.vertex_count, character.skeleton.joint_count())) return given;
  return put_right(given, character.skeleton.names.size());
}

Motion motion_of(const sinew_motion_arrays& arrays, const Skeleton& skeleton) {
  if (skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "a motion needs a skeleton", "set the skeleton first");
  if (arrays.joint_count != skeleton.names.size()) {
    throw Error(ErrorCode::motion_invalid, "a motion of " + std::to_string(arrays.joint_count) +
                                               " joints, but the skeleton has " +
                                               std::to_string(skeleton.names.size()));
  }
  if (!(arrays.frames_per_second > 0) || !std::isfinite(arrays.frames_per_second)) {
    throw Error(ErrorCode::motion_invalid, "frames_per_second must be above 0");
  }
  if (arrays.frame_count < 1 || arrays.frame_count > 0x7fffffffu / arrays.joint_count) {
    throw Error(ErrorCode::motion_invalid, "a motion has at least one frame, and at most 2^31 transforms");
  }
  Motion motion;
  motion.name = text_or(arrays.name, "");
  motion.frames_per_second = arrays.frames_per_second;
  motion.joint_count = skeleton.joint_count();
  motion.transforms = transforms_of({arrays.transforms, arrays.frame_count * arrays.joint_count});
  return motion;
}

std::vector<Motion>::iterator motion_at(Character& character, std::size_t index) {
  if (index >= character.motions.size()) {
    throw Error(ErrorCode::motion_unknown, "the character has no motion " + std::to_string(index));
  }
  return character.motions.begin() + static_cast<std::ptrdiff_t>(index);
}

// Of vectors or triangles, one after the other; NULL for none.
auto items_of(const auto& vectors) { return vectors.empty() ? nullptr : vectors.front().data(); }

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_get_mesh(const sinew_character* character, sinew_mesh_arrays* mesh, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    const TriangleMesh& from = read->mesh;
    sinew_mesh_arrays full{};
    full.vertex_count = from.vertex_count();
    full.triangle_count = from.triangles.size();
    full.positions = items_of(from.positions);
    full.triangles = items_of(from.triangles);
    full.normals = items_of(from.normals);
    full.tangents = items_of(from.tangents);
    full.uvs = items_of(from.uvs);
    full.colors = items_of(from.colors);
    full.part_count = read.state()->parts.size();
    full.parts = full.part_count > 0 ? read.state()->parts.data() : nullptr;
    give_arrays(full, mesh, least_mesh, "sinew_mesh_arrays");
  });
}

sinew_status sinew_set_mesh(sinew_character* character, const sinew_mesh_arrays* mesh, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    Character made = mesh_of(arrays_of(mesh, least_mesh, "sinew_mesh_arrays"));
    const Writing written(character, "character");
    written->mesh = std::move(made.mesh);
    written->parts = std::move(made.parts);
    written->weights = {};
    written->source.reset();
    written->format.reset();
    written.done();
  });
}

sinew_status sinew_get_skeleton(const sinew_character* character, sinew_skeleton_arrays* skeleton,
                                sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    const Skeleton& from = read->skeleton;
    sinew_skeleton_arrays full{};
    full.joint_count = from.names.size();
    if (full.joint_count > 0) {
      static_assert(sizeof(Affine3d) == 16 * sizeof(double) && sizeof(JointKind) == 1 && sizeof(int) == 4);
      full.names = read.state()->joint_names.data();
      full.parents = from.parents.data();
      full.rest = from.rest.front().data();
      full.kinds = reinterpret_cast<const std::uint8_t*>(from.kinds.data());
    }
    give_arrays(full, skeleton, least_skeleton, "sinew_skeleton_arrays");
  });
}

sinew_status sinew_set_skeleton(sinew_character* character, const sinew_skeleton_arrays* skeleton,
                                sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    Skeleton made = skeleton_of(arrays_of(skeleton, least_skeleton, "sinew_skeleton_arrays"));
    const Writing written(character, "character");
    written->skeleton = std::move(made);
    written->weights = {};
    written->motions.clear();
    unbind_parts(written->parts);
    written.done();
  });
}

sinew_status sinew_use_skeleton(sinew_character* character, const sinew_character* source, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const Reading from(source, "source");
    const Writing written(character, "character");
    use_skeleton_of(*from, *written, report.warnings);
    written.done();
  });
}

sinew_status sinew_get_weights(const sinew_character* character, sinew_weight_arrays* weights, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    sinew_weight_arrays full{};
    if (read->has_skin()) {
      full.vertex_count = read->weights.vertex_count();
      full.influences = read->weights.influences;
      full.joints = read->weights.joints.data();
      full.weights = read->weights.weights.data();
    }
    give_arrays(full, weights, least_weights, "sinew_weight_arrays");
  });
}

sinew_status sinew_set_weights(sinew_character* character, const sinew_weight_arrays* weights, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Writing written(character, "character");
    SkinWeights made;
    if (weights != nullptr) made = weights_of(arrays_of(weights, least_weights, "sinew_weight_arrays"), *written);
    if (made.empty()) {
      unbind_parts(written->parts);
    } else {
      bind_parts(written->parts, made);
    }
    written->weights = std::move(made);
    written.done();
  });
}

sinew_status sinew_get_motion(const sinew_character* character, size_t index, sinew_motion_arrays* motion,
                              sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    if (index >= read->motions.size()) {
      throw Error(ErrorCode::motion_unknown, "the character has no motion " + std::to_string(index));
    }
    const Motion& from = read->motions[index];
    sinew_motion_arrays full{};
    full.name = from.name.c_str();
    full.frames_per_second = from.frames_per_second;
    full.frame_count = static_cast<std::size_t>(from.frame_count());
    full.joint_count = static_cast<std::size_t>(from.joint_count);
    full.transforms = for_c(from.transforms);
    give_arrays(full, motion, least_motion, "sinew_motion_arrays");
  });
}

sinew_status sinew_add_motion(sinew_character* character, const sinew_motion_arrays* motion, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Writing written(character, "character");
    const auto arrays = arrays_of(motion, least_motion, "sinew_motion_arrays");
    written->motions.push_back(motion_of(arrays, written->skeleton));
  });
}

sinew_status sinew_remove_motion(sinew_character* character, size_t index, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Writing written(character, "character");
    written->motions.erase(motion_at(*written, index));
  });
}

}  // extern "C"
