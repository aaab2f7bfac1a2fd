// What can be said about one way to read a mesh as a body, in numbers: what the judge (fit_judge.h) decides on.
//
// Lengths are in heights of the body, so that the size of the file does not matter. Left and right are given as their
// mean and their difference.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/fit/body_shape.h"
#include "sinew/fit/neural_shape.h"

namespace sinew {

// Features that are about the same thing: a refusal names the one that speaks most against a reading.
enum class FeatureGroup { proportions, thickness, symmetry, inside, loose_ends, facing, networks };
inline constexpr int feature_group_count = 7;

struct FeatureInfo {
  std::string_view name;
  FeatureGroup group = FeatureGroup::proportions;
};

// In the order of reading_features.
std::span<const FeatureInfo> reading_feature_infos();

// `look`: what the networks see along the reading's up axis; null: nothing is known of it.
std::vector<float> reading_features(const BodyShape& reading, const VoxelSolid& solid, const NetworkLook* look);

}  // namespace sinew
