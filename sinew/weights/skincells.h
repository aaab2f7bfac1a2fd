// SkinCells as a weight method: a sparse weight field, optimised so that the skin deforms well over sampled poses.
//
// "SkinCells: Sparse Skinning using Voronoi Cells", sections 3.4–3.6. Differences, because they measure better or
// faster: distances start in units of the limb's thickness; the field is first fitted to bone heat, which knows the
// surface, before it is optimised over poses; the relaxation is annealed to zero, so the result needs no truncation;
// dense meshes are optimised on evenly spread samples of their surface, so the time hardly depends on the number of
// vertices.
#pragma once

#include "sinew/weights/method.h"
#include "sinew/weights/skincells_field.h"

namespace sinew {

struct SkinCellsOptions {
  int sites_per_cell = 6;  // m
  int samples = 4000;      // at most this many vertices are optimised over
  int poses = 512;         // random poses within joint limits
  int batch = 16;          // poses per step
  int fit_steps = 300;     // to bone heat; 0 starts from the bones alone
  int pose_steps = 800;    // over poses; fewer when converged
  double learning_rate = 2e-3;
  double softness = 1.0;          // > 1: smoother, follows the skeleton less; divides the location weight
  std::vector<Pose> given_poses;  // used instead of random ones when not empty; of the input's skeleton
};

struct SkinCellsReport {
  int steps = 0;
  bool converged = false;
  double first_loss = 0, last_loss = 0;
};

// The optimised field, with relaxation 0. Character space is the space of the character that `input` was made from.
SkinCellField optimise_skincells(const BindInput& input, const SkinCellsOptions& options, const Progress& progress = {},
                                 SkinCellsReport* report = nullptr);

SkinWeights skincells_weights(const BindInput& input, const SkinCellsOptions& options, const Progress& progress,
                              Warnings& warnings);

WeightMethod skincells_method();

}  // namespace sinew
