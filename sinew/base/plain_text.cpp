#include "sinew/base/plain_text.h"

#include <array>
#include <charconv>

namespace sinew {
namespace {

std::string written(double value, std::chars_format format, int digits) {
  std::array<char, 512> buffer;  // the largest number has 309 digits before the point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, digits);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = to_lower(c);
  return result;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, after_star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (after_star != std::string_view::npos) {
      p = after_star;  // let the last star take one character more
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string number_text(double value, int digits) { return written(value, std::chars_format::general, digits); }

std::string fixed_number_text(double value, int decimals) { return written(value, std::chars_format::fixed, decimals); }

std::string scientific_number_text(double value, int decimals) {
  return written(value, std::chars_format::scientific, decimals);
}

}  // namespace sinew
