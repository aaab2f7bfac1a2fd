// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into fixed blocks of `grain` items, whatever the thread count; sums add the blocks' results in order.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// Calls body(begin, end) for consecutive blocks that cover [0, count). `grain` > 0: items per block.
// Blocks run in any order and at the same time. The first exception thrown by a body is thrown to the caller.
void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

// Sum of body(begin, end) over the blocks, added in block order: the same bits at any thread count.
double parallel_sum(std::size_t count, std::size_t grain, const std::function<double(std::size_t, std::size_t)>& body);

// Limits the threads used by every later parallel loop of the process (and by Embree); 0 means all cores.
void set_thread_count(int threads);
int thread_count();

}  // namespace sinew
