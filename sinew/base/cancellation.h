// How work deep inside a long call learns that its caller asked to stop.
//
// A public call that takes a Progress does its work in with_threads(threads, progress, …), which holds a
// CancellationScope. From then on every parallel loop, however deep, stops before its next block, and serial code that
// may run for more than a few hundredths of a second calls stop_if_cancelled() now and then. Both throw
// Error(cancelled), on the calling thread in the end. Nothing is handed down through the rooms for it: the wish belongs
// to the call that a thread works for, and parallel loops give it to the threads that help.
// Who catches an Error to try something else lets one of the kind `cancelled` pass; who changes an object step by step
// works on a copy. Reports are another matter: a Progress is called by the thread that called.
#pragma once

#include <atomic>
#include <cstddef>

#include "sinew/progress.h"

namespace sinew {

// Throws Error(cancelled) when the caller of this thread's work asked to stop. Costs two reads.
void stop_if_cancelled();

// The same for loops of many small steps: looks at every 1024th.
inline void stop_if_cancelled(std::size_t step) {
  if (step % 1024 == 0) stop_if_cancelled();
}

// While it lives, this thread works for the caller who owns the flag. Ends in the reverse order of construction.
class CancellationScope {
 public:
  // A Progress that nobody can cancel leaves the scope around it in force.
  explicit CancellationScope(const Progress& progress);
  explicit CancellationScope(const std::atomic<bool>* flag);
  ~CancellationScope();
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

  // Of the innermost scope of this thread; null when nobody can cancel its work.
  static const std::atomic<bool>* flag();

 private:
  const std::atomic<bool>* before_;
};

}  // namespace sinew
