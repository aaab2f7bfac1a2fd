// The vectors that skinning_kernel.inl is written in: four floats, pairs of four, and lanes of vertices. Internal.
#pragma once

#include "sinew/runtime/skinning_input.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace sinew {
namespace {

#define SINEW_INLINE inline __attribute__((always_inline))

// ---- Vectors of four floats ----

typedef float Float4 __attribute__((vector_size(16)));
typedef float UnalignedFloat4 __attribute__((vector_size(16), aligned(4)));
typedef std::int32_t Int4 __attribute__((vector_size(16)));

SINEW_INLINE Float4 load4(const float* from) { return *reinterpret_cast<const UnalignedFloat4*>(from); }
SINEW_INLINE void store4(float* to, Float4 value) { *reinterpret_cast<UnalignedFloat4*>(to) = value; }

// Past the caches; `to` is a multiple of 16 bytes.
SINEW_INLINE void stream4(float* to, Float4 value) {
#if defined(__SSE2__)
  _mm_stream_ps(to, value);
#else
  store4(to, value);
#endif
}

SINEW_INLINE void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

SINEW_INLINE void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

// ---- Pairs of four floats: two columns of a matrix, or a dual quaternion. Everything happens within the halves. ----

#if defined(SINEW_SKINNING_AVX2)

typedef float Float8 __attribute__((vector_size(32)));
typedef float UnalignedFloat8 __attribute__((vector_size(32), aligned(4)));

SINEW_INLINE Float8 load8(const float* from) { return *reinterpret_cast<const UnalignedFloat8*>(from); }
SINEW_INLINE Float8 times(Float8 a, float b) { return a * b; }
SINEW_INLINE Float8 times_plus(Float8 a, float b, Float8 c) { return a * b + c; }
SINEW_INLINE Float8 pair(Float4 low, Float4 high) { return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1); }
SINEW_INLINE Float4 low(Float8 a) { return _mm256_castps256_ps128(a); }
SINEW_INLINE Float4 high(Float8 a) { return _mm256_extractf128_ps(a, 1); }

SINEW_INLINE void transpose(Float8& a, Float8& b, Float8& c, Float8& d) {
  const Float8 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
  const Float8 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
  a = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
  b = _mm256_shuffle_ps(ab_low, cd_low, 0xee);
  c = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
  d = _mm256_shuffle_ps(ab_high, cd_high, 0xee);
}

#else

struct Float8 {
  Float4 low, high;
};

SINEW_INLINE Float8 load8(const float* from) { return {load4(from), load4(from + 4)}; }
SINEW_INLINE Float8 times(Float8 a, float b) { return {a.low * b, a.high * b}; }
SINEW_INLINE Float8 times_plus(Float8 a, float b, Float8 c) { return {a.low * b + c.low, a.high * b + c.high}; }
SINEW_INLINE Float4 low(Float8 a) { return a.low; }
SINEW_INLINE Float4 high(Float8 a) { return a.high; }

SINEW_INLINE void transpose(Float8& a, Float8& b, Float8& c, Float8& d) {
  transpose(a.low, b.low, c.low, d.low);
  transpose(a.high, b.high, c.high, d.high);
}

#endif

// ---- Lanes: one float of each of several consecutive vertices ----

#if defined(SINEW_SKINNING_AVX2)

typedef Float8 Lanes;

SINEW_INLINE Lanes load_lanes(const float* from) { return load8(from); }
SINEW_INLINE void store_lanes(float* to, Lanes value) { *reinterpret_cast<UnalignedFloat8*>(to) = value; }
SINEW_INLINE Lanes square_root(Lanes value) { return _mm256_sqrt_ps(value); }
template <class Part>  // part(i): four floats for vertices i to i + 3
SINEW_INLINE Lanes gather_lanes(const Part& part) {
  return pair(part(0), part(4));
}
template <class Part>
SINEW_INLINE void scatter_lanes(Lanes value, const Part& part) {
  part(0, low(value));
  part(4, high(value));
}
SINEW_INLINE Lanes even_even(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0x88); }
SINEW_INLINE Lanes odd_odd(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0xdd); }
SINEW_INLINE Lanes even_odd(Lanes a, Lanes b) { return _mm256_shuffle_ps(a, b, 0xd8); }

#else

typedef Float4 Lanes;

SINEW_INLINE Lanes load_lanes(const float* from) { return load4(from); }
SINEW_INLINE void store_lanes(float* to, Lanes value) { store4(to, value); }
SINEW_INLINE Lanes square_root(Lanes value) {
#if defined(__SSE2__)
  return _mm_sqrt_ps(value);
#else
  for (int lane = 0; lane < 4; ++lane) value[lane] = __builtin_sqrtf(value[lane]);
  return value;
#endif
}
template <class Part>
SINEW_INLINE Lanes gather_lanes(const Part& part) {
  return part(0);
}
template <class Part>
SINEW_INLINE void scatter_lanes(Lanes value, const Part& part) {
  part(0, value);
}
SINEW_INLINE Lanes even_even(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
SINEW_INLINE Lanes odd_odd(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
SINEW_INLINE Lanes even_odd(Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 2, 5, 7); }

#endif

constexpr std::size_t lane_count = sizeof(Lanes) / sizeof(float);

SINEW_INLINE Lanes all(float value) { return Lanes{} + value; }

struct Vectors {
  Lanes x, y, z;
};

SINEW_INLINE Vectors cross(const Vectors& a, const Vectors& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SINEW_INLINE Vectors combine(const Vectors& a, const Vectors& b, const Vectors& c, const Vectors& factors) {
  return {a.x * factors.x + (b.x * factors.y + c.x * factors.z), a.y * factors.x + (b.y * factors.y + c.y * factors.z),
          a.z * factors.x + (b.z * factors.y + c.z * factors.z)};
}

// Unit length; what has no length stays zero.
SINEW_INLINE Vectors normalised(const Vectors& v) {
  const Lanes squared = v.x * v.x + (v.y * v.y + v.z * v.z);
  const Lanes tiny = all(1e-37f);
  const Lanes factor = all(1.0f) / square_root(squared > tiny ? squared : tiny);
  return {v.x * factor, v.y * factor, v.z * factor};
}

// Reads four floats per vertex: the one after the last vertex must exist.
SINEW_INLINE Vectors load_vectors(const InputVectors& in, std::size_t vertex) {
  const float* from = in.data + vertex * in.stride;
  const std::size_t stride = in.stride;
  Lanes a = gather_lanes([=](int lane) { return load4(from + lane * stride); });
  Lanes b = gather_lanes([=](int lane) { return load4(from + (lane + 1) * stride); });
  Lanes c = gather_lanes([=](int lane) { return load4(from + (lane + 2) * stride); });
  Lanes d = gather_lanes([=](int lane) { return load4(from + (lane + 3) * stride); });
  transpose(a, b, c, d);
  return {a, b, c};
}

SINEW_INLINE void store_vectors(const OutputVectors& out, std::size_t vertex, const Vectors& v) {
  float* to = out.data + vertex * out.stride;
  if (out.stride != 3) {
    for (std::size_t lane = 0; lane < lane_count; ++lane, to += out.stride) {
      to[0] = v.x[lane];
      to[1] = v.y[lane];
      to[2] = v.z[lane];
    }
    return;
  }
  const Lanes x0x2y0y2 = even_even(v.x, v.y), y1y3z1z3 = odd_odd(v.y, v.z), z0z2x1x3 = even_odd(v.z, v.x);
  const Lanes x0y0z0x1 = even_even(x0x2y0y2, z0z2x1x3);
  const Lanes y1z1x2y2 = even_odd(y1y3z1z3, x0x2y0y2);
  const Lanes z2x3y3z3 = odd_odd(z0z2x1x3, y1y3z1z3);
  const auto write = [&](auto store) {
    scatter_lanes(x0y0z0x1, [=](int lane, Float4 part) { store(to + 3 * lane, part); });
    scatter_lanes(y1z1x2y2, [=](int lane, Float4 part) { store(to + 3 * lane + 4, part); });
    scatter_lanes(z2x3y3z3, [=](int lane, Float4 part) { store(to + 3 * lane + 8, part); });
  };
  if (out.streaming) {
    write([](float* at, Float4 value) { stream4(at, value); });
  } else {
    write([](float* at, Float4 value) { store4(at, value); });
  }
}

}  // namespace
}  // namespace sinew
