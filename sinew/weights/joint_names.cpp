#include "sinew/weights/joint_names.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <vector>

namespace sinew {
namespace {

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)); }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)); }

// "IKBackLeg.L_end" → ik, back, leg, l, end. Words break at anything but letters, at lower→UPPER, and before the last
// capital of a run that a small letter follows.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!std::isalpha(static_cast<unsigned char>(c))) {
      finish();
      continue;
    }
    const bool after_lower = i > 0 && is_lower(name[i - 1]);
    const bool ends_capitals = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (is_upper(c) && (after_lower || ends_capitals)) finish();
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  finish();
  return words;
}

bool contains_any(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

bool is_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

}  // namespace

bool is_end_marker_name(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_any(word, {"end", "nub", "tip", "leaf", "endsite", "effector", "eff"}) ||
           (word.size() > 3 && word.ends_with("nub"));
  });
}

bool is_control_name(std::string_view name) {
  for (const std::string& word : words_of(name)) {
    if (is_any(word, {"ik", "fk", "pole", "pt", "target", "ctrl", "ctl", "control", "controller", "prop", "mch",
                      "locator", "camera", "cam", "footsteps"}) ||
        contains_any(word, {"slot", "socket", "attach", "weapon"})) {
      return true;
    }
  }
  return false;
}

bool is_fingertip_name(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.ends_with("4") && contains_any(lower, {"index", "middle", "ring", "pinky", "little", "thumb", "finger"});
}

}  // namespace sinew
