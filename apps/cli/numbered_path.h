// Names of numbered files, the same for every command that writes several: "walk_####.obj" is walk_0007.obj for 7.
//
// One run of '#' in the name stands for the number and says how many digits it has at least.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sinew::cli {

class NumberedPath {
 public:
  // Nothing when `output` names a single file. Throws Error(usage) for two runs of '#', for '#' in the name of a folder,
  // and for what other programs use instead (%04d, {}).
  static std::optional<NumberedPath> parse(const std::string& output);

  std::string path(std::uint64_t number) const;

 private:
  std::string before_, after_;
  std::size_t digits_ = 1;
};

}  // namespace sinew::cli
