// What a weight method works on: one welded surface and the bones that may drive it, in a unit box.
//
// make_bind_input turns a Character into it, once, for every method: it welds seams, leaves out attached parts, decides
// which joints take weights (bones.h), and finds, repairs and reports what is wrong between mesh and skeleton. Methods
// only see clean input in normalised space, so their answers do not change with the unit of the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/bind.h"
#include "sinew/character.h"
#include "sinew/mesh/components.h"
#include "sinew/weights/bones.h"

namespace sinew {

struct BindInput {
  TriangleMesh mesh;  // welded: positions and triangles; normalised space, bounding diagonal 1
  // Per welded vertex, unit length, outwards; zero where there is no outside (flat pieces); of a point cloud: the
  // file's own, or zero.
  std::vector<Vec3f> normals;
  std::vector<Vec4f> colors;  // per welded vertex, or empty: as painted in the file
  Components components;
  Skeleton skeleton;               // all joints; rest transforms in normalised space
  std::vector<char> takes_weight;  // per joint
  std::vector<Bone> bones;         // at least one; normalised space; in order of joint
  int max_influences = 4;
  std::uint64_t seed = 1;

  // How to get back: p_character = p * scale + centre; welded vertex of each vertex of the character, or not_bound.
  double scale = 1.0;
  Vec3d centre = Vec3d::Zero();
  std::vector<std::uint32_t> welded_of;
  static constexpr std::uint32_t not_bound = ~std::uint32_t{0};

  std::size_t vertex_count() const { return mesh.vertex_count(); }
  int joint_count() const { return skeleton.joint_count(); }
};

// Which vertices of a character are bound: not those of attached parts, and in a file that has a skin not those that
// it leaves out. What is left out is told in `warnings`.
std::vector<char> vertices_to_bind(const Character& character, Warnings& warnings);

// Unit normals of a welded mesh that point outwards, piece by piece: files wound inside out are common, and methods ask
// on which side of the skin a bone lies. The sign of a piece's volume around its own centre decides; it also serves open
// pieces. Pieces so flat that the sign would be chance (cards of hair, decals) and points without triangles have no side:
// their normals are zero.
std::vector<Vec3f> outward_normals(const TriangleMesh& mesh, const Components& components);

// Throws Error(bad_input) when there is nothing to bind or the skeleton lies nowhere near the mesh; Error(usage) for a
// joint name that does not exist. Of the options only max_influences, joints and seed are looked at. What was repaired
// or looks doubtful is added to `warnings`. The character's skeleton must already be in its final place and size (see
// match_units).
BindInput make_bind_input(const Character& character, const BindOptions& options, Warnings& warnings);

// A skeleton in other units than the mesh (metres against centimetres, millimetres, inches) is scaled to fit, together
// with the motions, and a warning says by how much. Nothing changes when the sizes agree,
// or when no unit explains the difference.
void match_units(Character& character, Warnings& warnings);

// Weights of the welded vertices brought back to the character: seam vertices get the same weights, attached parts
// keep their own, parts that were not bound stay without weight.
SkinWeights to_character_weights(const Character& character, const BindInput& input, const SkinWeights& welded);

}  // namespace sinew
