// How the runtime's own files look into a Correctives and its workspace. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/runtime/corrective_format.h"
#include "sinew/runtime/correctives.h"
#include "sinew/runtime/instructions.h"

namespace sinew {

struct CorrectiveAccess {
  const std::byte* data;
  explicit CorrectiveAccess(const Correctives& set) noexcept : data(set.data_) {}

  bool is_open() const noexcept { return data != nullptr; }
  bool has_level(int number) const noexcept {
    return is_open() && number >= 0 && static_cast<std::uint32_t>(number) < header().level_count;
  }

  template <typename T>
  const T* at(std::uint64_t offset) const noexcept {
    return reinterpret_cast<const T*>(data + offset);
  }
  const sinewc::Header& header() const noexcept { return *at<sinewc::Header>(0); }
  // In the file's order: coarsest first.
  const sinewc::Level& stored(std::size_t i) const noexcept { return at<sinewc::Level>(sizeof(sinewc::Header))[i]; }
  // By the number that callers use: finest first.
  const sinewc::Level& level(int number) const noexcept { return stored(stored_number(number)); }
  std::size_t stored_number(int number) const noexcept {
    return header().level_count - 1 - static_cast<std::size_t>(number);
  }
  const sinewc::Network* networks() const noexcept { return at<sinewc::Network>(header().networks); }
};

// What the workspace holds, one array behind the other.
struct CorrectiveWorkspace {
  struct State {
    std::uint64_t hash;                                             // of the set it was prepared for
    std::int32_t finest_evaluated;                                  // by the callers' numbers; -1: nothing is
    float prolong[sinewc::max_levels], detail[sinewc::max_levels];  // microseconds, running means; 0: unknown
  };
  State* state;
  float* features;                           // 3 per joint
  float* values;                             // of all networks
  float* displacements[sinewc::max_levels];  // by the file's order of levels
  std::size_t bytes;                         // of all of it

  // `memory` may be null to learn the size.
  CorrectiveWorkspace(const CorrectiveAccess& set, std::byte* memory) noexcept;
};

// evaluate_correctives() with other instructions than the best, for tests. The processor must have them.
CorrectiveResult evaluate_correctives_with(const Correctives& set, std::span<const float> rotations, int level,
                                           std::span<std::byte> workspace, double budget_microseconds,
                                           Instructions instructions) noexcept;

}  // namespace sinew
