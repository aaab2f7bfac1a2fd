#include "sinew/base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace sinew {

void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t blocks = (count + grain - 1) / grain;
  stop_if_cancelled();
  if (blocks <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  const std::atomic<bool>* const cancel = CancellationScope::flag();
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    const CancellationScope scope(cancel);
    stop_if_cancelled();
    body(block * grain, std::min(count, (block + 1) * grain));
  });
}

void parallel_for(std::size_t count, std::size_t grain, const Progress& progress, std::string_view stage,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  constexpr double worth_a_report = 0.01;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<std::size_t> done{0};
  double reported = 0;
  progress(0.0, stage);
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    body(begin, end);
    const double share = static_cast<double>(done += end - begin) / static_cast<double>(count);
    if (std::this_thread::get_id() != caller || share < reported + worth_a_report) return;
    reported = share;
    progress(share, stage);
  });
}

double parallel_sum(std::size_t count, std::size_t grain, const std::function<double(std::size_t, std::size_t)>& body) {
  std::vector<double> partial((count + grain - 1) / grain, 0.0);
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) { partial[begin / grain] = body(begin, end); });
  double sum = 0.0;
  for (double value : partial) sum += value;
  return sum;
}

void run_with_threads(int threads, const std::function<void()>& work) {
  if (threads <= 0) return work();
  tbb::task_arena(threads).execute(work);
}

int thread_count() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace sinew
