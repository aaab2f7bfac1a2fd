// How far the levels of a chain are from the finest one, at rest and in poses.
#pragma once

#include <vector>

#include "sinew/lod.h"

namespace sinew {

class LodDeviation {
 public:
  explicit LodDeviation(const Character& character);

  // Of the last level of the chain: the distance within which 99 of 100 points
  // of the finest level have their places.
  double of(const LodChain& chain) const;

 private:
  std::vector<std::vector<Vec3f>> posed_;  // vertices of the character, per pose; the first is the bind pose
};

}  // namespace sinew
