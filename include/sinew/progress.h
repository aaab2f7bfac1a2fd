// How a long computation tells its caller how far it is, and learns that it should stop.
//
// Pass a Progress by const reference; call it now and then from the thread that runs the algorithm. A default-made
// Progress reports to nobody and never cancels.
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
  // `cancel` may be null; when it becomes true the next report throws Error(cancelled). Both must outlive the Progress.
  explicit Progress(Listener listener, const std::atomic<bool>* cancel = nullptr);

  // Reports, and throws Error(cancelled) when the caller asked to stop.
  void operator()(double fraction, std::string_view stage) const;

  // A Progress whose 0…1 is this one's begin…end: for handing a part of the work on.
  Progress part(double begin, double end) const;

 private:
  Listener listener_;
  const std::atomic<bool>* cancel_ = nullptr;
  double begin_ = 0.0;
  double end_ = 1.0;
};

}  // namespace sinew
