// The loops of corrective evaluation for any processor.
#include "sinew/runtime/corrective_kernel.h"
#include "sinew/runtime/corrective_kernel.inl"

namespace sinew {

const CorrectiveKernels corrective_kernels_baseline{
    prolong<std::uint16_t>, prolong<std::uint32_t>, accumulate<std::int8_t>, accumulate<std::int16_t>, layer, correct};

}  // namespace sinew
