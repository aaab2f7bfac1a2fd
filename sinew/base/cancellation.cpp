#include "sinew/base/cancellation.h"

#include "sinew/error.h"

namespace sinew {
namespace {

thread_local const std::atomic<bool>* flag_of_this_thread = nullptr;

}  // namespace

void stop_if_cancelled() {
  if (flag_of_this_thread && flag_of_this_thread->load(std::memory_order_relaxed))
    throw Error(ErrorCode::cancelled, "stopped on request");
}

CancellationScope::CancellationScope(const Progress& progress)
    : CancellationScope(progress.cancel_flag() ? progress.cancel_flag() : flag_of_this_thread) {}

CancellationScope::CancellationScope(const std::atomic<bool>* flag) : before_(flag_of_this_thread) {
  flag_of_this_thread = flag;
}

CancellationScope::~CancellationScope() { flag_of_this_thread = before_; }

const std::atomic<bool>* CancellationScope::flag() { return flag_of_this_thread; }

}  // namespace sinew
