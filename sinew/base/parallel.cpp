#include "sinew/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <vector>
#if defined(SINEW_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace sinew {
namespace {

// How TBB hands work from thread to thread is invisible to the thread sanitizer: Debian's library is not compiled for
// it. These tell what TBB promises: what happened before give() is seen after take(). (This file itself is compiled
// without it, for TBB's headers; see cmake/rooms.cmake.)
class Handover {
 public:
#if defined(SINEW_THREAD_SANITIZER)
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
#else
  void give() {}
  void take() {}
#endif
};

// Of a call whose parts run on any thread: its beginning is before every part, and every part is before its end.
class SharedCall {
 public:
  SharedCall() { begins_.give(); }
  ~SharedCall() { ends_.take(); }
  SharedCall(const SharedCall&) = delete;
  SharedCall& operator=(const SharedCall&) = delete;

  class Part {
   public:
    explicit Part(SharedCall& call) : call_(call) { call_.begins_.take(); }
    ~Part() { call_.ends_.give(); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    SharedCall& call_;
  };

 private:
  Handover begins_, ends_;
};

}  // namespace

void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t blocks = (count + grain - 1) / grain;
  if (blocks <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  SharedCall call;
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    const SharedCall::Part part(call);
    body(block * grain, std::min(count, (block + 1) * grain));
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
  // TBB would print a warning when asked for more than it has.
  const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  SharedCall call;
  tbb::task_arena(static_cast<int>(std::min<std::size_t>(threads, most))).execute([&] {
    const SharedCall::Part part(call);
    work();
  });
}

int thread_count() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace sinew
