// Builds the text of a file in memory: shortest numbers that read back as the same float, independent of the locale.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace sinew {

class TextWriter {
 public:
  TextWriter& operator<<(std::string_view text) {
    text_.append(text);
    return *this;
  }
  TextWriter& operator<<(char c) {
    text_.push_back(c);
    return *this;
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number> TextWriter& operator<<(Number value) {
    char buffer[40];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    text_.append(buffer, result.ptr);
    return *this;
  }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// A name that a line-based format can hold: line ends and other control characters become '_'; never empty.
std::string line_name(std::string_view name, std::string_view when_empty);

}  // namespace sinew
