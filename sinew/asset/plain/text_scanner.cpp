#include "sinew/asset/plain/text_scanner.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Everything up to the space character, except line ends.
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' && !is_line_end(c); }

bool ends_word(char c) { return static_cast<unsigned char>(c) <= ' '; }

}  // namespace

void TextScanner::skip_blanks() {
  while (at_ != end_) {
    if (is_blank(*at_)) {
      ++at_;
    } else if (*at_ == '\\' && at_ + 1 != end_ && is_line_end(at_[1])) {
      ++at_;
      next_line();
    } else {
      return;
    }
  }
}

std::string_view TextScanner::word() {
  skip_blanks();
  const char* begin = at_;
  while (at_ != end_ && !ends_word(*at_)) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

std::string_view TextScanner::word_anywhere(char comment) {
  while (!at_end()) {
    const std::string_view found = word();
    if (found.empty() || (comment != 0 && found[0] == comment)) {
      next_line();
    } else {
      return found;
    }
  }
  return {};
}

std::string_view TextScanner::rest_of_line() {
  skip_blanks();
  const char* begin = at_;
  while (at_ != end_ && !is_line_end(*at_)) ++at_;
  const char* last = at_;
  while (last != begin && is_blank(last[-1])) --last;
  next_line();
  return {begin, static_cast<std::size_t>(last - begin)};
}

void TextScanner::next_line() {
  while (at_ != end_ && !is_line_end(*at_)) ++at_;
  if (at_ == end_) return;
  if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
  ++at_;
  ++line_;
}

bool TextScanner::at_line_end() {
  skip_blanks();
  return at_ == end_ || is_line_end(*at_);
}

bool TextScanner::try_number(double& value) {
  skip_blanks();
  // The quick way: a plain number that ends at a blank. Everything else goes through parse_number.
  const auto [stop, problem] = std::from_chars(at_, end_, value);
  if (problem == std::errc() && (stop == end_ || ends_word(*stop))) {
    at_ = stop;
    return true;
  }
  const char* before = at_;
  if (parse_number(word(), value)) return true;
  at_ = before;
  return false;
}

bool TextScanner::try_integer(std::int64_t& value) {
  skip_blanks();
  const char* before = at_;
  if (parse_integer(word(), value)) return true;
  at_ = before;
  return false;
}

Error TextScanner::error(const std::string& message, const std::string& advice) const {
  return error(ErrorCode::file_damaged, message, advice);
}

Error TextScanner::error(ErrorCode code, const std::string& message, const std::string& advice) const {
  return Error(code, "line " + std::to_string(line_) + ": " + message, advice);
}

bool parse_number(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, value);
  if (problem == std::errc::invalid_argument || stop != end) return false;
  if (problem == std::errc::result_out_of_range) {
    const std::size_t exponent = word.find_first_of("eE");
    const bool tiny = exponent == std::string_view::npos ? word.find('.') < 3
                                                         : exponent + 1 < word.size() && word[exponent + 1] == '-';
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (word[0] == '-') value = -value;
  }
  return true;
}

bool parse_integer(std::string_view word, std::int64_t& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, value);
  return problem == std::errc() && stop == end;
}

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text(word.substr(0, longest));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  }
  return "'" + text + (word.size() > longest ? "…'" : "'");
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

}  // namespace sinew
