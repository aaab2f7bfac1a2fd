// The bytes of a .sinewc file (docs/formats/sinewc.md), which is also what lies in memory when it is evaluated.
//
// Little-endian; every array begins at a multiple of 64 bytes. Offsets count from the beginning of the file. Levels lie
// coarsest first, in the order in which they are evaluated. Points of a level are numbered so that regions are runs of
// neighbouring points; eight points (24 floats) are a block, 64 blocks a chunk. Internal: correctives.h is the way in.
#pragma once

#include <cstdint>

namespace sinew::sinewc {

inline constexpr char magic[8] = {'S', 'I', 'N', 'E', 'W', 'C', '0', '1'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t block_points = 8;
inline constexpr std::uint32_t block_floats = 3 * block_points;
inline constexpr std::uint32_t chunk_blocks = 64;
inline constexpr std::uint32_t max_levels = 16;
inline constexpr std::uint32_t max_joints = 4096;
inline constexpr std::uint32_t max_layer = 256;  // inputs, hidden and output values of a network
inline constexpr std::uint32_t max_points = 1u << 28;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t level_count;
  std::uint32_t joint_count;
  std::uint32_t network_count;  // of all levels
  std::uint32_t value_count;    // outputs of all networks, each network's padded to a multiple of 8
  std::uint32_t influences;     // of every level
  std::uint64_t file_bytes;
  std::uint64_t hash;            // FNV-1a over the 32-bit words of everything behind this header
  std::uint64_t rest_rotations;  // float[joint_count][4]: x y z w of the rest pose, relative to the parent
  std::uint64_t networks;        // Network[network_count], by level
};
static_assert(sizeof(Header) == 64);

struct Level {
  std::uint32_t point_count;    // without padding
  std::uint32_t padded_points;  // a multiple of 8, more than point_count: the last point never moves
  std::uint32_t vertex_count;
  std::uint32_t triangle_count;
  std::uint32_t normal_count;  // vertices that share a normal are one
  std::uint32_t chunk_count;
  std::uint32_t run_count;
  std::uint32_t first_network, network_count;
  std::uint32_t wide_points;  // 1: prolong_points are 32 bits wide, 0: 16
  std::uint32_t flags;        // 0
  std::uint32_t reserved;
  std::uint64_t prolong_points;   // u16 or u32 [padded_points][3]: points of the coarser level; absent on the coarsest
  std::uint64_t prolong_weights;  // u32[padded_points]: w1 in the low 16 bits, w2 in the high ones, of 65536
  std::uint64_t chunks;           // u32[chunk_count + 1]: first run of every chunk
  std::uint64_t runs;             // Run[run_count], by chunk
  std::uint64_t basis;            // the runs' numbers
  std::uint64_t basis_bytes;
  std::uint64_t rest_positions;  // float[vertex_count][3], and one float more
  std::uint64_t point_of;        // u32[vertex_count]
  std::uint64_t joints;          // u16[vertex_count][influences]
  std::uint64_t weights;         // float[vertex_count][influences]
  std::uint64_t triangles;       // u32[triangle_count][3]: vertices
  std::uint64_t normal_of;       // u32[vertex_count]
};
static_assert(sizeof(Level) == 144);

// One region's basis over neighbouring blocks of a chunk: per block and dimension 24 numbers.
struct Run {
  std::uint32_t basis;         // offset in the level's basis, a multiple of 8
  std::uint32_t first_value;   // of the values of all networks
  std::uint16_t first_block;   // in the chunk
  std::uint16_t block_count;   // ≥ 1
  std::uint16_t dimensions;    // ≥ 1
  std::uint16_t number_bytes;  // 1 or 2
};
static_assert(sizeof(Run) == 16);

// value = output layer (tanh(second(tanh(first(input))))). Weights are 16-bit numbers times a scale per output, eight
// outputs side by side: [outputs / 8][inputs][8]. Layer sizes are padded to multiples of 8 with zeros.
struct Network {
  std::uint32_t input_joints;  // three inputs each
  std::uint32_t hidden[2];     // padded
  std::uint32_t outputs;       // padded
  std::uint32_t first_value;
  std::uint32_t reserved;
  std::uint64_t joints;      // u32[input_joints]
  std::uint64_t weights[3];  // i16
  std::uint64_t scales[3];   // float[outputs of the layer], then float biases
};
static_assert(sizeof(Network) == 80);

}  // namespace sinew::sinewc
