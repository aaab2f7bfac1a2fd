// What can be said about one way to read a mesh as a body, in numbers: what the judge (fit_judge.h) decides on.
//
// Lengths are in heights of the body, so that the size of the file does not matter. Left and right are given as their
// mean and their difference.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/fit/body_shape.h"
#include "sinew/fit/neural_shape.h"
#include "sinew/recognise.h"

namespace sinew {

// Features that are about the same thing: a refusal names the one that speaks most against a reading.
enum class FeatureGroup { proportions, thickness, symmetry, inside, loose_ends, facing, networks, kind };
inline constexpr int feature_group_count = 8;

struct FeatureInfo {
  std::string_view name;
  FeatureGroup group = FeatureGroup::proportions;
};

// In the order of reading_features.
inline constexpr int reading_feature_count = 93;
std::span<const FeatureInfo> reading_feature_infos();

// `look`: what the networks see along the reading's up axis, `recognised`: what the mesh shows; null: nothing is known
// of it.
std::vector<float> reading_features(const BodyShape& reading, const VoxelSolid& solid, const NetworkLook* look,
                                    const RecognisedBody* recognised);

// The last of them, for every reading of a mesh the same: how probably it is a person, a four-legged animal, no creature,
// and the most probable of all other kinds.
inline constexpr int reading_kind_features = 4;
std::array<float, reading_kind_features> kind_part_of_features(std::span<const double> probabilities);

}  // namespace sinew
