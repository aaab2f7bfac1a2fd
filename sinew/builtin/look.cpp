#include "sinew/builtin/look.h"

#include <cmath>
#include <span>

#include "sinew/base/random.h"

namespace sinew::builtin {
namespace {

// 0xRRGGBB as a picture program shows it → linear light.
Vec3f linear(std::uint32_t srgb) {
  Vec3f result;
  for (int c = 0; c < 3; ++c) {
    const double value = static_cast<double>(srgb >> (16 - 8 * c) & 0xff) / 255.0;
    result[c] = static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return result;
}

Vec3f pick(std::span<const std::uint32_t> palette, Random& random) {
  return linear(palette[random.below(palette.size())]);
}

}  // namespace

Look random_look(BuiltinKind kind, const Proportions& proportions, BuiltinGarment garment, std::uint64_t seed) {
  constexpr std::uint32_t skins[] = {0xf2cfb4, 0xe8b894, 0xd9a27a, 0xc68a62, 0xa56b46, 0x80502f, 0x5c3823};
  constexpr std::uint32_t hairs[] = {0x1d1612, 0x35241a, 0x5a3a22, 0x8a5a2e, 0xc79a55, 0x9a3f1d, 0x2b2b33, 0x6e6a66};
  constexpr std::uint32_t irises[] = {0x4a2f1b, 0x5d7a8c, 0x4f6b3f, 0x6b4a26};
  constexpr std::uint32_t tops[] = {0x2f5d7c, 0xb5483a, 0xd9a441, 0x4f7a57, 0xe6e1d6, 0x6a4c7d, 0x37474f, 0x2a9d8f};
  constexpr std::uint32_t bottoms[] = {0x2b3a55, 0x4a4a4d, 0x6b5a45, 0x1f2a38, 0x5e6b52, 0x7d6b5d};
  constexpr std::uint32_t shoe_colours[] = {0x2a2320, 0x59392a, 0xd8d4cc, 0x37424d, 0x7a3b2e};
  Random random = Random::stream(seed, 0x100c + static_cast<std::uint64_t>(kind));
  Look look;
  look.skin = pick(skins, random);
  // Only grown-ups go grey: the last colour.
  const std::size_t hair_colours = std::size(hairs) - (kind == BuiltinKind::child ? 1 : 0);
  look.hair = pick(std::span(hairs, hair_colours), random);
  look.iris = pick(irises, random);
  look.top = pick(tops, random);
  look.bottom = pick(bottoms, random);
  look.shoes = pick(shoe_colours, random);
  const double style = random.uniform();
  if (proportions.feminine > 0.25) {
    look.hair_style = style < 0.5 ? HairStyle::bob : style < 0.75 ? HairStyle::bun : HairStyle::cap;
  } else {
    const bool may_be_bald = kind != BuiltinKind::child;
    look.hair_style = style < 0.65 ? HairStyle::cap : style < 0.85 || !may_be_bald ? HairStyle::crest : HairStyle::bald;
  }
  constexpr BuiltinGarment drawn[] = {BuiltinGarment::sport, BuiltinGarment::casual, BuiltinGarment::jacket,
                                      BuiltinGarment::casual};
  const std::uint64_t choice = random.below(std::size(drawn));
  look.garment = garment == BuiltinGarment::automatic ? drawn[choice] : garment;
  return look;
}

}  // namespace sinew::builtin
