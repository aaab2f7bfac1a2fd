// Runs code that may crash, hang or eat all memory on hostile input in a process of its own.
//
// For third-party parsers only: the code runs in a forked copy of this process, where it may touch anything; what it
// returns comes back as bytes, everything else is forgotten. It must not use threads (parallel.h): the copy has one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sinew {

struct SandboxLimits {
  double cpu_seconds = 60.0;
  std::uint64_t extra_bytes = std::uint64_t{4} << 30;  // of address space, beyond what the process has now
};

// Returns what `work` returned. An Error thrown by `work` is thrown to the caller, with its kind and advice.
// Throws Error(bad_input) naming `what` ("the FBX reader") when the copy crashed or went beyond the limits, and
// Error(failed) when no process could be made.
std::string run_sandboxed(const std::string& what, const std::function<std::string()>& work,
                          const SandboxLimits& limits = {});

}  // namespace sinew
