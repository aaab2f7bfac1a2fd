// Skins broken on purpose, in twelve ways that happen to artists and tools: for tests of check and fix, and for
// bench_check, which counts how many are found and repaired.
//
// Every damage is one that shows: in some pose of the range of motion, skin is off by at least 3 % of the character's
// size (too many influences excepted). Same character, kind and seed: same damage.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sinew/character.h"

namespace sinew::test {

enum class DamageKind : std::uint8_t {
  bleed,            // a far joint gets a soft patch of skin
  island,           // a far joint gets a small patch whole
  unweighted,       // a patch loses its weights
  split_seam,       // one side of a seam gets other weights than the other
  noise,            // weights of a region are mixed at random
  swapped_sides,    // a limb follows the joints of the other side
  over_smoothed,    // the weights around a joint are smoothed until nothing of its shape is left
  hard_border,      // the strongest joint takes all around a joint
  rigid_blended,    // a piece that was rigid is blended from one joint to the next
  many_influences,  // a region follows twelve joints or more
  merged_joint,     // a joint loses all its weight to its parent
  spikes,           // single vertices follow a far joint
};

std::vector<DamageKind> all_damage_kinds();
std::string_view damage_name(DamageKind kind);

struct DamagedSkin {
  SkinWeights weights;                  // of the whole character
  std::vector<std::uint32_t> vertices;  // of the character's mesh, whose weights are others now; in rising order
  int joint = -1;                       // that the damage is about
};

// Nothing where a character cannot be damaged in this way: no seam, no piece, no limb, a mesh too coarse for it to show.
std::optional<DamagedSkin> damage_skin(const Character& character, DamageKind kind, std::uint64_t seed);

}  // namespace sinew::test
