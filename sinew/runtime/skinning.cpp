#include "sinew/runtime/skinning.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/base/parallel.h"
#include "sinew/base/rotation.h"
#include "sinew/eigen_types.h"
#include "sinew/runtime/skinning_input.h"

namespace sinew {
namespace {

// Outputs above this size are written past the caches: they would only throw out what the next vertices need.
constexpr std::size_t streaming_bytes = std::size_t{4} << 20;
// One block of the parallel loop; a multiple of eight, what the kernels work on.
constexpr std::size_t vertices_per_block = 16'384;

#if defined(__x86_64__)
const SkinningPath available_paths[] = {{"avx2", skin_eights_avx2}, {"sse2", skin_eights_baseline}};
#elif defined(__ARM_NEON)
const SkinningPath available_paths[] = {{"neon", skin_eights_baseline}};
#else
const SkinningPath available_paths[] = {{"portable", skin_eights_baseline}};
#endif

SkinningPath best_path() noexcept {
  std::size_t count = 0;
  return skinning_paths(count)[0];
}

SkinningPath& current_path() noexcept {
  static SkinningPath path = best_path();
  return path;
}

template <class Float>
bool holds(const VertexVectors<Float>& vectors, std::size_t count, std::size_t components) {
  return vectors.stride >= components && vectors.floats.size() >= components &&
         (vectors.floats.size() - components) / vectors.stride >= count - 1;
}

// An optional attribute is absent on both sides, or long enough on both.
template <class Components>
bool holds_both(const VertexVectors<const float>& in, const VertexVectors<float>& out, std::size_t count,
                Components components) {
  if (in.empty()) return out.empty();
  return holds(in, count, components) && holds(out, count, components);
}

InputVectors input_vectors(const VertexVectors<const float>& vectors) {
  return {vectors.empty() ? nullptr : vectors.floats.data(), vectors.stride};
}

OutputVectors output_vectors(const VertexVectors<float>& vectors) {
  return {vectors.empty() ? nullptr : vectors.floats.data(), vectors.stride, false};
}

SkinningInput kernel_input(const SkinningJob& job) {
  SkinningInput input{};
  const bool linear = job.dual_quaternions.empty();
  input.kind = linear                  ? SkinningKind::linear
               : job.stretches.empty() ? SkinningKind::dual_quaternion
                                       : SkinningKind::stretched_dual_quaternion;
  input.influences = job.influences;
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
                    float* buffer) {
  if (!from.data) return from;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(buffer + 4 * i, from.data + (first + i) * from.stride, components * sizeof(float));
  }
  return {buffer, 4};
}

void copy_back(const float* buffer, const OutputVectors& to, std::size_t first, std::size_t count,
               std::size_t components) {
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

// Vertices before the first packed vertex that starts on a multiple of 16 bytes.
std::size_t unaligned_vertices(const OutputVectors& out) {
  return (reinterpret_cast<std::uintptr_t>(out.data) % 16) / sizeof(float);
}

// How a job is cut: `lead` vertices up to the alignment that streaming needs, then eights.
struct Plan {
  SkinningInput input;
  std::size_t lead = 0;
};

Plan plan(const SkinningJob& job) {
  Plan result{kernel_input(job)};
  SkinningInput& input = result.input;
  const std::size_t outputs = 3 + (job.normals.empty() ? 0 : 3) + (job.tangents.empty() ? 0 : 4);
  if (job.vertex_count * outputs * sizeof(float) < streaming_bytes) return result;
  if (input.posed_positions.stride == 3) {
    result.lead = unaligned_vertices(input.posed_positions);
    input.posed_positions.streaming = true;
  }
  input.posed_normals.streaming = input.posed_normals.data && input.posed_normals.stride == 3 &&
                                  unaligned_vertices(input.posed_normals) == result.lead;
  return result;
}

// Vertices [begin, end) of `count`. Eights are used where the vectors can be read 16 bytes at a time: all but the last.
void skin_range(const SkinningInput& input, std::size_t begin, std::size_t end, std::size_t count) noexcept {
  const SkinningKernel kernel = current_path().kernel;
  const std::size_t readable = std::min(end, count - 1);
  const std::size_t middle = begin < readable ? begin + (readable - begin) / 8 * 8 : begin;
  if (middle > begin) kernel(input, begin, middle);
  for (std::size_t first = middle; first < end; first += 8) {
    skin_few(kernel, input, first, std::min<std::size_t>(8, end - first));
  }
}

bool is_rotation(const Mat3d& m) {
  return (m.transpose() * m - Mat3d::Identity()).cwiseAbs().maxCoeff() < 1e-4 && m.determinant() > 0;
}

}  // namespace

const SkinningPath* skinning_paths(std::size_t& count) noexcept {
  const SkinningPath* first = available_paths;
  count = std::size(available_paths);
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    ++first;
    --count;
  }
#endif
  return first;
}

void force_skinning_path(const SkinningPath& path) noexcept { current_path() = path; }

const char* skinning_instructions() noexcept { return current_path().name; }

bool SkinningJob::validate() const noexcept {
  if (influences < 1 || influences > max_skinning_influences) return false;
  if (matrices.empty() == dual_quaternions.empty()) return false;
  if (!stretches.empty() && stretches.size() != dual_quaternions.size()) return false;
  if (vertex_count == 0) return true;
  const std::size_t slots = vertex_count * influences;
  if (slots / influences != vertex_count || joints.size() < slots || weights.size() < slots) return false;
  if (!holds(positions, vertex_count, 3) || !holds(posed_positions, vertex_count, 3)) return false;
  if (!holds_both(normals, posed_normals, vertex_count, 3)) return false;
  if (!holds_both(tangents, posed_tangents, vertex_count, 4)) return false;
  const std::size_t joint_count = std::max(matrices.size(), dual_quaternions.size());
  for (std::size_t vertex = 0; vertex < vertex_count; ++vertex) {
    for (std::size_t slot = vertex * influences; slot < (vertex + 1) * influences; ++slot) {
      if (joints[slot] >= joint_count || !(weights[slot] >= 0.0f) || !std::isfinite(weights[slot])) return false;
      if (weights[slot] > weights[vertex * influences]) return false;
    }
  }
  return true;
}

void skin(const SkinningJob& job) noexcept {
  if (job.vertex_count == 0) return;
  const Plan cut = plan(job);
  if (cut.lead > 0) skin_few(current_path().kernel, cut.input, 0, cut.lead);
  skin_range(cut.input, cut.lead, job.vertex_count, job.vertex_count);
}

void skin_parallel(const SkinningJob& job) {
  if (job.vertex_count == 0) return;
  const Plan cut = plan(job);
  if (cut.lead > 0) skin_few(current_path().kernel, cut.input, 0, cut.lead);
  parallel_for(job.vertex_count - cut.lead, vertices_per_block, [&](std::size_t begin, std::size_t end) {
    skin_range(cut.input, cut.lead + begin, cut.lead + end, job.vertex_count);
  });
}

bool split_for_dual_quaternions(std::span<const JointMatrix> matrices, std::span<JointDualQuaternion> dual_quaternions,
                                std::span<JointMatrix> stretches) noexcept {
  bool stretched = false;
  for (std::size_t joint = 0; joint < matrices.size(); ++joint) {
    const auto matrix = Eigen::Map<const Eigen::Matrix4f>(&matrices[joint].columns[0][0]).cast<double>().eval();
    const Mat3d linear = matrix.topLeftCorner<3, 3>();
    Mat3d rotation = linear, stretch = Mat3d::Identity();
    if (!is_rotation(linear)) {
      stretched = true;
      const RotationAndStretch parts = split_rotation(linear);
      rotation = parts.rotation;
      stretch = parts.stretch;
    }
    const Quatd real = Quatd(rotation).normalized();
    const Vec3d half = 0.5 * matrix.topRightCorner<3, 1>();
    const Quatd dual = Quatd(0, half.x(), half.y(), half.z()) * real;
    Eigen::Map<Eigen::Vector4f>(dual_quaternions[joint].real) = real.coeffs().cast<float>();
    Eigen::Map<Eigen::Vector4f>(dual_quaternions[joint].dual) = dual.coeffs().cast<float>();
    Eigen::Matrix4f stretch_matrix = Eigen::Matrix4f::Identity();
    stretch_matrix.topLeftCorner<3, 3>() = stretch.cast<float>();
    std::memcpy(&stretches[joint], stretch_matrix.data(), sizeof(JointMatrix));
  }
  return stretched;
}

}  // namespace sinew
