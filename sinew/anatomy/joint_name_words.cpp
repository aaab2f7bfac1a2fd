#include "sinew/anatomy/joint_name_words.h"

#include <algorithm>
#include <array>

#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

std::vector<std::string> cut(std::string_view name) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c) && !is_digit(c)) continue;
    const char before = i > 0 ? name[i - 1] : ' ', after = i + 1 < name.size() ? name[i + 1] : ' ';
    const bool starts = pieces.empty() || (!is_letter(before) && !is_digit(before)) ||
                        is_digit(c) != is_digit(before) || (is_upper(c) && !is_upper(before)) ||
                        (is_upper(c) && is_upper(before) && is_letter(after) && !is_upper(after));
    if (starts) pieces.emplace_back();
    pieces.back() += to_lower(c);
  }
  return pieces;
}

template <std::size_t count>
bool is_one_of(const std::string& word, const std::array<std::string_view, count>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// What exporters and rigging tools put around the names that matter.
constexpr std::array<std::string_view, 19> noise = {"mixamorig", "def",   "org", "bip",  "bone",     "joint", "jnt",
                                                    "skeleton",  "sk",    "b",   "j",    "p",        "c",     "m",
                                                    "valve",     "biped", "jt",  "xtra", "character"};

// Body parts that are written in one word with a single letter for the side: "lhand", "rfoot".
constexpr std::array<std::string_view, 18> parts_after_letter = {
    "hand", "foot", "arm",   "leg",   "thigh", "shin", "calf",   "knee",     "elbow",
    "toe",  "eye",  "thumb", "wrist", "ankle", "ear",  "collar", "shoulder", "fingers"};

BodySide side_of_word(std::string& word) {
  if (word == "l" || word == "left" || word == "lft" || word == "lf") return word.clear(), BodySide::left;
  if (word == "r" || word == "right" || word == "rgt" || word == "rt") return word.clear(), BodySide::right;
  if (word.size() > 4 && word.starts_with("left")) return word.erase(0, 4), BodySide::left;
  if (word.size() > 5 && word.starts_with("right")) return word.erase(0, 5), BodySide::right;
  if (word.size() > 1 && (word[0] == 'l' || word[0] == 'r') && is_one_of(word.substr(1), parts_after_letter)) {
    const BodySide side = word[0] == 'l' ? BodySide::left : BodySide::right;
    return word.erase(0, 1), side;
  }
  return BodySide::centre;
}

}  // namespace

bool NameWords::has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

NameWords split_name(std::string_view name) {
  const std::size_t prefix = name.find_last_of(":|");
  if (prefix != std::string_view::npos && prefix + 1 < name.size()) name.remove_prefix(prefix + 1);
  NameWords result;
  bool after_noise = false;
  for (std::string& piece : cut(name)) {
    if (is_digit(piece[0])) {
      if (!after_noise) result.numbers.push_back(piece);  // not the 01 of "Bip01"
      continue;
    }
    const BodySide side = side_of_word(piece);
    if (side != BodySide::centre) result.side = side;
    after_noise = !piece.empty() && is_one_of(piece, noise) && piece != "joint";
    if (piece.empty() || is_one_of(piece, noise)) continue;
    result.words.push_back(piece);
    result.joined += piece;
  }
  return result;
}

}  // namespace sinew
