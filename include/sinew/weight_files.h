// Skin weights as text: for scripts, spreadsheets and programs that know neither glTF nor Sinew.
//
//   std::string json = write_weights_json(hero);
//   WeightChange change = read_weights(edited, hero);   // JSON or CSV, whichever it is
//
// docs/formats/weights.md describes both forms. Numbers are the shortest text that gives the same float again, so
// weights survive the way out and back to the bit.
#pragma once

#include <string>
#include <string_view>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/weight_tools.h"

namespace sinew {

// Of the skinned vertices. Throws Error(bad_input) for a character without weights.
SINEW_API std::string write_weights_json(const Character& character);
SINEW_API std::string write_weights_csv(const Character& character);

// Sets the weights of the vertices that the text names; all others keep theirs. Joints are named as in the skeleton, with
// prefixes and separators free. Weights of a vertex are scaled to sum 1, and copies of a vertex along a seam share the
// mean of what was given for them. A character without weights gets them. Throws Error(bad_input), naming the line or
// entry, for text that is neither form, vertices or joints that do not exist, weights that are negative, not finite or
// all zero, and more than 16 joints at a vertex; the character is then unchanged.
SINEW_API WeightChange read_weights(std::string_view text, Character& character, const WeightSelection& selection = {});

}  // namespace sinew
