#include "sinew/rig/skin_parallel.h"

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// A multiple of eight, what the kernels work on.
constexpr std::size_t vertices_per_block = 16'384;

}  // namespace

RuntimeStatus skin_parallel(const SkinningJob& job) {
  const RuntimeStatus status = job.check_sizes();
  if (status != RuntimeStatus::ok) return status;
  parallel_for(job.vertex_count, vertices_per_block, [&](std::size_t begin, std::size_t end) {
    (void)skin_range(job, begin, end - begin);  // the sizes were checked, and the range is inside
  });
  return status;
}

}  // namespace sinew
