// What files of weights hold, whatever their form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/skeleton.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {

struct NamedWeights {
  std::vector<std::uint32_t> vertices;  // in the order of the file; a vertex may come again only in CSV, row by row
  std::vector<WeightRow> rows;          // one per entry above: influences as given, not normalised
};

// Joints of a file found in a skeleton: by name as it is, by number, then by name without prefixes and separators.
class JointLookup {
 public:
  explicit JointLookup(const Skeleton& skeleton);
  // Throws Error(bad_input) for a name that is not there. `place`: where two joints share a name, the one at this number
  // is meant if it is one of them; -1: the first.
  std::uint16_t find(const std::string& name, int place = -1) const;

 private:
  const Skeleton& skeleton_;
  std::vector<std::string> normalised_;
};

// Throw Error(bad_input).
NamedWeights parse_weights_json(std::string_view text, const Skeleton& skeleton, std::size_t vertex_count);
NamedWeights parse_weights_csv(std::string_view text, const Skeleton& skeleton, std::size_t vertex_count);

// The shortest text that gives the same float again: "0.25".
std::string float_text(float value);

// A weight as it was read. Throws Error(bad_input) unless it is finite and not negative.
double checked_weight(double weight);

}  // namespace sinew
