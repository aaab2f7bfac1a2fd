#include "sinew/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace sinew {

void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t blocks = (count + grain - 1) / grain;
  if (blocks <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  tbb::parallel_for(std::size_t{0}, blocks,
                    [&](std::size_t block) { body(block * grain, std::min(count, (block + 1) * grain)); });
}

double parallel_sum(std::size_t count, std::size_t grain, const std::function<double(std::size_t, std::size_t)>& body) {
  std::vector<double> partial((count + grain - 1) / grain, 0.0);
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) { partial[begin / grain] = body(begin, end); });
  double sum = 0.0;
  for (double value : partial) sum += value;
  return sum;
}

namespace {
std::unique_ptr<tbb::global_control>& thread_limit() {
  static std::unique_ptr<tbb::global_control> limit;
  return limit;
}
}  // namespace

void set_thread_count(int threads) {
  thread_limit().reset();
  if (threads > 0) {
    thread_limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                           static_cast<std::size_t>(threads));
  }
}

int thread_count() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace sinew
