// The loops behind corrective_kernel.h, compiled once per instruction set. Vector types are the compiler's own
// extension, which GCC and Clang lower to whatever the target has.
namespace sinew {
namespace {

typedef float Float4 __attribute__((vector_size(16)));
typedef float Float8 __attribute__((vector_size(32)));

inline Float4 load4(const float* p) {
  Float4 v;
  __builtin_memcpy(&v, p, 16);
  return v;
}
inline void store4(float* p, Float4 v) { __builtin_memcpy(p, &v, 16); }
inline void store3(float* p, Float4 v) { __builtin_memcpy(p, &v, 12); }
inline Float8 load8(const float* p) {
  Float8 v;
  __builtin_memcpy(&v, p, 32);
  return v;
}
inline void store8(float* p, Float8 v) { __builtin_memcpy(p, &v, 32); }

#if defined(SINEW_CORRECTIVES_AVX2)
inline Float8 widen(const std::int8_t* p) {
  return (Float8)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
inline Float8 widen(const std::int16_t* p) {
  return (Float8)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
#else
template <typename Number>
inline Float8 widen(const Number* p) {
  return Float8{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2]), static_cast<float>(p[3]),
                static_cast<float>(p[4]), static_cast<float>(p[5]), static_cast<float>(p[6]), static_cast<float>(p[7])};
}
#endif

inline Float8 broadcast8(float x) { return Float8{x, x, x, x, x, x, x, x}; }
inline Float4 broadcast4(float x) { return Float4{x, x, x, x}; }

// Two weights are 16-bit fractions; as the mantissa of a float in [1, 2) they need no conversion (section 6 of the
// paper). The third is what is left.
inline float fraction(std::uint32_t bits) {
  const std::uint32_t mantissa = (bits << 7) | (127u << 23);
  float f;
  __builtin_memcpy(&f, &mantissa, 4);
  return f - 1.0f;
}

template <typename Index>
inline Float4 prolonged(const Index* points, std::uint32_t packed, const float* coarse) {
  const float w1 = fraction(packed & 0xffffu), w2 = fraction(packed >> 16);
  const float w3 = (1.0f - w1) - w2;
  return broadcast4(w1) * load4(coarse + 3 * static_cast<std::size_t>(points[0])) +
         broadcast4(w2) * load4(coarse + 3 * static_cast<std::size_t>(points[1])) +
         broadcast4(w3) * load4(coarse + 3 * static_cast<std::size_t>(points[2]));
}

// Every store but the last writes one float of the next point, which comes right after and overwrites it.
template <typename Index>
void prolong(const Index* points, const std::uint32_t* weights, const float* coarse, float* fine, std::size_t begin,
             std::size_t end) {
  if (begin == end) return;
  for (std::size_t i = begin; i + 1 < end; ++i) store4(fine + 3 * i, prolonged(points + 3 * i, weights[i], coarse));
  store3(fine + 3 * (end - 1), prolonged(points + 3 * (end - 1), weights[end - 1], coarse));
}

template <typename Number>
void accumulate(const Number* basis, const float* values, std::size_t dimensions, std::size_t blocks,
                float* displacements) {
  for (std::size_t block = 0; block < blocks; ++block, displacements += sinewc::block_floats) {
    Float8 a = load8(displacements), b = load8(displacements + 8), c = load8(displacements + 16);
    for (std::size_t d = 0; d < dimensions; ++d, basis += sinewc::block_floats) {
      const Float8 value = broadcast8(values[d]);
      a += value * widen(basis);
      b += value * widen(basis + 8);
      c += value * widen(basis + 16);
    }
    store8(displacements, a);
    store8(displacements + 8, b);
    store8(displacements + 16, c);
  }
}

// tanh by the continued fraction x (135135 + 17325 x² + 378 x⁴ + x⁶) / (135135 + 62370 x² + 3150 x⁴ + 28 x⁶) on ±4.97,
// where it reaches ±1; off by less than 1e-4 everywhere, and smooth, which is what networks need.
inline Float8 fast_tanh(Float8 x) {
  const Float8 limit = broadcast8(4.97f);
  x = x > limit ? limit : x;
  x = x < -limit ? -limit : x;
  const Float8 s = x * x;
  const Float8 top = x * (135135.0f + s * (17325.0f + s * (378.0f + s)));
  const Float8 bottom = 135135.0f + s * (62370.0f + s * (3150.0f + s * 28.0f));
  return top / bottom;
}

void layer(const std::int16_t* weights, const float* scales, const float* input, std::size_t inputs,
           std::size_t outputs, bool with_tanh, float* output) {
  for (std::size_t o = 0; o < outputs; o += 8) {
    Float8 even = broadcast8(0.0f), odd = even;
    std::size_t i = 0;
    for (; i + 1 < inputs; i += 2, weights += 16) {
      even += broadcast8(input[i]) * widen(weights);
      odd += broadcast8(input[i + 1]) * widen(weights + 8);
    }
    if (i < inputs) {
      even += broadcast8(input[i]) * widen(weights);
      weights += 8;
    }
    const Float8 sum = (even + odd) * load8(scales + o) + load8(scales + outputs + o);
    store8(output + o, with_tanh ? fast_tanh(sum) : sum);
  }
}

void correct(const float* rest, const std::uint32_t* point_of, const float* displacements, std::size_t vertices,
             float* positions) {
  if (vertices == 0) return;
  for (std::size_t v = 0; v + 1 < vertices; ++v) {
    store4(positions + 3 * v, load4(rest + 3 * v) + load4(displacements + 3 * static_cast<std::size_t>(point_of[v])));
  }
  const std::size_t last = vertices - 1;
  store3(positions + 3 * last,
         load4(rest + 3 * last) + load4(displacements + 3 * static_cast<std::size_t>(point_of[last])));
}

}  // namespace
}  // namespace sinew
