#include "sinew/runtime/skinning.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/runtime/skinning_input.h"

namespace sinew {
namespace {

// Outputs above this size are written past the caches: they would only throw out what the next vertices need.
constexpr std::size_t streaming_bytes = std::size_t{4} << 20;

SkinningKernel kernel_for([[maybe_unused]] Instructions instructions) noexcept {
#if defined(__x86_64__)
  if (instructions == Instructions::avx2) return skin_eights_avx2;
#endif
  return skin_eights_baseline;
}

template <class Float>
RuntimeStatus check_vectors(const VertexVectors<Float>& vectors, std::size_t count, std::size_t components,
                            RuntimeStatus too_short) noexcept {
  if (vectors.stride < components) return RuntimeStatus::bad_stride;
  const bool fits =
      vectors.floats.size() >= components && (vectors.floats.size() - components) / vectors.stride >= count - 1;
  return fits ? RuntimeStatus::ok : too_short;
}

RuntimeStatus check_pair(const VertexVectors<const float>& in, const VertexVectors<float>& out, std::size_t count,
                         std::size_t components) noexcept {
  const RuntimeStatus status = check_vectors(in, count, components, RuntimeStatus::input_too_short);
  return status == RuntimeStatus::ok ? check_vectors(out, count, components, RuntimeStatus::output_too_short) : status;
}

// An optional attribute is absent on both sides, or long enough on both.
RuntimeStatus check_optional(const VertexVectors<const float>& in, const VertexVectors<float>& out, std::size_t count,
                             std::size_t components) noexcept {
  if (in.empty() != out.empty()) return RuntimeStatus::unpaired_vectors;
  return in.empty() ? RuntimeStatus::ok : check_pair(in, out, count, components);
}

RuntimeStatus check_method(const SkinningJob& job) noexcept {
  if (job.matrices.empty() && job.dual_quaternions.empty()) return RuntimeStatus::no_method;
  if (!job.matrices.empty() && (!job.dual_quaternions.empty() || !job.stretches.empty())) {
    return RuntimeStatus::two_methods;
  }
  const bool fits = job.stretches.empty() || job.stretches.size() >= job.dual_quaternions.size();
  return fits ? RuntimeStatus::ok : RuntimeStatus::input_too_short;
}

InputVectors input_vectors(const VertexVectors<const float>& vectors) noexcept {
  return {vectors.empty() ? nullptr : vectors.floats.data(), vectors.stride};
}

OutputVectors output_vectors(const VertexVectors<float>& vectors) noexcept {
  return {vectors.empty() ? nullptr : vectors.floats.data(), vectors.stride, false};
}

SkinningInput input_of(const SkinningJob& job) noexcept {
  SkinningInput input{};
  const bool linear = job.dual_quaternions.empty();
  input.kind = linear                  ? SkinningKind::linear
               : job.stretches.empty() ? SkinningKind::dual_quaternion
                                       : SkinningKind::stretched_dual_quaternion;
  input.influences = job.influences;
  input.vertex_count = job.vertex_count;
  input.joint_count = linear ? job.matrices.size() : job.dual_quaternions.size();
  input.joints = job.joints.data();
  input.weights = job.weights.data();
  input.matrices = reinterpret_cast<const float*>(linear ? job.matrices.data() : job.stretches.data());
  input.dual_quaternions = reinterpret_cast<const float*>(job.dual_quaternions.data());
  input.positions = input_vectors(job.positions);
  input.normals = input_vectors(job.normals);
  input.tangents = input_vectors(job.tangents);
  input.posed_positions = output_vectors(job.posed_positions);
  input.posed_normals = output_vectors(job.posed_normals);
  input.posed_tangents = output_vectors(job.posed_tangents);
  return input;
}

InputVectors copied(const InputVectors& from, std::size_t first, std::size_t count, std::size_t components,
                    float* buffer) noexcept {
  if (!from.data) return from;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(buffer + 4 * i, from.data + (first + i) * from.stride, components * sizeof(float));
  }
  return {buffer, 4};
}

void copy_back(const float* buffer, const OutputVectors& to, std::size_t first, std::size_t count,
               std::size_t components) noexcept {
  for (std::size_t i = 0; to.data && i < count; ++i) {
    std::memcpy(to.data + (first + i) * to.stride, buffer + 4 * i, components * sizeof(float));
  }
}

// Up to eight vertices through buffers, so that nothing outside the job's spans is read or written.
void skin_few(SkinningKernel kernel, const SkinningInput& input, std::size_t first, std::size_t count) noexcept {
  std::uint16_t joints[8 * max_skinning_influences] = {};
  float weights[8 * max_skinning_influences] = {};
  float in[3][32] = {}, out[3][32];
  const std::size_t influences = input.influences;
  std::memcpy(joints, input.joints + first * influences, count * influences * sizeof(joints[0]));
  std::memcpy(weights, input.weights + first * influences, count * influences * sizeof(weights[0]));
  SkinningInput eight = input;
  eight.joints = joints;
  eight.weights = weights;
  eight.positions = copied(input.positions, first, count, 3, in[0]);
  eight.normals = copied(input.normals, first, count, 3, in[1]);
  eight.tangents = copied(input.tangents, first, count, 4, in[2]);
  eight.posed_positions = {out[0], 4, false};
  eight.posed_normals = {out[1], 4, false};
  eight.posed_tangents = {out[2], 4, false};
  kernel(eight, 0, 8);
  copy_back(out[0], input.posed_positions, first, count, 3);
  copy_back(out[1], input.posed_normals, first, count, 3);
  copy_back(out[2], input.posed_tangents, first, count, 4);
}

// Vertices from `first` on before the first packed one that starts on a multiple of 16 bytes.
std::size_t unaligned_vertices(const OutputVectors& out, std::size_t first) noexcept {
  return (reinterpret_cast<std::uintptr_t>(out.data + 3 * first) % 16) / sizeof(float);
}

// Chooses which outputs are streamed. Returns how many vertices come before the alignment that streaming needs.
std::size_t choose_streaming(SkinningInput& input, std::size_t first) noexcept {
  OutputVectors &positions = input.posed_positions, &normals = input.posed_normals;
  const std::size_t outputs = 3 + (normals.data ? 3 : 0) + (input.posed_tangents.data ? 4 : 0);
  if (input.vertex_count * outputs * sizeof(float) < streaming_bytes) return 0;
  positions.streaming = positions.stride == 3;
  const std::size_t lead = positions.streaming ? unaligned_vertices(positions, first) : 0;
  normals.streaming = normals.data && normals.stride == 3 && unaligned_vertices(normals, first) == lead;
  return lead;
}

}  // namespace

RuntimeStatus check_weights(const SkinningInput& input) noexcept {
  const std::size_t influences = input.influences;
  for (std::size_t vertex = 0; vertex < input.vertex_count; ++vertex) {
    const float* weights = input.weights + vertex * influences;
    for (std::size_t slot = 0; slot < influences; ++slot) {
      if (input.joints[vertex * influences + slot] >= input.joint_count) return RuntimeStatus::joint_out_of_range;
      const bool sound = weights[slot] >= 0.0f && std::isfinite(weights[slot]) && weights[slot] <= weights[0];
      if (!sound) return RuntimeStatus::bad_weights;
    }
  }
  return RuntimeStatus::ok;
}

RuntimeStatus skin_input(SkinningInput input, std::size_t first, std::size_t count,
                         Instructions instructions) noexcept {
  if (first > input.vertex_count || count > input.vertex_count - first) return RuntimeStatus::no_such_range;
  if (count == 0) return RuntimeStatus::ok;
  const SkinningKernel kernel = kernel_for(instructions);
  const std::size_t end = first + count;
  const std::size_t begin = first + std::min(choose_streaming(input, first), count);
  if (begin > first) skin_few(kernel, input, first, begin - first);
  // Eights are used where the vectors can be read 16 bytes at a time: up to the last vertex of all.
  const std::size_t readable = std::min(end, input.vertex_count - 1);
  const std::size_t middle = begin < readable ? begin + (readable - begin) / 8 * 8 : begin;
  if (middle > begin) kernel(input, begin, middle);
  for (std::size_t next = middle; next < end; next += 8) {
    skin_few(kernel, input, next, std::min<std::size_t>(8, end - next));
  }
  return RuntimeStatus::ok;
}

RuntimeStatus SkinningJob::check_sizes() const noexcept {
  if (influences < 1 || influences > max_skinning_influences) return RuntimeStatus::bad_influences;
  RuntimeStatus status = check_method(*this);
  if (status != RuntimeStatus::ok || vertex_count == 0) return status;
  const std::size_t slots = std::min(joints.size(), weights.size());
  if (slots / static_cast<std::size_t>(influences) < vertex_count) return RuntimeStatus::input_too_short;
  status = check_pair(positions, posed_positions, vertex_count, 3);
  if (status == RuntimeStatus::ok) status = check_optional(normals, posed_normals, vertex_count, 3);
  if (status == RuntimeStatus::ok) status = check_optional(tangents, posed_tangents, vertex_count, 4);
  return status;
}

RuntimeStatus SkinningJob::validate() const noexcept {
  const RuntimeStatus status = check_sizes();
  return status == RuntimeStatus::ok ? check_weights(input_of(*this)) : status;
}

RuntimeStatus skin(const SkinningJob& job) noexcept { return skin_with(job, best_instructions()); }

RuntimeStatus skin_with(const SkinningJob& job, Instructions instructions) noexcept {
  const RuntimeStatus status = job.check_sizes();
  return status == RuntimeStatus::ok ? skin_input(input_of(job), 0, job.vertex_count, instructions) : status;
}

RuntimeStatus skin_range(const SkinningJob& job, std::size_t first, std::size_t count) noexcept {
  const RuntimeStatus status = job.check_sizes();
  return status == RuntimeStatus::ok ? skin_input(input_of(job), first, count, best_instructions()) : status;
}

DualQuaternionSplit split_for_dual_quaternions(std::span<const JointMatrix> matrices,
                                               std::span<JointDualQuaternion> dual_quaternions,
                                               std::span<JointMatrix> stretches) noexcept {
  if (std::min(dual_quaternions.size(), stretches.size()) < matrices.size()) return {RuntimeStatus::output_too_short};
  DualQuaternionSplit result;
  for (std::size_t joint = 0; joint < matrices.size(); ++joint) {
    float dual_quaternion[8];
    result.stretched |= split_joint(matrices[joint].columns[0], dual_quaternion, stretches[joint].columns[0]);
    std::memcpy(&dual_quaternions[joint], dual_quaternion, sizeof dual_quaternion);
  }
  return result;
}

const char* skinning_instructions() noexcept { return instructions_name(best_instructions()); }

}  // namespace sinew
