// Which instructions the loops of the runtime use. Internal.
#pragma once

#include <cstdint>

namespace sinew {

enum class Instructions : std::uint8_t {
  baseline,  // what every processor of the target has: SSE2 on x86-64, NEON on ARM64
  avx2,      // AVX2 and FMA, x86-64 only
};

// The best this processor can run. Asked on every call: it reads a word that the compiler's own start-up code filled
// in, where a variable of ours would need a lock or a guard.
Instructions best_instructions() noexcept;

// "avx2", "sse2", "neon" or "portable".
const char* instructions_name(Instructions instructions) noexcept;

}  // namespace sinew
