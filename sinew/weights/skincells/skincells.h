// SkinCells as a weight method: a sparse weight field, optimised so that the skin deforms well over sampled poses.
//
// "SkinCells: Sparse Skinning using Voronoi Cells", sections 3.4–3.6. Differences, because they measure better or
// faster: cells start as clusters of the skin that bone heat gives to a joint, and are first fitted to those weights;
// optimising over poses keeps near them (`prior`); a fitted field is sparse from the start, so relaxation is only
// needed when starting from the bones; dense meshes are optimised on evenly spread samples of their surface, in
// mini-batches, so the time hardly depends on the number of vertices. docs/methods/skincells.md has the numbers.
#pragma once

#include <functional>
#include <span>

#include "sinew/weights/method.h"
#include "sinew/weights/pins.h"
#include "sinew/weights/skincells/skincells_field.h"

namespace sinew {

// How much of the field may move while optimising: the source's ablations (its sections 4.1 and 4.2).
enum class SkinCellsModel : std::uint8_t {
  full,
  sparse_falloff,  // sites stay on the bones with round metrics; only the falloffs move
  falloff,         // the same without sparsity control: 1 / distance^falloff, cut to the strongest l afterwards
};

struct SkinCellsOptions {
  SkinCellsModel model = SkinCellsModel::full;  // all but full start from the bones and need fit_steps = 0
  int sites_per_cell = 12;                      // m
  int samples = 3000;                           // at most this many vertices are posed
  int fit_samples = 12000;                      // at most this many vertices are fitted to
  int random_poses = 512;                       // drawn within joint limits
  int batch = 16;                               // poses per step
  int fit_steps = 400;                          // to bone heat; 0 starts from the bones alone, as the source does
  int pose_steps = 300;                         // over poses; fewer when converged
  double softness = 1.0;                        // > 1: smoother, follows the skeleton less; divides the location weight
  double stretch = 4000.0;          // weight of the edges' relative change in length beside that of smoothness
  double prior = 300.0;             // how strongly the fitted weights hold while optimising over poses; 0 = not at all
  std::vector<Pose> poses;          // used instead of random ones when not empty; of the input's skeleton
  std::vector<WeldedPin> pins;      // painted weights
  SkinWeights reference;            // per vertex of the input: fitted to these instead of bone heat; empty: bone heat
  const Character* body = nullptr;  // a garment is kept outside this skinned body; shares the garment's rig
  std::span<const std::byte> resume;                           // a state to go on from; empty: from the start
  std::function<void(std::span<const std::byte>)> save_state;  // receives the state now and then; may be null
};

struct SkinCellsReport {
  int steps = 0;  // over poses
  bool converged = false;
  double first_loss = 0, last_loss = 0;
};

// The optimised field, with relaxation 0, rounded as its file stores it. It takes points in character space.
SkinCellField optimise_skincells(const BindInput& input, const SkinCellsOptions& options, const Progress& progress = {},
                                 SkinCellsReport* report = nullptr);

// Weights of the input's vertices from a field made by optimise_skincells for it.
SkinWeights skincells_weights(const BindInput& input, const SkinCellField& field);

// Poses of every motion of a file, evenly spread, brought to the input's skeleton by joint names. Throws
// Error(bad_input) when it has no motion or no joint in common.
std::vector<Pose> poses_from_motions(const Character& source, const BindInput& input, int most);

WeightMethod skincells_method();

}  // namespace sinew
