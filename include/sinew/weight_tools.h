// Tools for skin weights that a character has already, whoever made them: mirror, smooth, prune, limit.
//
//   Character hero = load_character("hero.glb");
//   mirror_weights(hero, {.from = MirrorFrom::left});
//   smooth_weights(hero, {.selection = {.vertices = vertices_of_parts(hero, "Coat*")}, .iterations = 10});
//   limit_influences(hero, {.max_influences = 4});
//   save_character(hero, "hero_clean.glb");
//
// What all tools keep to:
// - They work on welded positions: copies of a vertex along a UV or normal seam get identical weights.
// - Weights stay valid (skin_weights.h): not negative, sum 1, at most as many influences as asked for.
// - Attached and fixed parts stay as they are, and so does every vertex that a tool does not change, to the bit.
// - Same input, same options: same bits, at any number of threads.
// - They throw Error(bad_input) for a character without weights, Error(usage) for options out of range; the character
//   is then unchanged.
// weight_transfer.h takes weights from other characters, weight_files.h writes and reads them as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

// What a tool may touch.
struct WeightSelection {
  std::vector<std::uint32_t> vertices{};  // of the character; empty: all. Copies along a seam follow
  std::vector<int> locked{};              // joints whose weights stay as they are; the others share what is left
};

// Joints by name: "Hand", "Left*,-LeftHand". '*' stands for any run of characters, '-' takes joints away again.
// In order. Throws Error(usage) for a word that matches nothing.
SINEW_API std::vector<int> joints_matching(const Skeleton& skeleton, const std::string& patterns);
// The same for the vertices of parts.
SINEW_API std::vector<std::uint32_t> vertices_of_parts(const Character& character, const std::string& patterns);

// What a tool did.
struct WeightChange {
  std::size_t skinned = 0;     // vertices that have weights and could change
  std::size_t changed = 0;     // vertices whose weights are others now
  double largest_change = 0;   // 0 … 1: the most weight that went from some joints to others at one vertex
  double mean_change = 0;      // the same, the mean over the vertices that changed
  double mean_influences = 0;  // per skinned vertex, afterwards
  int max_influences = 0;      // most that any skinned vertex has, afterwards
  Warnings warnings{};
};

// ---- Mirror ----

enum class MirrorFrom : std::uint8_t { left, right };  // the body's own left and right

struct MirrorOptions {
  WeightSelection selection{};  // of the vertices that may change
  MirrorFrom from = MirrorFrom::left;
  // Where both sides have the same connectivity, vertices pair up by it, also where the shape is not symmetric.
  bool by_topology = true;
  double vertex_tolerance = 0.001;  // of the bounding diagonal: a vertex this near to the mirrored place is the one
  double reach = 0.03;              // of the bounding diagonal: how far the other side's surface may be
  int threads = 0;                  // 0: all cores
};

// How the vertices of the side that changes found their image, in welded vertices.
struct MirrorReport {
  WeightChange change{};
  std::size_t by_topology = 0;
  std::size_t by_vertex = 0;    // another vertex lies at the mirrored place
  std::size_t by_surface = 0;   // the closest point of the surface whose normal agrees, interpolated
  std::size_t middle = 0;       // their own image: both sides get the mean
  std::size_t unmatched = 0;    // nothing within reach: unchanged
  std::size_t joint_pairs = 0;  // left and right joints
  std::vector<int> unpaired{};  // joints of one side without counterpart: their weights go to the joint above
};

// One side's weights for both. Joints pair up as mirror_joints (body_frame.h) says, which also gives the plane.
// Throws Error(bad_input) when no two joints are each other's mirror image.
SINEW_API MirrorReport mirror_weights(Character& character, const MirrorOptions& options = {},
                                      const Progress& progress = {});

// ---- Smooth ----

struct SmoothOptions {
  WeightSelection selection{};
  std::vector<int> joints{};  // whose weights are smoothed, the others give way; empty: all
  double strength = 0.5;      // 0 … 1: how far a weight goes to the mean around it, each time
  int iterations = 5;         // 0 … 1000
  int max_influences = 0;     // joints per vertex, 1 … 16; 0: the most that any vertex has now
  int threads = 0;            // 0: all cores
};

// Diffusion over the surface with the weights of a robust Laplacian (mesh/laplacian.h), so that the size and shape of
// triangles hardly count. Vertices that are not selected are the boundary. Vertices without weight get those around.
SINEW_API WeightChange smooth_weights(Character& character, const SmoothOptions& options = {},
                                      const Progress& progress = {});

// ---- Prune ----

struct PruneOptions {
  WeightSelection selection{};
  std::vector<int> joints{};  // whose influences may go; empty: all
  double threshold = 0.01;    // 0 … 1: weights below it go; the strongest of a vertex stays
  int threads = 0;            // 0: all cores
};

SINEW_API WeightChange prune_weights(Character& character, const PruneOptions& options = {},
                                     const Progress& progress = {});

// ---- Limit ----

struct LimitOptions {
  WeightSelection selection{};
  int max_influences = 4;  // joints per vertex, 1 … 16
  int poses = 48;          // in which the error is measured: of the motions, and random ones within joint limits
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
};

// Distances between the skin before and after, over other poses than those the weights were fitted to, divided by the
// bounding diagonal. Over all vertices that had too many influences.
struct LimitReport {
  WeightChange change{};
  std::size_t reduced = 0;  // vertices that had too many influences
  double mean_error = 0, max_error = 0;
  double truncated_mean_error = 0, truncated_max_error = 0;  // of keeping the strongest and normalising
};

// Fewer influences with the least change of the moving skin: which joints stay, and with what weights, is decided for
// every vertex by least squares over poses (weights not negative, sum 1), instead of keeping the strongest.
SINEW_API LimitReport limit_influences(Character& character, const LimitOptions& options = {},
                                       const Progress& progress = {});

}  // namespace sinew
