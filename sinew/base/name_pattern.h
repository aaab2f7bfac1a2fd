// Names that people choose by pattern: joints and parts. '*' stands for any run of characters, also none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

bool name_matches(std::string_view pattern, std::string_view name);

// Which of `names` a list of words with commas between them means: "Left*,-LeftHand". A word with '-' before it takes
// names away, unless a name begins so; a list that begins with one means all others. Words that matched nothing are put
// into `unknown`.
std::vector<char> names_chosen(const std::vector<std::string>& names, std::string_view words,
                               std::vector<std::string>& unknown);

// The words between commas, without blanks around them and without empty ones.
std::vector<std::string> comma_separated(std::string_view words);

}  // namespace sinew
