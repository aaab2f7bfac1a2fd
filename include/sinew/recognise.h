// What a mesh shows: which kind of body, which way it stands and faces, and in which pose.
//
//   RecognisedBody body = recognise_body(load_character("stork.obj"));
//   if (body.kind == CreatureKind::bird) …           // body.probability_of(CreatureKind::bird) says how surely
//
// Geometry and small trained models together: the inside of the mesh as voxels and curves, and what the shipped networks
// see of it, are put into numbers that do not depend on its size, and boosted trees decide. Nothing is learned from
// names, materials or skeletons: a bare mesh is enough. docs/recognise.md says how often it is right.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sinew/body_frame.h"
#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

enum class CreatureKind {
  person,  // two arms and two legs, however it looks
  four_legs,
  bird,                // and bats
  fish,                // and whales
  snake,               // and worms
  many_legs,           // insects, spiders, crabs, squids
  two_legs_and_tail,   // two-legged dinosaurs, kangaroos
  winged_four_legged,  // dragons
  hand,
  head,
  not_a_creature,  // things, plants, and what has no limbs
};
inline constexpr int creature_kind_count = 11;

// "person", "four legs", "bird", "fish or whale", … in the order of CreatureKind.
SINEW_API std::string_view kind_name(CreatureKind kind);
// "a person", "a four-legged animal", … for sentences.
SINEW_API std::string_view kind_in_words(CreatureKind kind);

// How a person holds the arms.
enum class RestPose {
  t,          // level
  a,          // sloping
  arms_down,  // hanging beside the body
  other,      // anything else: bent, raised, the two not alike
};
// "T", "A", "arms down", "other".
SINEW_API std::string_view pose_name(RestPose pose);

struct RecogniseOptions {
  int cells = 96;                 // of the voxel grid along the longest side, 48 … 256
  Vec3d up = Vec3d::Zero();       // which way is up, any length; zero: look for it among the six axes
  Vec3d forward = Vec3d::Zero();  // which way it faces, any length, not along `up`; zero: look for it
  int threads = 0;                // 0: all cores
};

struct RecognisedBody {
  CreatureKind kind = CreatureKind::not_a_creature;         // the most probable
  std::array<double, creature_kind_count> probabilities{};  // per kind, 0 … 1; together 1
  BodyFrame frame;                                          // of the mesh: left, up, forward
  double up_probability = 0;                                // that frame.up is right; 1 when it was given
  double forward_probability = 0;      // that frame.forward is right, if up is; 1 when it was given
  Vec3d mirror_point = Vec3d::Zero();  // a point of the plane between left and right
  double symmetry = 0;                 // share of the inside whose mirror image is inside, 0 … 1
  std::optional<RestPose> pose;        // of a person
  double pose_probability = 0;         // that it is in this pose, if it is a person

  double probability_of(CreatureKind which) const { return probabilities[static_cast<std::size_t>(which)]; }
};

// Looks at the character's mesh without what hangs on single joints (weapons). Same answer at any thread count; about
// 0.3 s. Works on open meshes, soups and point clouds. Throws Error(bad_input) when the mesh has no inside or is empty,
// Error(usage) for options out of range.
SINEW_API RecognisedBody recognise_body(const Character& character, const RecogniseOptions& options = {},
                                        const Progress& progress = {});
SINEW_API RecognisedBody recognise_body(const TriangleMesh& mesh, const RecogniseOptions& options = {},
                                        const Progress& progress = {});

}  // namespace sinew
