#include "numbered_path.h"

#include <fmt/format.h>

#include <regex>

#include "sinew/error.h"

namespace sinew::cli {

std::optional<NumberedPath> NumberedPath::parse(const std::string& output) {
  static const std::regex foreign("%[0-9]*d|\\{[^}]*\\}");
  const auto refuse = [&](const std::string& problem) {
    return Error(ErrorCode::option_invalid, "'" + output + "' " + problem,
                 "number the files with ####, for example walk_####.obj");
  };
  if (std::regex_search(output, foreign)) throw refuse("numbers files in a way of other programs");
  const std::size_t begin = output.find('#');
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(output.find_first_not_of('#', begin), output.size());
  NumberedPath result;
  result.before_ = output.substr(0, begin);
  result.after_ = output.substr(end);
  result.digits_ = end - begin;
  if (result.after_.find('#') != std::string::npos) throw refuse("has two places for the number");
  if (result.after_.find('/') != std::string::npos) throw refuse("has the number in the name of a folder");
  return result;
}

std::string NumberedPath::path(std::uint64_t number) const {
  return fmt::format("{}{:0{}}{}", before_, number, digits_, after_);
}

}  // namespace sinew::cli
