// Whether a way to read a mesh as a body is right: one small trained model for people, one for four-legged bodies.
//
// Trained on right readings and on wrong ones, natural (other creatures, things, limbs that were not found) and
// deliberate (facing backwards, antlers as arms, lying): bench/judge.cpp makes the examples and trains. "Right" means
// that limb joints are on average within 0.03 of the bounding diagonal of the artist's, facing included. For four-legged
// bodies it is 0.1: their artists place the joints of legs by very different customs, and a fit that faces backwards
// is off by 0.3 and more.
#pragma once

#include <string>

#include "sinew/fit/reading_features.h"
#include "sinew/learn/boosted_trees.h"

namespace sinew {

class FitJudge {
 public:
  // The one that comes with the library. Made on first use; safe from any thread.
  static const FitJudge& shipped();
  // Throws Error(bad_input) for a file that is not a judge of these features. It may have learned without the last of
  // them, the kind of body.
  explicit FitJudge(const NetworkFile& file);

  // `features`: of reading_features. 0 … 1.
  double probability(bool four_legs, std::span<const float> features) const;

  // The group of features that speaks most against a reading: with what is typical of right readings in its place, the
  // reading would be the most probable.
  FeatureGroup main_objection(bool four_legs, std::span<const float> features) const;

 private:
  struct Model {
    BoostedTrees trees;
    std::vector<float> typical;  // median over right readings
  };
  Model people_, four_legs_;
};

// What an objection says of a mesh: "parts of the mesh belong to no limb: a tail, wings, antlers or something carried".
std::string objection_text(FeatureGroup group, bool four_legs);

}  // namespace sinew
