// The loops of corrective evaluation for any processor.
#include "sinew/correctives/corrective_kernel.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // eight floats as one value never cross a function that is not inlined
#include "sinew/correctives/corrective_kernel.inl"

namespace sinew {

const CorrectiveKernels corrective_kernels_baseline{"portable",
                                                    prolong<std::uint16_t>,
                                                    prolong<std::uint32_t>,
                                                    accumulate<std::int8_t>,
                                                    accumulate<std::int16_t>,
                                                    layer,
                                                    correct};

}  // namespace sinew
