#include "sinew/runtime/correctives.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/runtime/corrective_access.h"
#include "sinew/runtime/hash_words.h"

namespace sinew {
namespace {

using namespace sinewc;

// Checks that arrays lie inside the file and that their content is possible.
class Validator {
 public:
  explicit Validator(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  const T* array(std::uint64_t offset, std::uint64_t count) const noexcept {
    if (offset % 64 != 0 || offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(bytes_.data() + offset);
  }
  template <typename T>
  bool below(std::uint64_t offset, std::uint64_t count, std::uint64_t limit) const noexcept {
    const T* values = array<T>(offset, count);
    if (values == nullptr) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (values[i] >= limit) return false;
    }
    return true;
  }
  bool finite(std::uint64_t offset, std::uint64_t count) const noexcept {
    const float* values = array<float>(offset, count);
    if (values == nullptr) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) return false;
    }
    return true;
  }

 private:
  std::span<const std::byte> bytes_;
};

bool valid_network(const Validator& v, const Header& header, const Network& n) noexcept {
  const std::uint64_t inputs = std::uint64_t{3} * n.input_joints;
  if (n.input_joints > header.joint_count || inputs > max_layer) return false;
  for (const std::uint32_t size : {n.hidden[0], n.hidden[1], n.outputs}) {
    if (size == 0 || size % 8 != 0 || size > max_layer) return false;
  }
  if (n.first_value % 8 != 0 || n.first_value > header.value_count || n.outputs > header.value_count - n.first_value) {
    return false;
  }
  return v.below<std::uint32_t>(n.joints, n.input_joints, header.joint_count) &&
         v.array<std::int16_t>(n.weights[0], inputs * n.hidden[0]) != nullptr &&
         v.array<std::int16_t>(n.weights[1], std::uint64_t{n.hidden[0]} * n.hidden[1]) != nullptr &&
         v.array<std::int16_t>(n.weights[2], std::uint64_t{n.hidden[1]} * n.outputs) != nullptr &&
         v.finite(n.scales[0], 2 * n.hidden[0]) && v.finite(n.scales[1], 2 * n.hidden[1]) &&
         v.finite(n.scales[2], 2 * n.outputs);
}

bool valid_runs(const Validator& v, const Header& header, const Level& level) noexcept {
  const auto* chunks = v.array<std::uint32_t>(level.chunks, std::uint64_t{level.chunk_count} + 1);
  const auto* runs = v.array<Run>(level.runs, level.run_count);
  if (chunks == nullptr || runs == nullptr || v.array<std::byte>(level.basis, level.basis_bytes) == nullptr)
    return false;
  const std::uint32_t blocks = level.padded_points / block_points;
  if (level.chunk_count != (blocks + chunk_blocks - 1) / chunk_blocks) return false;
  if (chunks[0] != 0 || chunks[level.chunk_count] != level.run_count) return false;
  for (std::uint32_t c = 0; c < level.chunk_count; ++c) {
    if (chunks[c] > chunks[c + 1] || chunks[c + 1] > level.run_count) return false;
    const std::uint32_t blocks_here = std::min(chunk_blocks, blocks - c * chunk_blocks);
    for (std::uint32_t r = chunks[c]; r < chunks[c + 1]; ++r) {
      const Run& run = runs[r];
      if (run.number_bytes != 1 && run.number_bytes != 2) return false;
      if (run.block_count == 0 || run.first_block + std::uint32_t{run.block_count} > blocks_here) return false;
      if (run.dimensions == 0 || run.first_value > header.value_count ||
          run.dimensions > header.value_count - run.first_value) {
        return false;
      }
      const std::uint64_t bytes = std::uint64_t{run.block_count} * run.dimensions * block_floats * run.number_bytes;
      if (run.basis % 8 != 0 || run.basis > level.basis_bytes || bytes > level.basis_bytes - run.basis) return false;
    }
  }
  return true;
}

bool valid_prolongation(const Validator& v, const Level& level, const Level& coarser) noexcept {
  const std::uint64_t count = std::uint64_t{3} * level.padded_points;
  const std::uint64_t limit = coarser.padded_points;
  if (level.wide_points > 1) return false;
  const bool points = level.wide_points == 1 ? v.below<std::uint32_t>(level.prolong_points, count, limit)
                                             : v.below<std::uint16_t>(level.prolong_points, count, limit);
  const auto* weights = v.array<std::uint32_t>(level.prolong_weights, level.padded_points);
  if (!points || weights == nullptr) return false;
  for (std::uint32_t i = 0; i < level.padded_points; ++i) {
    if ((weights[i] & 0xffffu) + (weights[i] >> 16) > 65536u) return false;
  }
  return true;
}

// posed_normals works in place, which needs normals to be numbered in the order of the vertices that use them first.
bool numbered_by_appearance(const Validator& v, const Level& level) noexcept {
  const auto* normal_of = v.array<std::uint32_t>(level.normal_of, level.vertex_count);
  if (normal_of == nullptr) return false;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < level.vertex_count; ++i) {
    if (normal_of[i] > next) return false;
    next += normal_of[i] == next;
  }
  return next == level.normal_count;
}

bool valid_level(const Validator& v, const Header& header, const Level& level) noexcept {
  const std::uint64_t slots = std::uint64_t{level.vertex_count} * header.influences;
  if (level.padded_points % block_points != 0 || level.padded_points > max_points ||
      level.point_count >= level.padded_points || level.vertex_count == 0 || level.vertex_count > max_points ||
      level.triangle_count > max_points || level.normal_count > level.vertex_count) {
    return false;
  }
  return valid_runs(v, header, level) && v.finite(level.rest_positions, std::uint64_t{3} * level.vertex_count + 1) &&
         v.below<std::uint32_t>(level.point_of, level.vertex_count, level.padded_points) &&
         v.below<std::uint16_t>(level.joints, slots, header.joint_count) && v.finite(level.weights, slots) &&
         v.below<std::uint32_t>(level.triangles, std::uint64_t{3} * level.triangle_count, level.vertex_count) &&
         numbered_by_appearance(v, level);
}

bool valid(std::span<const std::byte> bytes, const Header& header) noexcept {
  const Validator v(bytes);
  if (header.level_count == 0 || header.level_count > max_levels || header.joint_count == 0 ||
      header.joint_count > max_joints || header.value_count % 8 != 0 || header.value_count > (1u << 24) ||
      header.influences == 0 || header.influences > static_cast<std::uint32_t>(max_skinning_influences)) {
    return false;
  }
  const auto* levels = v.array<Level>(sizeof(Header), header.level_count);
  const auto* networks = v.array<Network>(header.networks, header.network_count);
  if (levels == nullptr || networks == nullptr ||
      !v.finite(header.rest_rotations, std::uint64_t{4} * header.joint_count))
    return false;
  for (std::uint32_t i = 0; i < header.network_count; ++i) {
    if (!valid_network(v, header, networks[i])) return false;
  }
  std::uint64_t networks_before = 0;  // networks lie by level, without gaps
  for (std::uint32_t i = 0; i < header.level_count; ++i) {
    if (levels[i].first_network != networks_before) return false;
    networks_before += levels[i].network_count;
    if (networks_before > header.network_count || !valid_level(v, header, levels[i])) return false;
    if (i > 0 && !valid_prolongation(v, levels[i], levels[i - 1])) return false;
  }
  return true;
}

}  // namespace

RuntimeStatus open_correctives(std::span<const std::byte> bytes, Correctives& set) noexcept {
  set.data_ = nullptr;
  if (bytes.size() < sizeof(Header) || std::memcmp(bytes.data(), magic, sizeof magic) != 0) {
    return RuntimeStatus::not_correctives;
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 != 0) return RuntimeStatus::misaligned_memory;
  const auto& header = *reinterpret_cast<const Header*>(bytes.data());
  if (header.version != version) return RuntimeStatus::unknown_version;
  if (header.file_bytes != bytes.size() || bytes.size() % 64 != 0) return RuntimeStatus::damaged_file;
  if (header.hash != hash_words(bytes.subspan(sizeof(Header)))) return RuntimeStatus::damaged_file;
  if (!valid(bytes, header)) return RuntimeStatus::damaged_file;
  set.data_ = bytes.data();
  return RuntimeStatus::ok;
}

int Correctives::level_count() const noexcept {
  const CorrectiveAccess access(*this);
  return access.is_open() ? static_cast<int>(access.header().level_count) : 0;
}

int Correctives::joint_count() const noexcept {
  const CorrectiveAccess access(*this);
  return access.is_open() ? static_cast<int>(access.header().joint_count) : 0;
}

int Correctives::influences() const noexcept {
  const CorrectiveAccess access(*this);
  return access.is_open() ? static_cast<int>(access.header().influences) : 0;
}

std::size_t Correctives::vertex_count(int level) const noexcept {
  const CorrectiveAccess access(*this);
  return access.has_level(level) ? access.level(level).vertex_count : 0;
}

std::size_t Correctives::triangle_count(int level) const noexcept {
  const CorrectiveAccess access(*this);
  return access.has_level(level) ? access.level(level).triangle_count : 0;
}

std::size_t Correctives::network_count(int level) const noexcept {
  const CorrectiveAccess access(*this);
  return access.has_level(level) ? access.level(level).network_count : 0;
}

std::size_t Correctives::file_bytes() const noexcept {
  const CorrectiveAccess access(*this);
  return access.is_open() ? access.header().file_bytes : 0;
}

std::size_t Correctives::level_bytes(int number) const noexcept {
  const CorrectiveAccess access(*this);
  if (!access.has_level(number)) return 0;
  const Level& level = access.level(number);
  std::size_t bytes = level.basis_bytes + sizeof(Run) * level.run_count + 4 * (level.chunk_count + 1);
  if (number + 1 < level_count()) bytes += level.padded_points * (level.wide_points ? 16u : 10u);
  for (std::uint32_t i = 0; i < level.network_count; ++i) {
    const Network& n = access.networks()[level.first_network + i];
    bytes += sizeof(Network) + 4 * n.input_joints + 8 * (n.hidden[0] + n.hidden[1] + n.outputs);
    bytes += 2 * (3 * n.input_joints * n.hidden[0] + n.hidden[0] * n.hidden[1] + n.hidden[1] * n.outputs);
  }
  return bytes;
}

std::size_t Correctives::workspace_bytes() const noexcept {
  const CorrectiveAccess access(*this);
  return access.is_open() ? CorrectiveWorkspace(access, nullptr).bytes : 0;
}

std::span<const float> Correctives::rest_positions(int level) const noexcept {
  const CorrectiveAccess access(*this);
  if (!access.has_level(level)) return {};
  return {access.at<float>(access.level(level).rest_positions), 3 * vertex_count(level)};
}

std::span<const std::uint32_t> Correctives::triangles(int level) const noexcept {
  const CorrectiveAccess access(*this);
  if (!access.has_level(level)) return {};
  return {access.at<std::uint32_t>(access.level(level).triangles), 3 * triangle_count(level)};
}

RuntimeStatus fill_skinning_job(const Correctives& set, int level, SkinningJob& job) noexcept {
  const CorrectiveAccess access(set);
  if (!access.is_open()) return RuntimeStatus::not_opened;
  if (!access.has_level(level)) return RuntimeStatus::no_such_level;
  const Level& l = access.level(level);
  job.vertex_count = l.vertex_count;
  job.influences = set.influences();
  const std::size_t slots = job.vertex_count * access.header().influences;
  job.joints = {access.at<std::uint16_t>(l.joints), slots};
  job.weights = {access.at<float>(l.weights), slots};
  return RuntimeStatus::ok;
}

CorrectiveWorkspace::CorrectiveWorkspace(const CorrectiveAccess& set, std::byte* memory) noexcept : bytes(0) {
  const auto take = [&](std::size_t size) {
    std::byte* begin = memory == nullptr ? nullptr : memory + bytes;
    bytes += (size + 63) / 64 * 64;
    return begin;
  };
  const Header& header = set.header();
  state = reinterpret_cast<State*>(take(sizeof(State)));
  features = reinterpret_cast<float*>(take(12 * header.joint_count));
  values = reinterpret_cast<float*>(take(4 * header.value_count));
  for (std::uint32_t i = 0; i < header.level_count; ++i) {
    displacements[i] = reinterpret_cast<float*>(take(12 * std::size_t{set.stored(i).padded_points} + 4));
  }
}

}  // namespace sinew
