// From a mesh and its bones to what SkinCells optimises: a first field, sample points with neighbours, springs, poses.
//
// Internal to the skincells method.
#pragma once

#include <vector>

#include "sinew/base/random.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/skincells/skincells_field.h"
#include "sinew/weights/skincells/skincells_loss.h"

namespace sinew::skincells {

// The length a character has in loss units: "centimetres" of a person (the source weighs its losses for that unit).
constexpr double loss_size = 180.0;
// Loss units per unit of the input.
double loss_scale(const BindInput& input);

// One cell per joint that takes weight, sites on its bones (section 3.4), distances measured in units of the
// limb's own thickness so that a thick thigh reaches further than a thin finger.
SkinCellField initial_field(const BindInput& input, int sites_per_cell, Random& random);

// Moves every cell's sites to where given weights (per vertex of the input) say that its joint drives the skin.
void place_sites(SkinCellField& field, const BindInput& input, const SkinWeights& weights,
                 const std::vector<std::uint32_t>& samples);

// At most `count` of the mesh's vertices, evenly spread; all of them when there are no more. Neighbours in space are
// mostly neighbours in the list, which keeps blocks of points busy with few cells.
std::vector<std::uint32_t> spread_samples(const BindInput& input, std::size_t count);

// Points, neighbours and springs of the problem; poses and pins are added by the caller. Neighbours are the mesh's
// edges when every vertex is a sample, otherwise the nearest samples of the same piece on the same side of the surface;
// for a point cloud, the nearest points.
Problem make_problem(const BindInput& input, const SkinCellField& field, const std::vector<std::uint32_t>& samples);

// Adds poses to the problem. `poses` belong to input.skeleton.
void add_poses(Problem& problem, const BindInput& input, const SkinCellField& field, const std::vector<Pose>& poses);

}  // namespace sinew::skincells
