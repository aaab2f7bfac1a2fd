// Random numbers that are the same on every machine and compiler (the distributions of <random> are not).
//
// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by splitmix64.
#pragma once

#include <cstdint>

namespace sinew {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  // An independent stream for item `index`: lets a parallel loop draw the same numbers at any thread count.
  static Random stream(std::uint64_t seed, std::uint64_t index);

  std::uint64_t bits();
  double uniform();                                    // [0, 1)
  double uniform(double low, double high);             // [low, high)
  double normal();                                     // mean 0, standard deviation 1
  std::uint64_t below(std::uint64_t exclusive_limit);  // 0 … limit-1, unbiased; limit > 0

 private:
  std::uint64_t state_[4];
};

}  // namespace sinew
