#include "sinew/correctives/evaluate_parallel.h"

#include "sinew/base/parallel.h"

namespace sinew {

RuntimeStatus evaluate_correctives_parallel(const Correctives& set, std::span<const float> rotations, int level,
                                            std::span<std::byte> workspace) {
  const RuntimeStatus status = begin_evaluation(set, rotations, level, workspace);
  if (status != RuntimeStatus::ok) return status;
  // What these could refuse was looked at above.
  parallel_for(networks_down_to(set, level), 16, [&](std::size_t begin, std::size_t end) {
    (void)evaluate_networks(set, workspace, begin, end - begin);
  });
  for (int l = set.level_count() - 1; l >= level; --l) {
    parallel_for(chunk_count(set, l), 8, [&](std::size_t begin, std::size_t end) {
      (void)evaluate_chunks(set, l, workspace, begin, end - begin);
    });
  }
  return finish_evaluation(set, level, workspace);
}

}  // namespace sinew
