#include "sinew/asset/gltf/gltf_fingerprint.h"

#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "sinew/base/parallel.h"

namespace sinew::gltf {
namespace {

// The high and low halves of a 128-bit product, folded: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t odd0 = 0xA0761D6478BD642Full, odd1 = 0xE7037ED1A0B428DBull, odd2 = 0x8EBC6AF09C88C6E3ull;

std::uint64_t word(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, 8);
  return value;
}

template <typename T>
std::uint64_t hash_slice(const std::vector<T>& values, std::size_t first, std::size_t count, std::uint64_t seed) {
  if (values.empty()) return mix(seed ^ odd1, odd2);
  return hash_bytes(std::as_bytes(std::span(values).subspan(first, count)), seed);
}

std::uint64_t hash_text(const std::string& text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

template <typename Matrix>
std::uint64_t hash_numbers(const Matrix& numbers, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(numbers.data(), static_cast<std::size_t>(numbers.size()))), seed);
}

// Indices count from the part's first vertex, so that a part stays the same when one before it grows.
std::uint64_t hash_triangles(const TriangleMesh& mesh, const Part& part, std::uint64_t seed) {
  if (part.first_vertex == 0) return hash_slice(mesh.triangles, part.first_triangle, part.triangle_count, seed);
  std::vector<Triangle> relative(
      mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle),
      mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle + part.triangle_count));
  for (Triangle& triangle : relative) {
    for (std::uint32_t& corner : triangle) corner -= static_cast<std::uint32_t>(part.first_vertex);
  }
  return mesh.triangles.empty() ? hash_slice(relative, 0, 0, seed)
                                : hash_bytes(std::as_bytes(std::span(relative)), seed);
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t a = seed ^ odd0, b = seed ^ odd1;
  for (; left >= 32; left -= 32, at += 32) {  // two chains, so that the multiplier is kept busy
    a = mix(word(at) ^ odd1, word(at + 8) ^ a);
    b = mix(word(at + 16) ^ odd2, word(at + 24) ^ b);
  }
  std::uint64_t tail[4] = {0, 0, 0, 0};
  if (left > 0) std::memcpy(tail, at, left);
  a = mix(tail[0] ^ odd1, tail[1] ^ a);
  b = mix(tail[2] ^ odd2, tail[3] ^ b);
  return mix(a ^ bytes.size(), b ^ odd0);
}

PartFingerprint fingerprint(const Character& character, const Part& part) {
  const TriangleMesh& mesh = character.mesh;
  const SkinWeights& weights = character.weights;
  PartFingerprint result;
  const auto vertices = [&part](const auto& values) {
    return hash_slice(values, part.first_vertex, part.vertex_count, 1);
  };
  const auto skin = [&] {
    const auto slots = static_cast<std::size_t>(weights.influences);
    std::uint64_t hash = mix(slots ^ odd0, static_cast<std::uint64_t>(part.binding) ^ odd2);
    hash = hash_slice(weights.joints, part.first_vertex * slots, part.vertex_count * slots, hash);
    return hash_slice(weights.weights, part.first_vertex * slots, part.vertex_count * slots, hash);
  };
  const std::array<std::function<void()>, 7> hashes = {
      [&] { result.topology = hash_triangles(mesh, part, part.vertex_count); },
      [&] { result.weights = skin(); },
      [&] { result.positions = vertices(mesh.positions); },
      [&] { result.normals = vertices(mesh.normals); },
      [&] { result.tangents = vertices(mesh.tangents); },
      [&] { result.uvs = vertices(mesh.uvs); },
      [&] { result.colors = vertices(mesh.colors); }};
  parallel_for(hashes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) hashes[i]();
  });
  return result;
}

bool unchanged(const Character& character, const Document& source) {
  const TriangleMesh& mesh = character.mesh;
  const std::size_t count = mesh.vertex_count();
  const auto fits = [count](std::size_t size) { return size == 0 || size == count; };
  const SkinWeights& weights = character.weights;
  if (!fits(mesh.normals.size()) || !fits(mesh.tangents.size()) || !fits(mesh.uvs.size()) ||
      !fits(mesh.colors.size()) || weights.joints.size() != weights.weights.size() ||
      weights.weights.size() != (weights.empty() ? 0 : count * static_cast<std::size_t>(weights.influences)) ||
      character.parts.size() != source.parts.size() || character.motions.size() != source.motions.size()) {
    return false;
  }
  std::size_t vertices = 0, triangles = 0;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    if (part.first_vertex != vertices || part.first_triangle != triangles) return false;
    vertices += part.vertex_count;
    triangles += part.triangle_count;
    if (vertices > count || triangles > mesh.triangles.size()) return false;
    if (fingerprint(character, part) != source.parts[i].print) return false;
  }
  for (std::size_t i = 0; i < character.motions.size(); ++i) {
    if (fingerprint(character.motions[i]) != source.motions[i].content) return false;
  }
  return vertices == count && triangles == mesh.triangles.size() && fingerprint(character.skeleton) == source.skeleton;
}

std::uint64_t hierarchy_fingerprint(const Skeleton& skeleton) {
  std::uint64_t hash = hash_slice(skeleton.parents, 0, skeleton.parents.size(), 2);
  for (const std::string& name : skeleton.names) hash = hash_text(name, hash);
  return hash;
}

std::uint64_t fingerprint(const Skeleton& skeleton) {
  std::uint64_t hash = hierarchy_fingerprint(skeleton);
  for (const Affine3d& rest : skeleton.rest) hash = hash_numbers(rest.matrix(), hash);
  return hash;
}

std::uint64_t fingerprint(const Motion& motion) {
  std::uint64_t hash = hash_text(motion.name, 3);
  hash = mix(hash ^ static_cast<std::uint64_t>(motion.joint_count), odd1);
  hash = hash_bytes(std::as_bytes(std::span(&motion.frames_per_second, 1)), hash);
  for (const Transform& transform : motion.transforms) {
    hash = hash_numbers(transform.translation, hash);
    hash = hash_numbers(transform.rotation.coeffs(), hash);
    hash = hash_numbers(transform.scale, hash);
  }
  return hash;
}

}  // namespace sinew::gltf
