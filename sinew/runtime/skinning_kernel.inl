// The loops of skinning.h, written once in the compiler's vector types and compiled once per instruction set.
//
// Internal: included by skinning_baseline.cpp and skinning_avx2.cpp, after every other header, so that nothing but this
// code is compiled with the wider instructions. Raw pointers only, for the same reason.
//
// Vertices are done in blocks that stay in the first-level cache, one short loop after the other: blend the joints'
// matrices, two columns per 256-bit register, and transpose the result; then positions, normals, tangents, one vertex
// per lane, without a single horizontal sum. One long loop would be slower: its chain of dependent instructions (blend,
// cofactors, square root, division) is longer than what a processor can look ahead.
#pragma once

#include "sinew/runtime/skinning_vectors.inl"

namespace sinew {
namespace {

// ---- A block of vertices ----

constexpr std::size_t block_size = 64;

// Per vertex a 3×4 matrix, column by column: rows[column * 3 + component][vertex].
struct Block {
  alignas(64) float rows[12][block_size];
};

SINEW_INLINE Vectors column(const Block& block, int column, std::size_t vertex) {
  return {load_lanes(&block.rows[3 * column][vertex]), load_lanes(&block.rows[3 * column + 1][vertex]),
          load_lanes(&block.rows[3 * column + 2][vertex])};
}

SINEW_INLINE void set_column(Block& block, int column, std::size_t vertex, const Vectors& value) {
  store_lanes(&block.rows[3 * column][vertex], value.x);
  store_lanes(&block.rows[3 * column + 1][vertex], value.y);
  store_lanes(&block.rows[3 * column + 2][vertex], value.z);
}

SINEW_INLINE Vectors turn(const Block& block, std::size_t vertex, const Vectors& v) {
  return combine(column(block, 0, vertex), column(block, 1, vertex), column(block, 2, vertex), v);
}

SINEW_INLINE Vectors move(const Block& block, std::size_t vertex, const Vectors& p) {
  const Vectors turned = turn(block, vertex, p), translation = column(block, 3, vertex);
  return {turned.x + translation.x, turned.y + translation.y, turned.z + translation.z};
}

// ---- Blending ----

alignas(32) constexpr float identity_matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
alignas(32) constexpr float identity_quaternion[8] = {0, 0, 0, 1, 0, 0, 0, 0};
constexpr std::int32_t sign_bit = INT32_MIN;

SINEW_INLINE std::int32_t bits_of(float value) {
  std::int32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}

SINEW_INLINE float float_of(std::int32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

// The same as weight == 0, in one instruction.
SINEW_INLINE bool is_zero(float weight) { return __builtin_expect((bits_of(weight) & ~sign_bit) == 0, 0); }

// `unrolled`: the number of influences, or 0 to take it from the input.
template <int unrolled>
void blend_matrices(const SkinningInput& in, std::size_t first, std::size_t count, Block& block) {
  const int influences = unrolled > 0 ? unrolled : in.influences;
  const std::uint16_t* joints = in.joints + first * influences;
  const float* weights = in.weights + first * influences;
  const float* const matrices = in.matrices;
  for (std::size_t vertex = 0; vertex < count; vertex += 4) {
    Float8 xy[4], zt[4];
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane, joints += influences, weights += influences) {
      if (is_zero(weights[0])) {
        xy[lane] = load8(identity_matrix);
        zt[lane] = load8(identity_matrix + 8);
        continue;
      }
      const float* matrix = matrices + 16 * std::size_t{joints[0]};
      xy[lane] = times(load8(matrix), weights[0]);
      zt[lane] = times(load8(matrix + 8), weights[0]);
#pragma GCC unroll 8
      for (int slot = 1; slot < influences; ++slot) {
        matrix = matrices + 16 * std::size_t{joints[slot]};
        xy[lane] = times_plus(load8(matrix), weights[slot], xy[lane]);
        zt[lane] = times_plus(load8(matrix + 8), weights[slot], zt[lane]);
      }
    }
    transpose(xy[0], xy[1], xy[2], xy[3]);
    transpose(zt[0], zt[1], zt[2], zt[3]);
#pragma GCC unroll 3
    for (int component = 0; component < 3; ++component) {
      store4(&block.rows[component][vertex], low(xy[component]));
      store4(&block.rows[3 + component][vertex], high(xy[component]));
      store4(&block.rows[6 + component][vertex], low(zt[component]));
      store4(&block.rows[9 + component][vertex], high(zt[component]));
    }
  }
}

// Fills rows 0…3 with the real and rows 4…7 with the dual parts, not yet of unit length.
template <int unrolled>
void blend_dual_quaternions(const SkinningInput& in, std::size_t first, std::size_t count, Block& block) {
  const int influences = unrolled > 0 ? unrolled : in.influences;
  const std::uint16_t* joints = in.joints + first * influences;
  const float* weights = in.weights + first * influences;
  const auto quaternion = [&](int lane, int slot) {
    return in.dual_quaternions + 8 * std::size_t{joints[lane * influences + slot]};
  };
  for (std::size_t vertex = 0; vertex < count; vertex += 4, joints += 4 * influences, weights += 4 * influences) {
    Float8 blended[4];
    Float4 strongest[4];
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane) {
      strongest[lane] = load4(quaternion(lane, 0));
      blended[lane] = times(load8(quaternion(lane, 0)), weights[lane * influences]);
    }
#pragma GCC unroll 8
    for (int slot = 1; slot < influences; ++slot) {
      // The sign of the dot product says on which side of the sphere a quaternion is, seen from the strongest.
      Float4 dots[4];
#pragma GCC unroll 4
      for (int lane = 0; lane < 4; ++lane) dots[lane] = strongest[lane] * load4(quaternion(lane, slot));
      transpose(dots[0], dots[1], dots[2], dots[3]);
      const Int4 side = (Int4)((dots[0] + dots[1]) + (dots[2] + dots[3])) & sign_bit;
#pragma GCC unroll 4
      for (int lane = 0; lane < 4; ++lane) {
        const float weight = float_of(bits_of(weights[lane * influences + slot]) ^ side[lane]);
        blended[lane] = times_plus(load8(quaternion(lane, slot)), weight, blended[lane]);
      }
    }
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane) {
      if (is_zero(weights[lane * influences])) blended[lane] = load8(identity_quaternion);
    }
    transpose(blended[0], blended[1], blended[2], blended[3]);
#pragma GCC unroll 4
    for (int component = 0; component < 4; ++component) {
      store4(&block.rows[component][vertex], low(blended[component]));
      store4(&block.rows[4 + component][vertex], high(blended[component]));
    }
  }
}

// Blended dual quaternions to rigid motions (Kavan et al. 2008, algorithm 1).
inline void quaternions_to_matrices(Block& block, std::size_t count) {
  for (std::size_t vertex = 0; vertex < count; vertex += lane_count) {
    const auto row = [&](int index) { return load_lanes(&block.rows[index][vertex]); };
    const Lanes x = row(0), y = row(1), z = row(2), w = row(3), dual_w = row(7);
    const Vectors dual = {row(4), row(5), row(6)};
    const Lanes one = all(1.0f);
    const Lanes twice = all(2.0f) / (x * x + y * y + (z * z + w * w));
    const Lanes x2 = x * twice, y2 = y * twice, z2 = z * twice, w2 = w * twice;
    const Vectors bend = cross({x2, y2, z2}, dual);
    set_column(block, 0, vertex, {one - (y * y2 + z * z2), x * y2 + w * z2, x * z2 - w * y2});
    set_column(block, 1, vertex, {x * y2 - w * z2, one - (x * x2 + z * z2), y * z2 + w * x2});
    set_column(block, 2, vertex, {x * z2 + w * y2, y * z2 - w * x2, one - (x * x2 + y * y2)});
    set_column(
        block, 3, vertex,
        {w2 * dual.x - dual_w * x2 + bend.x, w2 * dual.y - dual_w * y2 + bend.y, w2 * dual.z - dual_w * z2 + bend.z});
  }
}

// The product of both: first the stretch, then the rigid motion.
inline void apply_stretches(Block& rigid, const Block& stretch, std::size_t count) {
  for (std::size_t vertex = 0; vertex < count; vertex += lane_count) {
    const Vectors x = turn(rigid, vertex, column(stretch, 0, vertex));
    const Vectors y = turn(rigid, vertex, column(stretch, 1, vertex));
    const Vectors z = turn(rigid, vertex, column(stretch, 2, vertex));
    const Vectors translation = move(rigid, vertex, column(stretch, 3, vertex));
    set_column(rigid, 0, vertex, x);
    set_column(rigid, 1, vertex, y);
    set_column(rigid, 2, vertex, z);
    set_column(rigid, 3, vertex, translation);
  }
}

template <int unrolled>
void blend(const SkinningInput& in, std::size_t first, std::size_t count, Block& block) {
  if (in.kind == SkinningKind::linear) return blend_matrices<unrolled>(in, first, count, block);
  blend_dual_quaternions<unrolled>(in, first, count, block);
  quaternions_to_matrices(block, count);
  if (in.kind == SkinningKind::stretched_dual_quaternion) {
    Block stretch;
    blend_matrices<unrolled>(in, first, count, stretch);
    apply_stretches(block, stretch, count);
  }
}

// ---- Applying ----

inline void pose_positions(const SkinningInput& in, std::size_t first, std::size_t count, const Block& block) {
  for (std::size_t i = 0; i < count; i += lane_count) {
    store_vectors(in.posed_positions, first + i, move(block, i, load_vectors(in.positions, first + i)));
  }
}

// A blended dual quaternion without stretch is a rotation, which keeps normals what they are. Other matrices turn them
// by their cofactors: proportional to the inverse transpose, but defined even where the matrix is singular.
inline void pose_normals(const SkinningInput& in, std::size_t first, std::size_t count, const Block& block) {
  if (in.kind == SkinningKind::dual_quaternion) {
    for (std::size_t i = 0; i < count; i += lane_count) {
      store_vectors(in.posed_normals, first + i, turn(block, i, load_vectors(in.normals, first + i)));
    }
    return;
  }
  for (std::size_t i = 0; i < count; i += lane_count) {
    const Vectors x = column(block, 0, i), y = column(block, 1, i), z = column(block, 2, i);
    const Vectors normal = combine(cross(y, z), cross(z, x), cross(x, y), load_vectors(in.normals, first + i));
    store_vectors(in.posed_normals, first + i, normalised(normal));
  }
}

inline void pose_tangents(const SkinningInput& in, std::size_t first, std::size_t count, const Block& block) {
  for (std::size_t i = 0; i < count; i += lane_count) {
    const Vectors tangent = normalised(turn(block, i, load_vectors(in.tangents, first + i)));
    const float* from = in.tangents.data + (first + i) * in.tangents.stride;
    float* to = in.posed_tangents.data + (first + i) * in.posed_tangents.stride;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      store4(to, Float4{tangent.x[lane], tangent.y[lane], tangent.z[lane], from[3]});
      from += in.tangents.stride;
      to += in.posed_tangents.stride;
    }
  }
}

template <int unrolled>
void skin_blocks(const SkinningInput& in, std::size_t begin, std::size_t end) {
  Block block;
  for (std::size_t first = begin; first < end; first += block_size) {
    const std::size_t count = end - first < block_size ? end - first : block_size;
    blend<unrolled>(in, first, count, block);
    pose_positions(in, first, count, block);
    if (in.normals.data) pose_normals(in, first, count, block);
    if (in.tangents.data) pose_tangents(in, first, count, block);
  }
  finish_streaming();
}

SINEW_INLINE void skin_eights(const SkinningInput& in, std::size_t begin, std::size_t end) {
  switch (in.influences) {
    case 1:
      return skin_blocks<1>(in, begin, end);
    case 2:
      return skin_blocks<2>(in, begin, end);
    case 3:
      return skin_blocks<3>(in, begin, end);
    case 4:
      return skin_blocks<4>(in, begin, end);
    case 8:
      return skin_blocks<8>(in, begin, end);
    default:
      return skin_blocks<0>(in, begin, end);
  }
}

}  // namespace
}  // namespace sinew
