// Real-time skinning on several threads.
#pragma once

#include "sinew/runtime/skinning.h"

namespace sinew {

// The same bits as skin(), on all threads of parallel.h. Starting the threads allocates; the skinning does not.
RuntimeStatus skin_parallel(const SkinningJob& job);

}  // namespace sinew
