// Weights that come from other characters: another mesh of the same body, a level of detail, the body under a garment,
// other results for the same file.
//
//   Character shirt = load_character("shirt.glb");
//   transfer_weights(load_character("body.glb"), shirt);      // any mesh at the same place
//   copy_weights(load_character("hero_painted.glb"), hero);   // the same vertices, in any order
//   const Character coat = load_character("hero_biharmonic.glb");
//   combine_weights(hero, {{.source = &coat, .parts = "Coat*"}});
//
// Joints correspond by name, then by body part (anatomy/joint_map.h); weights of a joint that the target does not have
// go to the nearest joint above that it has. A target without skeleton gets the source's, with its motions. Both must
// stand in the same place, in the same unit and rest pose. What weight_tools.h says of all tools holds here too.
#pragma once

#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"
#include "sinew/weight_tools.h"

namespace sinew {

// Which joint of the target stands for which of the source, among those that have weights.
struct JointTransfer {
  int by_name = 0;
  int by_role = 0;                      // the same body part under another name
  std::vector<std::string> replaced{};  // joints of the source whose weights went to a joint above
};

// ---- Transfer ----

struct TransferOptions {
  WeightSelection selection{};  // of the target
  double max_distance = 0.05;   // of the source's bounding diagonal: farther surfaces are no match
  double max_angle = 30;        // degrees between the normals, 0 … 180: others are no match
  bool both_sides = false;      // normals may also point the other way: linings, cloth seen from inside
  int max_influences = 4;       // joints per vertex, 1 … 16
  int threads = 0;              // 0: all cores
};

// In welded vertices of the target.
struct TransferReport {
  WeightChange change{};
  JointTransfer joints{};
  std::size_t matched = 0;    // distance and normal agree: weights of the closest point
  std::size_t inpainted = 0;  // no match: smoothly continued from those around, inside their own piece
  std::size_t guessed = 0;    // in pieces without any match: weights of the closest point, whatever its normal
  double mean_distance = 0;   // of the matches, of the source's bounding diagonal
};

// Abdrashitov, Raichstat, Monsen and Hill, "Robust Skin Weights Transfer via Weight Inpainting" (SIGGRAPH Asia 2023):
// only places where distance and normals agree take weights from the source; all others minimise the energy of
// section 3.2 with those fixed. An armpit or the inside of a sleeve thus never takes what happens to be nearest.
// Throws Error(bad_input) when nothing matches.
SINEW_API TransferReport transfer_weights(const Character& source, Character& target,
                                          const TransferOptions& options = {}, const Progress& progress = {});

// ---- Copy ----

struct CopyOptions {
  WeightSelection selection{};  // of the target
  double tolerance = 1e-4;      // of the bounding diagonal: vertices this near to each other are the same
  int threads = 0;              // 0: all cores
};

// In welded vertices of the target.
struct CopyReport {
  WeightChange change{};
  JointTransfer joints{};
  bool by_order = false;      // both meshes have the same vertices and triangles by number: positions do not count
  std::size_t matched = 0;    // got the weights of their vertex
  std::size_t unmatched = 0;  // keep what they had
};

// Exact weights of the same vertices, in the same or another order, split at the same or other seams. Throws
// Error(bad_input) when no vertex matches; use transfer_weights for other meshes.
SINEW_API CopyReport copy_weights(const Character& source, Character& target, const CopyOptions& options = {},
                                  const Progress& progress = {});

// ---- Combine ----

// Another result for the same character.
struct WeightLayer {
  const Character* source = nullptr;  // the same vertices, as for copy_weights
  std::string parts{};                // only here, by name with patterns; empty: everywhere
  std::vector<float> mask{};          // how much of it, per vertex of the target, 0 … 1; empty: all
};

struct CombineOptions {
  WeightSelection selection{};
  int max_influences = 0;  // joints per vertex, 1 … 16; 0: the most that target or layers have
  double tolerance = 1e-4;
  int threads = 0;  // 0: all cores
};

// One layer over the other, in order: where the mask is 0.3, three tenths of a layer and seven of what is below. Copies
// of a vertex along a seam share the mean of their masks.
SINEW_API WeightChange combine_weights(Character& target, const std::vector<WeightLayer>& layers,
                                       const CombineOptions& options = {}, const Progress& progress = {});

// A mask from painted vertex colours: "red", "green", "blue", "alpha" or "grey" (the mean of the first three). Throws
// Error(bad_input) for a mesh without colours.
SINEW_API std::vector<float> mask_from_colors(const TriangleMesh& mesh, const std::string& channel);

}  // namespace sinew
