// Letters and numbers as text that are the same in every locale. The C functions for both follow the locale of the
// process, which is the caller's: there "0.5" may become "0,5", and the I of "SPINE" may have no small letter.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// Of ASCII only: the bytes of other scripts are nothing of these, and stay as they are.
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
std::string to_lower(std::string_view text);

// Whether the whole text is as the pattern says, in which '*' stands for any run of characters.
bool matches_pattern(std::string_view pattern, std::string_view text);

// Rounded to so many significant digits: "0.00123", "1.2e+08".
std::string number_text(double value, int digits = 6);
// With so many digits after the point: "12.50".
std::string fixed_number_text(double value, int decimals);
// With one digit before the point, `decimals` after it and an exponent: "1.5e-05".
std::string scientific_number_text(double value, int decimals);

}  // namespace sinew
