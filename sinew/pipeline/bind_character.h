// Binding a character in one call: from a mesh and a skeleton to weights, by any registered method.
//
//   Character character = load_character("hero.glb");
//   BindReport report = bind_character(character, find_weight_method("heat"));
//   save_character(character, "hero_bound.glb");
#pragma once

#include "sinew/weights/method.h"

namespace sinew {

struct BindReport {
  Warnings warnings;
  double prepare_seconds = 0;  // welding, choosing bones, checking
  double solve_seconds = 0;    // the method itself
  std::size_t vertices = 0;    // bound, as stored in the file
  std::size_t welded_vertices = 0;
  std::size_t pieces = 0;      // connected components of the welded mesh
  std::vector<int> joints;     // that take weights
  std::size_t unweighted = 0;  // bound vertices without weight: 0 unless a method is broken
  double mean_influences = 0;  // per bound vertex
  int max_influences = 0;      // most that any bound vertex has
};

// Gives the character another skeleton and its motions (from a GLB, FBX or BVH). Old weights and motions go; attached
// parts follow the joint of the same name, or are bound like the rest when there is none (said in `warnings`).
// Throws Error(bad_input) when `source` has no skeleton.
void use_skeleton_of(const Character& source, Character& character, Warnings& warnings);

// Replaces the character's weights; bound parts become skinned, attached parts keep theirs. A skeleton in another unit
// is scaled first (match_units). Throws Error as make_bind_input and the method do; the character is then unchanged.
BindReport bind_character(Character& character, const WeightMethod& method, const OptionValues& values = {},
                          const BindInputOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
