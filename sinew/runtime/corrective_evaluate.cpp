#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/runtime/corrective_access.h"
#include "sinew/runtime/corrective_kernel.h"
#include "sinew/runtime/correctives.h"

namespace sinew {
namespace {

using namespace sinewc;
double now_microseconds() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

// Three numbers per joint: twice the vector part of its rotation away from rest, which is the rotation vector for small
// angles, bounded by 2, and smooth up to half a turn.
void make_features(const CorrectiveAccess& set, std::span<const float> rotations, float* features) noexcept {
  const float* rest = set.at<float>(set.header().rest_rotations);
  for (std::uint32_t j = 0; j < set.header().joint_count; ++j) {
    const float* r = rest + 4 * j;
    const float* q = rotations.data() + 4 * j;
    // conj(rest) * q
    const float x = r[3] * q[0] - r[0] * q[3] - (r[1] * q[2] - r[2] * q[1]);
    const float y = r[3] * q[1] - r[1] * q[3] - (r[2] * q[0] - r[0] * q[2]);
    const float z = r[3] * q[2] - r[2] * q[3] - (r[0] * q[1] - r[1] * q[0]);
    const float w = r[3] * q[3] + r[0] * q[0] + r[1] * q[1] + r[2] * q[2];
    const float scale = w < 0 ? -2.0f : 2.0f;
    features[3 * j] = scale * x;
    features[3 * j + 1] = scale * y;
    features[3 * j + 2] = scale * z;
  }
}

void run_network(const CorrectiveKernels& kernels, const CorrectiveAccess& set, const Network& network,
                 const CorrectiveWorkspace& work) noexcept {
  alignas(64) float layer1[max_layer], layer2[max_layer];
  const auto* joints = set.at<std::uint32_t>(network.joints);
  for (std::uint32_t i = 0; i < network.input_joints; ++i) {
    std::memcpy(layer2 + 3 * i, work.features + 3 * std::size_t{joints[i]}, 12);
  }
  const std::size_t inputs = 3 * network.input_joints;
  const auto weights = [&](int l) { return set.at<std::int16_t>(network.weights[l]); };
  const auto scales = [&](int l) { return set.at<float>(network.scales[l]); };
  kernels.layer(weights(0), scales(0), layer2, inputs, network.hidden[0], true, layer1);
  kernels.layer(weights(1), scales(1), layer1, network.hidden[0], network.hidden[1], true, layer2);
  kernels.layer(weights(2), scales(2), layer2, network.hidden[1], network.outputs, false,
                work.values + network.first_value);
}

// Prolongs one chunk of a level's points and adds the regions' detail while the chunk is in the first-level cache.
void run_chunk(const CorrectiveKernels& kernels, const CorrectiveAccess& set, std::size_t stored, std::size_t chunk,
               const CorrectiveWorkspace& work, bool with_detail) noexcept {
  const Level& level = set.stored(stored);
  constexpr std::size_t chunk_points = chunk_blocks * block_points;
  const std::size_t begin = chunk * chunk_points;
  const std::size_t end = std::min<std::size_t>(begin + chunk_points, level.padded_points);
  float* fine = work.displacements[stored];
  if (stored == 0) {
    std::memset(fine + 3 * begin, 0, 12 * (end - begin));
  } else {
    const auto* weights = set.at<std::uint32_t>(level.prolong_weights);
    const float* coarse = work.displacements[stored - 1];
    if (level.wide_points == 1) {
      kernels.prolong32(set.at<std::uint32_t>(level.prolong_points), weights, coarse, fine, begin, end);
    } else {
      kernels.prolong16(set.at<std::uint16_t>(level.prolong_points), weights, coarse, fine, begin, end);
    }
  }
  if (!with_detail) return;
  const auto* chunks = set.at<std::uint32_t>(level.chunks);
  const auto* runs = set.at<Run>(level.runs);
  const auto* basis = set.at<std::byte>(level.basis);
  for (std::uint32_t r = chunks[chunk]; r < chunks[chunk + 1]; ++r) {
    const Run& run = runs[r];
    float* blocks = fine + 3 * begin + std::size_t{run.first_block} * block_floats;
    const float* values = work.values + run.first_value;
    if (run.number_bytes == 1) {
      const auto* numbers = reinterpret_cast<const std::int8_t*>(basis + run.basis);
      kernels.accumulate8(numbers, values, run.dimensions, run.block_count, blocks);
    } else {
      const auto* numbers = reinterpret_cast<const std::int16_t*>(basis + run.basis);
      kernels.accumulate16(numbers, values, run.dimensions, run.block_count, blocks);
    }
  }
}

void run_level(const CorrectiveKernels& kernels, const CorrectiveAccess& set, std::size_t stored,
               const CorrectiveWorkspace& work, bool with_detail) noexcept {
  const Level& level = set.stored(stored);
  for (std::uint32_t i = 0; with_detail && i < level.network_count; ++i) {
    run_network(kernels, set, set.networks()[level.first_network + i], work);
  }
  for (std::uint32_t chunk = 0; chunk < level.chunk_count; ++chunk) {
    run_chunk(kernels, set, stored, chunk, work, with_detail);
  }
}

// Before anything was measured: bytes at a rate that slow machines reach.
constexpr double bytes_per_microsecond = 4000;

double guess(float measured, double bytes) noexcept {
  constexpr double caution = 1.15;
  return caution * (measured > 0 ? measured : bytes / bytes_per_microsecond);
}

double prolong_guess(const CorrectiveAccess& set, const CorrectiveWorkspace& work, std::size_t stored) noexcept {
  return guess(work.state->prolong[stored], 40.0 * set.stored(stored).padded_points);
}

double level_guess(const CorrectiveAccess& set, const CorrectiveWorkspace& work, std::size_t stored) noexcept {
  const Level& level = set.stored(stored);
  return guess(work.state->detail[stored],
               40.0 * level.padded_points + static_cast<double>(level.basis_bytes) + 8000.0 * level.network_count);
}

void remember(float& mean, double measured) noexcept {
  const auto m = static_cast<float>(measured);
  mean = mean > 0 ? 0.75f * mean + 0.25f * m : m;
}

RuntimeStatus check_level(const CorrectiveAccess& set, int level) noexcept {
  if (!set.is_open()) return RuntimeStatus::not_opened;
  return set.has_level(level) ? RuntimeStatus::ok : RuntimeStatus::no_such_level;
}

RuntimeStatus check_memory(const CorrectiveAccess& set, std::span<const std::byte> workspace) noexcept {
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % 64 != 0) return RuntimeStatus::misaligned_memory;
  if (workspace.size() < CorrectiveWorkspace(set, nullptr).bytes) return RuntimeStatus::workspace_too_small;
  return RuntimeStatus::ok;
}

// The level exists, and the workspace was prepared for this set.
RuntimeStatus check_call(const CorrectiveAccess& set, int level, std::span<const std::byte> workspace) noexcept {
  RuntimeStatus status = check_level(set, level);
  if (status == RuntimeStatus::ok) status = check_memory(set, workspace);
  if (status != RuntimeStatus::ok) return status;
  const auto* state = reinterpret_cast<const CorrectiveWorkspace::State*>(workspace.data());
  return state->hash == set.header().hash ? RuntimeStatus::ok : RuntimeStatus::workspace_not_prepared;
}

bool has_range(std::size_t total, std::size_t first, std::size_t count) noexcept {
  return first <= total && count <= total - first;
}

// Down to the level `last` of the file's order, in the budget. Returns how many levels got their detail.
std::size_t run_levels(const CorrectiveKernels& kernels, const CorrectiveAccess& set, std::size_t last,
                       const CorrectiveWorkspace& work, double start, double budget_microseconds) noexcept {
  double prolong_left = 0;  // what must be done anyway from the next level on
  for (std::size_t i = 0; i <= last; ++i) prolong_left += prolong_guess(set, work, i);
  std::size_t detailed = 0;
  bool detail = true;
  for (std::size_t i = 0; i <= last; ++i) {
    prolong_left -= prolong_guess(set, work, i);
    const double before = now_microseconds() - start;
    if (budget_microseconds > 0) {
      detail = detail && before + level_guess(set, work, i) + prolong_left <= budget_microseconds;
    }
    run_level(kernels, set, i, work, detail);
    if (detail) ++detailed;
    remember(detail ? work.state->detail[i] : work.state->prolong[i], now_microseconds() - start - before);
  }
  return detailed;
}

}  // namespace

const CorrectiveKernels& corrective_kernels([[maybe_unused]] Instructions instructions) noexcept {
#if defined(__x86_64__)
  if (instructions == Instructions::avx2) return corrective_kernels_avx2;
#endif
  return corrective_kernels_baseline;
}

RuntimeStatus prepare_workspace(const Correctives& set, std::span<std::byte> workspace) noexcept {
  const CorrectiveAccess access(set);
  if (!access.is_open()) return RuntimeStatus::not_opened;
  const RuntimeStatus status = check_memory(access, workspace);
  if (status != RuntimeStatus::ok) return status;
  const CorrectiveWorkspace work(access, workspace.data());
  std::memset(workspace.data(), 0, work.bytes);
  work.state->hash = access.header().hash;
  work.state->finest_evaluated = -1;
  return RuntimeStatus::ok;
}

CorrectiveResult evaluate_correctives(const Correctives& set, std::span<const float> rotations, int level,
                                      std::span<std::byte> workspace, double budget_microseconds) noexcept {
  return evaluate_correctives_with(set, rotations, level, workspace, budget_microseconds, best_instructions());
}

CorrectiveResult evaluate_correctives_with(const Correctives& set, std::span<const float> rotations, int level,
                                           std::span<std::byte> workspace, double budget_microseconds,
                                           Instructions instructions) noexcept {
  const double start = now_microseconds();
  CorrectiveResult result;
  result.status = begin_evaluation(set, rotations, level, workspace);
  if (result.status != RuntimeStatus::ok) return result;
  const CorrectiveAccess access(set);
  const CorrectiveWorkspace work(access, workspace.data());
  const std::size_t detailed = run_levels(corrective_kernels(instructions), access, access.stored_number(level), work,
                                          start, budget_microseconds);
  work.state->finest_evaluated = level;
  result.detail_level = set.level_count() - static_cast<int>(detailed);
  result.microseconds = now_microseconds() - start;
  return result;
}

std::size_t networks_down_to(const Correctives& set, int level) noexcept {
  const CorrectiveAccess access(set);
  if (!access.has_level(level)) return 0;
  return std::size_t{access.level(level).first_network} + access.level(level).network_count;
}

std::size_t chunk_count(const Correctives& set, int level) noexcept {
  const CorrectiveAccess access(set);
  return access.has_level(level) ? access.level(level).chunk_count : 0;
}

RuntimeStatus begin_evaluation(const Correctives& set, std::span<const float> rotations, int level,
                               std::span<std::byte> workspace) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_call(access, level, workspace);
  if (status != RuntimeStatus::ok) return status;
  if (rotations.size() < 4 * std::size_t{access.header().joint_count}) return RuntimeStatus::input_too_short;
  const CorrectiveWorkspace work(access, workspace.data());
  work.state->finest_evaluated = -1;
  make_features(access, rotations, work.features);
  return RuntimeStatus::ok;
}

RuntimeStatus evaluate_networks(const Correctives& set, std::span<std::byte> workspace, std::size_t first,
                                std::size_t count) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_call(access, 0, workspace);
  if (status != RuntimeStatus::ok) return status;
  if (!has_range(access.header().network_count, first, count)) return RuntimeStatus::no_such_range;
  const CorrectiveKernels& kernels = corrective_kernels(best_instructions());
  const CorrectiveWorkspace work(access, workspace.data());
  for (std::size_t i = first; i < first + count; ++i) run_network(kernels, access, access.networks()[i], work);
  return RuntimeStatus::ok;
}

RuntimeStatus evaluate_chunks(const Correctives& set, int level, std::span<std::byte> workspace, std::size_t first,
                              std::size_t count) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_call(access, level, workspace);
  if (status != RuntimeStatus::ok) return status;
  if (!has_range(access.level(level).chunk_count, first, count)) return RuntimeStatus::no_such_range;
  const CorrectiveKernels& kernels = corrective_kernels(best_instructions());
  const CorrectiveWorkspace work(access, workspace.data());
  const std::size_t stored = access.stored_number(level);
  for (std::size_t chunk = first; chunk < first + count; ++chunk) {
    run_chunk(kernels, access, stored, chunk, work, true);
  }
  return RuntimeStatus::ok;
}

RuntimeStatus finish_evaluation(const Correctives& set, int level, std::span<std::byte> workspace) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_call(access, level, workspace);
  if (status == RuntimeStatus::ok) CorrectiveWorkspace(access, workspace.data()).state->finest_evaluated = level;
  return status;
}

RuntimeStatus corrected_positions(const Correctives& set, int level, std::span<const std::byte> workspace,
                                  std::span<float> positions) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_call(access, level, workspace);
  if (status != RuntimeStatus::ok) return status;
  const Level& l = access.level(level);
  if (positions.size() < 3 * std::size_t{l.vertex_count}) return RuntimeStatus::output_too_short;
  const CorrectiveWorkspace work(access, const_cast<std::byte*>(workspace.data()));
  if (work.state->finest_evaluated < 0 || level < work.state->finest_evaluated) return RuntimeStatus::not_evaluated;
  corrective_kernels(best_instructions())
      .correct(access.at<float>(l.rest_positions), access.at<std::uint32_t>(l.point_of),
               work.displacements[access.stored_number(level)], l.vertex_count, positions.data());
  return RuntimeStatus::ok;
}

RuntimeStatus posed_normals(const Correctives& set, int level, std::span<const float> posed,
                            std::span<float> normals) noexcept {
  const CorrectiveAccess access(set);
  const RuntimeStatus status = check_level(access, level);
  if (status != RuntimeStatus::ok) return status;
  const Level& l = access.level(level);
  const std::size_t count = 3 * std::size_t{l.vertex_count};
  if (posed.size() < count) return RuntimeStatus::input_too_short;
  if (normals.size() < count) return RuntimeStatus::output_too_short;
  const auto* triangles = access.at<std::uint32_t>(l.triangles);
  const auto* normal_of = access.at<std::uint32_t>(l.normal_of);
  // Sums gather at the front of `normals`, one per shared normal; there are never more of them than vertices.
  std::memset(normals.data(), 0, 12 * std::size_t{l.normal_count});
  for (std::uint32_t t = 0; t < l.triangle_count; ++t) {
    const std::uint32_t* v = triangles + 3 * std::size_t{t};
    const float* a = posed.data() + 3 * std::size_t{v[0]};
    const float* b = posed.data() + 3 * std::size_t{v[1]};
    const float* c = posed.data() + 3 * std::size_t{v[2]};
    const float e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, f[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const float n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
    for (int k = 0; k < 3; ++k) {
      float* sum = normals.data() + 3 * std::size_t{normal_of[v[k]]};
      sum[0] += n[0];
      sum[1] += n[1];
      sum[2] += n[2];
    }
  }
  for (std::uint32_t i = 0; i < l.normal_count; ++i) {
    float* n = normals.data() + 3 * std::size_t{i};
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const float scale = length > 0 ? 1.0f / length : 0.0f;
    n[0] *= scale;
    n[1] *= scale;
    n[2] = length > 0 ? n[2] * scale : 1.0f;
  }
  // normal_of never exceeds the vertex's own number (the writer numbers by first appearance), so going backwards no
  // normal is overwritten before it was read.
  for (std::uint32_t i = l.vertex_count; i-- > 0;) {
    std::memmove(normals.data() + 3 * std::size_t{i}, normals.data() + 3 * std::size_t{normal_of[i]}, 12);
  }
  return RuntimeStatus::ok;
}

}  // namespace sinew
