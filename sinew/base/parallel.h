// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into fixed blocks of `grain` items, whatever the thread count; sums add the blocks' results in order.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace sinew {

// Calls body(begin, end) for consecutive blocks that cover [0, count). `grain` > 0: items per block.
// Blocks run in any order and at the same time. The first exception thrown by a body is thrown to the caller.
void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

// Sum of body(begin, end) over the blocks, added in block order: the same bits at any thread count.
double parallel_sum(std::size_t count, std::size_t grain, const std::function<double(std::size_t, std::size_t)>& body);

// Runs `work` on this thread; every parallel loop inside it, and Embree's too, uses at most so many threads. 0: no limit
// but the one that holds already. Limits belong to the call: other threads of the process have their own or none.
void run_with_threads(int threads, const std::function<void()>& work);

// The same for work that returns something.
template <typename Work>
auto with_threads(int threads, Work&& work) {
  using Result = std::invoke_result_t<Work&>;
  if constexpr (std::is_void_v<Result>) {
    run_with_threads(threads, [&] { work(); });
  } else {
    std::optional<Result> result;
    run_with_threads(threads, [&] { result.emplace(work()); });
    return *std::move(result);
  }
}

// How many threads a parallel loop would use here.
int thread_count();

}  // namespace sinew
