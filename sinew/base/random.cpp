#include "sinew/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

Random Random::stream(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t mixed = seed;
  const std::uint64_t first = splitmix64(mixed);
  return Random(first ^ (index * 0xd1342543de82ef95ull + 1));
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t exclusive_limit) {
  const std::uint64_t threshold = (0 - exclusive_limit) % exclusive_limit;
  for (;;) {
    const std::uint64_t value = bits();
    if (value >= threshold) return value % exclusive_limit;
  }
}

}  // namespace sinew
