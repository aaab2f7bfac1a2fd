// Fingerprints of content: how the writer knows what changed since the file was read, without anybody having to say so.
//
// 64 bits, not cryptographic: two different contents share one by chance with probability 2⁻⁶⁴.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::gltf {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

struct PartFingerprint {
  std::uint64_t geometry = 0;  // positions, normals, tangents, UVs, colours
  std::uint64_t topology = 0;  // vertex count, triangles
  std::uint64_t weights = 0;   // joints and weights; binding
};

PartFingerprint fingerprint(const Character& character, const Part& part);
std::uint64_t fingerprint(const Skeleton& skeleton);  // names, parents, rest, not kinds
std::uint64_t fingerprint(const Motion& motion);

}  // namespace sinew::gltf
