// Real-time correctives on several threads.
#pragma once

#include "sinew/runtime/correctives.h"

namespace sinew {

// The same bits as evaluate_correctives, on all threads of parallel.h, without a budget. Starting the threads allocates;
// the evaluation does not.
RuntimeStatus evaluate_correctives_parallel(const Correctives& set, std::span<const float> rotations, int level,
                                            std::span<std::byte> workspace);

}  // namespace sinew
