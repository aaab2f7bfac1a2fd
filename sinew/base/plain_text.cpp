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

std::string number_text(double value, int digits) { return written(value, std::chars_format::general, digits); }

std::string fixed_number_text(double value, int decimals) { return written(value, std::chars_format::fixed, decimals); }

std::string scientific_number_text(double value, int decimals) {
  return written(value, std::chars_format::scientific, decimals);
}

}  // namespace sinew
