#include "sinew/base/name_pattern.h"

#include <algorithm>

namespace sinew {

bool name_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;  // the last '*', and what it may still swallow
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> comma_separated(std::string_view words) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    std::string word(words.substr(begin, end - begin));
    word.erase(0, word.find_first_not_of(' '));
    while (!word.empty() && word.back() == ' ') word.pop_back();
    if (!word.empty()) result.push_back(std::move(word));
    begin = end + 1;
  }
  return result;
}

std::vector<char> names_chosen(const std::vector<std::string>& names, std::string_view words,
                               std::vector<std::string>& unknown) {
  std::vector<char> chosen(names.size(), 0);
  bool first = true;
  for (std::string word : comma_separated(words)) {
    const bool add = word.front() != '-' || std::find(names.begin(), names.end(), word) != names.end();
    if (!add) word.erase(0, 1);
    if (first && !add) chosen.assign(names.size(), 1);
    first = false;
    bool found = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!name_matches(word, names[i])) continue;
      chosen[i] = add;
      found = true;
    }
    if (!found) unknown.push_back(word);
  }
  return chosen;
}

}  // namespace sinew
