#include "sinew/weights/bind_input.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/cancellation.h"
#include "sinew/base/closest_name.h"
#include "sinew/base/name_pattern.h"
#include "sinew/base/plain_text.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

// "Hips, Spine and 3 more".
std::string name_some(const Skeleton& skeleton, const std::vector<int>& joints) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(joints.size(), shown); ++i) {
    text += (i ? ", '" : "'") + skeleton.names[joints[i]] + "'";
  }
  if (joints.size() > shown) text += " and " + std::to_string(joints.size() - shown) + " more";
  return text;
}

// The mesh of the wanted vertices only, and where each went.
TriangleMesh extract(const TriangleMesh& mesh, const std::vector<char>& wanted, std::vector<std::uint32_t>& new_index) {
  TriangleMesh result;
  new_index.assign(mesh.vertex_count(), BindInput::not_bound);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (!wanted[v]) continue;
    if (!mesh.positions[v].allFinite()) {
      throw Error(ErrorCode::mesh_invalid, "vertex " + std::to_string(v) + " has a position that is not finite");
    }
    new_index[v] = static_cast<std::uint32_t>(result.positions.size());
    result.positions.push_back(mesh.positions[v]);
  }
  for (const Triangle& t : mesh.triangles) {
    if (wanted[t[0]] && wanted[t[1]] && wanted[t[2]]) {
      result.triangles.push_back({new_index[t[0]], new_index[t[1]], new_index[t[2]]});
    }
  }
  return result;
}

AABBd joint_box(const Skeleton& skeleton) {
  AABBd box;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.kinds[j] != JointKind::helper) box.extend(skeleton.position(j));
  }
  return box;
}

AABBd mesh_box(const Character& character) {
  Warnings unused;
  const std::vector<char> wanted = vertices_to_bind(character, unused);
  AABBd box;
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    if (wanted[v] && character.mesh.positions[v].allFinite()) box.extend(character.mesh.positions[v].cast<double>());
  }
  return box;
}

// Adds or removes the joints that one comma-separated word of BindOptions::joints speaks of.
void apply_word(std::string word, const Character& character, const std::vector<char>& automatic,
                std::vector<char>& chosen) {
  const Skeleton& skeleton = character.skeleton;
  const bool add = word.front() != '-' || find_joint(skeleton, word) >= 0;
  if (!add) word.erase(0, 1);
  bool found = false;
  std::vector<char> used(skeleton.joint_count(), 0);
  if (word == "weighted") {
    for (std::size_t i = 0; i < character.weights.weights.size(); ++i) {
      if (character.weights.weights[i] > 1e-3f) used[character.weights.joints[i]] = 1;
    }
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const bool meant = word == "auto"       ? automatic[j] != 0
                       : word == "all"      ? skeleton.kinds[j] == JointKind::joint
                       : word == "weighted" ? used[j] != 0
                                            : name_matches(word, skeleton.names[j]);
    if (!meant) continue;
    chosen[j] = add;
    found = true;
  }
  if (!found) {
    const std::string nearest = did_you_mean(word, skeleton.names);
    throw Error(ErrorCode::joint_unknown, "no joint matches '" + word + "'",
                nearest.empty() ? "joints may be: auto, all, weighted, or names of joints" : nearest)
        .about("joints");
  }
}

std::vector<char> choose_joints(const Character& character, const std::string& words,
                                const std::vector<char>& automatic) {
  std::vector<char> chosen(character.skeleton.joint_count(), 0);
  bool first = true;
  for (const std::string& word : comma_separated(words)) {
    if (first && word.front() == '-' && find_joint(character.skeleton, word) < 0) chosen = automatic;
    apply_word(word, character, automatic, chosen);
    first = false;
  }
  return chosen;
}

void warn_about_placement(const Skeleton& skeleton, const std::vector<char>& takes_weight,
                          const Surroundings& surroundings, Warnings& warnings) {
  std::vector<int> outside;
  int total = 0;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!takes_weight[j]) continue;
    ++total;
    const Vec3d p = skeleton.position(j);
    if (!surroundings.encloses(p) && surroundings.distance(p) > 0.02 * surroundings.diagonal()) outside.push_back(j);
  }
  if (outside.empty()) return;
  warnings.push_back({"joints-outside-mesh", std::to_string(outside.size()) + " of " + std::to_string(total) +
                                                 " joints that take weights lie outside the mesh (" +
                                                 name_some(skeleton, outside) +
                                                 "): their weights are guesses; fit the skeleton into the mesh first"});
}

// A root on the floor or a forgotten helper is normal; a good part of the skeleton outside the mesh is not.
void warn_about_left_out(const Skeleton& skeleton, const BoneChoice& choice, Warnings& warnings) {
  const auto taken = std::count(choice.takes_weight.begin(), choice.takes_weight.end(), 1);
  if (choice.outside.size() < 3 || choice.outside.size() * 10 < static_cast<std::size_t>(taken)) return;
  warnings.push_back({"joints-outside-mesh", std::to_string(choice.outside.size()) +
                                                 " joints lie outside the mesh and take no weight (" +
                                                 name_some(skeleton, choice.outside) +
                                                 "); if they should, fit the skeleton into the mesh first"});
}

// The skeleton must at least overlap the mesh.
void require_nearness(const Skeleton& skeleton, const AABBd& mesh) {
  const AABBd joints = joint_box(skeleton);
  const double size = mesh.diagonal().norm();
  if (joints.isEmpty()) throw Error(ErrorCode::skeleton_invalid, "the skeleton has no joint that could take weights");
  const double gap = joints.exteriorDistance(mesh);
  if (gap > 0.1 * size) {
    throw Error(ErrorCode::skeleton_misplaced,
                "the skeleton lies " + number_text(gap / size, 4) + " mesh sizes away from the mesh",
                "fit the skeleton into the mesh first, or use another one");
  }
  const double ratio = joints.diagonal().norm() / size;
  if (ratio > 20 || (skeleton.joint_count() > 1 && ratio < 0.005)) {
    throw Error(ErrorCode::skeleton_misplaced,
                "the skeleton is " + number_text(ratio, 4) + " times as large as the mesh",
                "fit the skeleton into the mesh first, or use another one");
  }
}

void normalise(BindInput& input) {
  AABBd box;
  for (const Vec3f& p : input.mesh.positions) box.extend(p.cast<double>());
  input.centre = box.center();
  input.scale = box.diagonal().norm();
  if (!(input.scale > 0)) throw Error(ErrorCode::mesh_degenerate, "all vertices of the mesh lie at one point");
  for (Vec3f& p : input.mesh.positions) p = ((p.cast<double>() - input.centre) / input.scale).cast<float>();
  for (Affine3d& rest : input.skeleton.rest) rest.translation() = (rest.translation() - input.centre) / input.scale;
}

void warn_about_islands(const BindInput& input, Warnings& warnings) {
  std::vector<AABBd> boxes(input.components.count);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    boxes[input.components.component_of[v]].extend(input.mesh.positions[v].cast<double>());
  }
  std::size_t lonely = 0;
  for (const AABBd& box : boxes) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Bone& bone : input.bones) {
      nearest = std::min(nearest, closest_point_on_bone(bone, box.center()).distance);
    }
    lonely += nearest > 0.25 + 0.5 * box.diagonal().norm();
  }
  if (lonely > 0) {
    warnings.push_back({"islands-far-from-bones", std::to_string(lonely) + " of " +
                                                      std::to_string(input.components.count) +
                                                      " pieces of the mesh lie far from every bone; they follow the "
                                                      "nearest one"});
  }
}

}  // namespace

std::vector<Vec3f> outward_normals(const TriangleMesh& mesh, const Components& components) {
  std::vector<Vec3f> normals = vertex_normals(mesh.positions, mesh.triangles);
  if (mesh.is_point_cloud()) normals.assign(mesh.vertex_count(), Vec3f::Zero());
  std::vector<Vec3d> centre(components.count, Vec3d::Zero());
  constexpr double flat = 0.01;  // 6 volume / area^1.5; a sphere has 0.56
  std::vector<double> members(components.count, 0.0), volume(components.count, 0.0), area(components.count, 0.0);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    centre[components.component_of[v]] += mesh.positions[v].cast<double>();
    members[components.component_of[v]] += 1;
  }
  for (std::size_t c = 0; c < components.count; ++c) centre[c] /= std::max(1.0, members[c]);
  for (const Triangle& t : mesh.triangles) {
    const std::uint32_t c = components.component_of[t[0]];
    const Vec3d a = mesh.positions[t[0]].cast<double>() - centre[c],
                b = mesh.positions[t[1]].cast<double>() - centre[c],
                d = mesh.positions[t[2]].cast<double>() - centre[c];
    volume[c] += a.dot(b.cross(d));
    area[c] += 0.5 * (b - a).cross(d - a).norm();
  }
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const std::uint32_t c = components.component_of[v];
    if (volume[c] < 0) normals[v] = -normals[v];
    if (std::abs(volume[c]) < flat * std::pow(area[c], 1.5)) normals[v].setZero();
  }
  return normals;
}

// Attached parts follow their joint already; in a file that has a skin, what is not skinned does not belong to it.
std::vector<char> vertices_to_bind(const Character& character, Warnings& warnings) {
  const std::size_t count = character.mesh.vertex_count();
  const bool has_skinned = std::any_of(character.parts.begin(), character.parts.end(),
                                       [](const Part& part) { return part.binding == PartBinding::skinned; });
  std::vector<char> wanted(count, character.parts.empty());
  for (const Part& part : character.parts) {
    const bool bound = part.binding == PartBinding::skinned || (part.binding == PartBinding::fixed && !has_skinned);
    std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count, bound);
    if (part.binding == PartBinding::fixed && has_skinned) {
      warnings.push_back({"part-not-bound", "part '" + part.name + "' is not skinned and stays as it is"});
    }
  }
  return wanted;
}

void match_units(Character& character, Warnings& warnings) {
  const AABBd mesh = mesh_box(character), joints = joint_box(character.skeleton);
  if (mesh.isEmpty() || joints.isEmpty()) return;
  const double ratio = joints.diagonal().norm() / mesh.diagonal().norm();
  if (!(ratio > 0) || !std::isfinite(ratio) || (ratio > 0.2 && ratio < 5.0)) return;
  struct Unit {
    double factor;
    const char* name;
  };
  constexpr std::array<Unit, 6> units{{{0.01, "centimetres, the mesh in metres"},
                                       {100.0, "metres, the mesh in centimetres"},
                                       {0.001, "millimetres, the mesh in metres"},
                                       {1000.0, "metres, the mesh in millimetres"},
                                       {0.0254, "inches, the mesh in metres"},
                                       {39.3700787, "metres, the mesh in inches"}}};
  for (const Unit& unit : units) {
    const double size = ratio * unit.factor;
    if (size < 0.4 || size > 1.6) continue;
    for (Affine3d& rest : character.skeleton.rest) rest.translation() *= unit.factor;
    for (Motion& motion : character.motions) {
      for (Transform& transform : motion.transforms) transform.translation *= unit.factor;
    }
    warnings.push_back({"unit-mismatch", std::string("the skeleton seems to be in ") + unit.name +
                                             ": it was scaled by " + number_text(unit.factor, 4)});
    return;
  }
}

namespace {

// Colours, and the normals of a point cloud: of the last vertex that a welded vertex was made from.
void carry_attributes(const TriangleMesh& mesh, BindInput& input) {
  const bool cloud_normals = input.mesh.is_point_cloud() && !mesh.normals.empty();
  if (!mesh.colors.empty()) input.colors.assign(input.vertex_count(), Vec4f::Zero());
  for (std::size_t v = 0; v < input.welded_of.size(); ++v) {
    if (input.welded_of[v] == BindInput::not_bound) continue;
    if (cloud_normals) input.normals[input.welded_of[v]] = mesh.normals[v];
    if (!mesh.colors.empty()) input.colors[input.welded_of[v]] = mesh.colors[v];
  }
}

}  // namespace

BindInput make_bind_input(const Character& character, const BindOptions& options, Warnings& warnings) {
  if (options.max_influences < 1 || options.max_influences > 16) {
    throw Error(ErrorCode::option_out_of_range,
                "max_influences must be 1 … 16, got " + std::to_string(options.max_influences))
        .about("max_influences");
  }
  check_mesh(character.mesh);
  check_skeleton(character.skeleton);
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "there is no skeleton to bind to").about("skeleton");
  }
  BindInput input;
  input.max_influences = options.max_influences;
  input.seed = options.seed;
  std::vector<std::uint32_t> extracted;
  const TriangleMesh wanted = extract(character.mesh, vertices_to_bind(character, warnings), extracted);
  if (wanted.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to bind");
  require_nearness(character.skeleton, mesh_box(character));

  const Weld weld = weld_positions(wanted.positions);
  input.mesh = welded_mesh(wanted, weld);
  input.welded_of = std::move(extracted);
  for (std::uint32_t& vertex : input.welded_of) {
    if (vertex != BindInput::not_bound) vertex = weld.welded_of[vertex];
  }
  input.skeleton = character.skeleton;
  normalise(input);
  stop_if_cancelled();
  input.components = connected_components(input.vertex_count(), input.mesh.triangles);
  input.normals = outward_normals(input.mesh, input.components);
  carry_attributes(character.mesh, input);
  stop_if_cancelled();

  const Surroundings surroundings(input.mesh.positions, input.mesh.triangles);
  BoneChoice choice = choose_bones(input.skeleton, surroundings);
  if (options.joints == "auto") {
    warn_about_left_out(input.skeleton, choice, warnings);
  } else {
    choice.takes_weight = choose_joints(character, options.joints, choice.takes_weight);
    choice.bones = bones_of(input.skeleton, choice.takes_weight, surroundings);
  }
  input.takes_weight = std::move(choice.takes_weight);
  input.bones = std::move(choice.bones);
  if (input.bones.empty()) {
    throw Error(ErrorCode::skeleton_misplaced, "no joint of the skeleton drives a bone inside the mesh",
                "fit the skeleton into the mesh first, or name the joints that take weights")
        .about("joints");
  }
  warn_about_placement(input.skeleton, input.takes_weight, surroundings, warnings);
  warn_about_islands(input, warnings);
  return input;
}

SkinWeights to_character_weights(const Character& character, const BindInput& input, const SkinWeights& welded) {
  SkinWeights result = make_skin_weights(character.mesh.vertex_count(), welded.influences);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    stop_if_cancelled(v);
    if (input.welded_of[v] != BindInput::not_bound) {
      const std::size_t from = static_cast<std::size_t>(input.welded_of[v]) * welded.influences;
      std::copy_n(welded.joints.begin() + static_cast<std::ptrdiff_t>(from), welded.influences,
                  result.joints.begin() + static_cast<std::ptrdiff_t>(v * welded.influences));
      std::copy_n(welded.weights.begin() + static_cast<std::ptrdiff_t>(from), welded.influences,
                  result.weights.begin() + static_cast<std::ptrdiff_t>(v * welded.influences));
    } else if (character.has_skin()) {
      std::vector<Influence> own;
      const std::size_t from = v * character.weights.influences;
      for (int slot = 0; slot < character.weights.influences; ++slot) {
        own.push_back({character.weights.joints[from + slot], character.weights.weights[from + slot]});
      }
      set_influences(result, v, std::move(own));
    }
  }
  return result;
}

}  // namespace sinew
