// Fingerprints of content: how the writer knows what changed since the file was read, without anybody having to say so.
//
// 64 bits, not cryptographic: two different contents share one by chance with probability 2⁻⁶⁴.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

PartFingerprint fingerprint(const Character& character, const Part& part);
// Whether all arrays are of the size, and parts, skeleton and weights of the content, that they had when read.
bool unchanged(const Character& character, const Document& source);
std::uint64_t hierarchy_fingerprint(const Skeleton& skeleton);  // names and parents
std::uint64_t fingerprint(const Skeleton& skeleton);            // names, parents, rest
std::uint64_t fingerprint(const Motion& motion);

}  // namespace sinew::gltf
