// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into fixed blocks of `grain` items, whatever the thread count; sums add the blocks' results in order.
// Where the caller of the work asked to stop (cancellation.h), no further block begins and Error(cancelled) is thrown.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sinew/base/cancellation.h"

namespace sinew {

// Calls body(begin, end) for consecutive blocks that cover [0, count). `grain` > 0: items per block.
// Blocks run in any order and at the same time. The first exception thrown by a body is thrown to the caller.
void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

// The same, and reports the share of the items that is done. From the calling thread, which takes part in the work.
void parallel_for(std::size_t count, std::size_t grain, const Progress& progress, std::string_view stage,
                  const std::function<void(std::size_t, std::size_t)>& body);

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

// The work of a public call: it also stops when the owner of `progress` asks for it.
template <typename Work>
auto with_threads(int threads, const Progress& progress, Work&& work) {
  return with_threads(threads, [&] {
    const CancellationScope scope(progress);
    return work();
  });
}

// How many threads a parallel loop would use here.
int thread_count();

}  // namespace sinew
