// Reads words and numbers from text in memory, fast and without allocation. Shared by the text formats.
//
// Blanks are spaces, tabs, carriage returns and other control characters; a line ends at '\n', or at a '\r' that is
// not followed by one. Numbers do not depend on the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/base/file_bytes.h"
#include "sinew/error.h"

namespace sinew {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  std::size_t line() const { return line_; }  // 1 for the first
  std::string_view rest() const { return {at_, bytes_left()}; }

  // The next word of this line; empty at the end of the line. A backslash before the line's end joins two lines.
  std::string_view word();
  // The next word of this or a later line; empty at the end of the text. A word that begins with `comment` (0: none)
  // and the rest of its line are skipped.
  std::string_view word_anywhere(char comment = 0);
  // What is left of this line without its end and surrounding blanks; goes to the next line.
  std::string_view rest_of_line();
  // Goes to the beginning of the next line.
  void next_line();
  bool at_line_end();

  // Numbers of this line. False when the line ends or the word is no number; the word is not consumed then.
  bool try_number(double& value);
  bool try_integer(std::int64_t& value);

  // Error "line N: message", of a damaged file unless said otherwise.
  Error error(const std::string& message, const std::string& advice = {}) const;
  Error error(ErrorCode code, const std::string& message, const std::string& advice = {}) const;

 private:
  void skip_blanks();

  const char* at_;
  const char* end_;
  std::size_t line_ = 1;
};

// The whole word as a number; false when it is none. "nan" and "inf" are numbers, too large ones become infinite.
bool parse_number(std::string_view word, double& value);
bool parse_integer(std::string_view word, std::int64_t& value);

// A word of a file for an error message: cut when long, unprintable bytes replaced.
std::string shown(std::string_view word);

bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace sinew
