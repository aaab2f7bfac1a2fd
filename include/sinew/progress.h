// How a long computation tells its caller how far it is, and learns that it should stop.
//
// Every call of the library that takes a Progress reports only from the thread that made the call, with fractions that
// never decrease, and throws Error(cancelled) soon after `cancel` became true: within 0.2 s on characters of 100,000
// vertices (docs/benchmarks/speed.md). What it was to change is then as it was before the call.
//
// To report from code of your own, pass a Progress by const reference and call it now and then. A default-made Progress
// reports to nobody and never cancels.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "sinew/export.h"

namespace sinew {

class SINEW_API Progress {
 public:
  // `fraction` in [0, 1]; `stage` says what is being done now ("tracing visibility").
  using Listener = std::function<void(double fraction, std::string_view stage)>;

  Progress() = default;
  // `cancel` may be null, and may be set from any thread or a signal handler. Both must outlive the Progress.
  explicit Progress(Listener listener, const std::atomic<bool>* cancel = nullptr);

  // Reports, and throws Error(cancelled) when the caller asked to stop.
  void operator()(double fraction, std::string_view stage) const;

  // A Progress whose 0…1 is this one's begin…end: for handing a part of the work on.
  Progress part(double begin, double end) const;

  // The flag that it was made with, or null.
  const std::atomic<bool>* cancel_flag() const { return cancel_; }

 private:
  Listener listener_;
  const std::atomic<bool>* cancel_ = nullptr;
  double begin_ = 0.0;
  double end_ = 1.0;
};

}  // namespace sinew
