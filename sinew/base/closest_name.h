// What somebody meant who mistyped a name: commands, options, methods, joints, motions.
//
// Distance is optimal string alignment (Damerau and Levenshtein with each letter touched once): a letter missing, added,
// wrong, or two neighbours swapped count one each; case counts nothing. A name is near when the distance is at most one,
// or a third of the longer of both. What was typed also stands for names it begins, from three letters on, and a prefix
// that ends in a colon ("mixamorig:LeftArm") may be left out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names`, all of them when several are equally near, at most three, in their order. Empty when none is.
std::vector<std::string> closest_names(std::string_view typed, const std::vector<std::string>& names);

// "did you mean rig?", "did you mean fit or bind?"; empty when no name is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);
// The same with all there are, for lists that are short: "did you mean heat? there are: atlas, biharmonic, heat".
std::string choices_for(std::string_view typed, const std::vector<std::string>& names);

// "atlas, biharmonic, heat".
std::string listed(const std::vector<std::string>& names);

}  // namespace sinew
