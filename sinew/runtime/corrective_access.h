// How the runtime's own files look into a Correctives and its workspace. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/runtime/corrective_format.h"
#include "sinew/runtime/correctives.h"

namespace sinew {

struct CorrectiveAccess {
  const std::byte* data;
  explicit CorrectiveAccess(const Correctives& set) : data(set.data_) {}

  template <typename T>
  const T* at(std::uint64_t offset) const noexcept {
    return reinterpret_cast<const T*>(data + offset);
  }
  const sinewc::Header& header() const noexcept { return *at<sinewc::Header>(0); }
  // In the file's order: coarsest first.
  const sinewc::Level& stored(std::size_t i) const noexcept { return at<sinewc::Level>(sizeof(sinewc::Header))[i]; }
  // By the number that callers use: finest first.
  const sinewc::Level& level(int number) const noexcept {
    return stored(header().level_count - 1 - static_cast<std::size_t>(number));
  }
  const sinewc::Network* networks() const noexcept { return at<sinewc::Network>(header().networks); }
};

// What the workspace holds, one array behind the other.
struct CorrectiveWorkspace {
  struct Times {
    std::uint64_t hash;                                             // of the set it was prepared for
    float prolong[sinewc::max_levels], detail[sinewc::max_levels];  // microseconds, running means; 0: unknown
  };
  Times* times;
  float* features;                           // 3 per joint
  float* values;                             // of all networks
  float* layers[2];                          // two layers of a network
  float* displacements[sinewc::max_levels];  // by the file's order of levels
  std::size_t bytes;                         // of all of it

  // `memory` may be null to learn the size.
  CorrectiveWorkspace(const CorrectiveAccess& set, std::byte* memory) noexcept;
};

}  // namespace sinew
