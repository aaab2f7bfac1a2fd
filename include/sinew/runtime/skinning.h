// Real-time skinning: spans in, spans out. No allocation, no exceptions, no globals, floats only; pose_mesh.h is the
// convenient way, runtime_c.h the same for C.
//
//   SkinningJob job;
//   job.vertex_count = 32'000;   job.influences = 4;
//   job.joints = …;              job.weights = …;            // straight from SkinWeights
//   job.positions = {rest_xyz};  job.posed_positions = {posed_xyz};
//   job.matrices = palette;                                  // one per joint, made every frame
//   if (job.validate() != RuntimeStatus::ok) …               // once, when the character is loaded
//   if (skin(job) != RuntimeStatus::ok) …                    // every frame
//
// Two methods, chosen by what the job holds:
//   matrices          linear blend skinning (LBS): a vertex moves by the weighted mean of its joints' matrices.
//   dual_quaternions  dual quaternion skinning (DQS; Kavan, Collins, Žára, O'Sullivan, "Geometric Skinning with
//                     Approximate Dual Quaternion Blending", 2008): volume survives twists. Quaternions are blended on
//                     the side of the vertex's strongest joint (antipodality). Joints that scale or shear also give
//                     `stretches`, which are blended linearly and applied before the rigid part (two-phase skinning).
//
// A vertex whose first weight is zero has no weight at all and stays where it is.
// Normals are turned by the cofactors of the blended matrix, hence stay perpendicular to the surface under non-uniform
// scale, and come out with unit length; where a mirroring joint turns the surface inside out they follow the triangles'
// winding. Tangents follow the surface, keep their w, and come out with unit length.
//
// The instructions are chosen when the program runs: AVX2 with FMA where the processor has them, otherwise the
// compiler's 128-bit vectors (SSE2 on any x86-64, NEON on ARM64, scalars elsewhere). Results differ in the last bits
// between the two, never between thread counts or between the middle and the end of a mesh. Outputs too large for the
// caches are written past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/export.h"
#include "sinew/runtime/status.h"

namespace sinew {

// Joint transform in the bind pose → posed, column by column: x axis, y axis, z axis, translation. The fourth component
// of each is ignored: an OpenGL, glTF or Eigen 4×4 matrix can be copied as it is.
struct alignas(64) JointMatrix {
  float columns[4][4];
};

// A rigid motion: unit quaternion (x y z w) and ½ translation * quaternion.
struct alignas(32) JointDualQuaternion {
  float real[4];
  float dual[4];
};

// One vector per vertex. `stride`: floats from one vertex to the next, at least 3 (4 for tangents).
template <class Float>
struct VertexVectors {
  std::span<Float> floats;
  std::size_t stride = 3;

  bool empty() const noexcept { return floats.empty(); }
};

inline constexpr int max_skinning_influences = 32;

struct SINEW_API SkinningJob {
  std::size_t vertex_count = 0;
  int influences = 4;  // slots per vertex, 1…max_skinning_influences; 1, 2, 3, 4 and 8 are fastest

  std::span<const std::uint16_t> joints;  // vertex-major, strongest first: [vertex * influences + slot]
  std::span<const float> weights;         // same layout; non-negative, sum to 1 or all 0

  std::span<const JointMatrix> matrices;                  // LBS: one per joint
  std::span<const JointDualQuaternion> dual_quaternions;  // DQS: one per joint
  std::span<const JointMatrix> stretches;                 // DQS, optional: one per joint

  VertexVectors<const float> positions;
  VertexVectors<const float> normals;          // optional
  VertexVectors<const float> tangents{{}, 4};  // optional: x y z and w, the handedness
  VertexVectors<float> posed_positions;        // outputs: as many as there are inputs; no overlap with any input
  VertexVectors<float> posed_normals;
  VertexVectors<float> posed_tangents{{}, 4};

  // What skin() checks on every call, whatever the size of the mesh: one method, sensible numbers, and spans that are
  // long enough. Any pose of any mesh may follow.
  RuntimeStatus check_sizes() const noexcept;

  // check_sizes(), and that every joint exists and every weight is sound. Reads every weight: call it when the character
  // is loaded. skin() trusts the joints afterwards, so a palette must not get shorter.
  RuntimeStatus validate() const noexcept;
};

// Poses all vertices on the calling thread, or none when check_sizes() finds something wrong.
SINEW_API RuntimeStatus skin(const SkinningJob& job) noexcept;

// Vertices [first, first + count), for callers with threads of their own: ranges of one job may run at the same time and
// give the bits that skin() gives. Ranges that begin at multiples of eight vertices and hold thousands are fastest.
SINEW_API RuntimeStatus skin_range(const SkinningJob& job, std::size_t first, std::size_t count) noexcept;

struct [[nodiscard]] DualQuaternionSplit {
  RuntimeStatus status = RuntimeStatus::ok;
  bool stretched =
      false;  // some joint scales, shears or mirrors by more than one part in 10⁴: the job needs `stretches`
};

// Splits matrices into rigid motions and stretches (polar decomposition, the rotation nearest to each matrix) for DQS.
// A matrix that mirrors does so in its stretch, along the axis it scales least; one that collapses a direction still
// gets a rotation. The outputs have at least as many entries as there are matrices.
SINEW_API DualQuaternionSplit split_for_dual_quaternions(std::span<const JointMatrix> matrices,
                                                         std::span<JointDualQuaternion> dual_quaternions,
                                                         std::span<JointMatrix> stretches) noexcept;

// The instructions in use on this machine, by correctives as well: "avx2", "sse2", "neon" or "portable".
SINEW_API const char* skinning_instructions() noexcept;

}  // namespace sinew
