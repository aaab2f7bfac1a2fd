// The skinning loops with the instructions every processor of the target has: SSE2 on x86-64, NEON on ARM64.
#include "sinew/runtime/skinning_kernel.inl"

namespace sinew {

void skin_eights_baseline(const SkinningInput& input, std::size_t begin, std::size_t end) {
  skin_eights(input, begin, end);
}

}  // namespace sinew
