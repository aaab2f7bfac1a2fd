#include "sinew/progress.h"

#include "sinew/error.h"

namespace sinew {

Progress::Progress(Listener listener, const std::atomic<bool>* cancel)
    : listener_(std::move(listener)), cancel_(cancel) {}

void Progress::operator()(double fraction, std::string_view stage) const {
  if (cancel_ && cancel_->load(std::memory_order_relaxed)) {
    throw Error(ErrorCode::cancelled, "stopped on request while " + std::string(stage));
  }
  if (listener_) listener_(begin_ + (end_ - begin_) * fraction, stage);
}

Progress Progress::part(double begin, double end) const {
  Progress result = *this;
  result.begin_ = begin_ + (end_ - begin_) * begin;
  result.end_ = begin_ + (end_ - begin_) * end;
  return result;
}

}  // namespace sinew
