// Colours, hair and clothes of a built-in character.
#pragma once

#include <cstdint>

#include "sinew/builtin/proportions.h"
#include "sinew/eigen_types.h"

namespace sinew {

// What a built-in human wears. Clothes are parts of their own over the body.
enum class BuiltinGarment : std::uint8_t {
  automatic,  // drawn from the seed: sport, casual or jacket
  bare,       // the body alone: one watertight component, no hair, no eyes
  none,       // body, hair and eyes
  sport,      // short-sleeved shirt, shorts, shoes
  casual,     // shirt, trousers, shoes
  jacket,     // jacket, trousers, boots
  skirt,      // short-sleeved shirt, shoes and a skirt with a chain rig of its own
};

}  // namespace sinew

namespace sinew::builtin {

enum class HairStyle : std::uint8_t { cap, bob, bun, crest, bald };

// Colours are linear RGB.
struct Look {
  Vec3f skin, hair, iris, top, bottom, shoes;
  double looseness = 1;  // of clothes: coarse meshes need more room over the body, or it pokes through
  HairStyle hair_style = HairStyle::cap;
  BuiltinGarment garment = BuiltinGarment::casual;
};

Look random_look(BuiltinKind kind, const Proportions& proportions, BuiltinGarment garment, std::uint64_t seed);

}  // namespace sinew::builtin
