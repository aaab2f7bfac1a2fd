// Work that was asked to stop: where it stops, for whom, and what it leaves alone.
#include "sinew/base/cancellation.h"

#include <gtest/gtest.h>

#include <thread>

#include "sinew/base/parallel.h"
#include "sinew/base/sandboxed_process.h"
#include "sinew/error.h"

namespace sinew {
namespace {

ErrorKind kind_thrown(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::failed;  // nothing thrown
}

TEST(Cancellation, NobodyCanStopWorkWithoutAScope) {
  EXPECT_EQ(CancellationScope::flag(), nullptr);
  EXPECT_NO_THROW(stop_if_cancelled());
  std::atomic<bool> cancel{true};
  {
    const CancellationScope scope{Progress(nullptr, &cancel)};
    EXPECT_EQ(kind_thrown([] { stop_if_cancelled(); }), ErrorKind::cancelled);
    cancel = false;
    EXPECT_NO_THROW(stop_if_cancelled());
    cancel = true;
    const CancellationScope inner{Progress()};  // has no flag of its own
    EXPECT_EQ(kind_thrown([] { stop_if_cancelled(); }), ErrorKind::cancelled);
    std::thread([] { EXPECT_NO_THROW(stop_if_cancelled()); }).join();  // works for somebody else
  }
  EXPECT_NO_THROW(stop_if_cancelled());
}

TEST(Cancellation, LoopsOfSmallStepsLookNowAndThen) {
  const std::atomic<bool> cancel{true};
  const CancellationScope scope(&cancel);
  EXPECT_NO_THROW(stop_if_cancelled(1));
  EXPECT_NO_THROW(stop_if_cancelled(1023));
  EXPECT_THROW(stop_if_cancelled(0), Error);
  EXPECT_THROW(stop_if_cancelled(2048), Error);
}

TEST(Cancellation, ParallelLoopsBeginNoFurtherBlock) {
  for (const int threads : {1, 2}) {
    std::atomic<bool> cancel{false};
    std::atomic<int> begun{0};
    const auto loop = [&] {
      with_threads(threads, Progress(nullptr, &cancel), [&] {
        parallel_for(10'000, 1, [&](std::size_t, std::size_t) {
          if (++begun == 5) cancel = true;
        });
      });
    };
    EXPECT_EQ(kind_thrown(loop), ErrorKind::cancelled);
    EXPECT_GE(begun, 5);
    EXPECT_LE(begun, 5 + 2 * threads);  // those that had begun end
    EXPECT_EQ(CancellationScope::flag(), nullptr);
    begun = -20'000;
    cancel = false;
    EXPECT_NO_THROW(loop());
    EXPECT_EQ(begun, -10'000);
    cancel = true;
    begun = 0;
    EXPECT_EQ(kind_thrown([&] {
                with_threads(threads, Progress(nullptr, &cancel),
                             [&] { parallel_for(1, 1, [&](std::size_t, std::size_t) { ++begun; }); });
              }),
              ErrorKind::cancelled)
        << "a single block is not begun either";
    EXPECT_EQ(begun, 0);
  }
}

TEST(Cancellation, ReachesLoopsWithinLoopsOnEveryThread) {
  std::atomic<bool> cancel{false};
  std::atomic<int> with_flag{0}, inner{0};
  const auto work = [&] {
    with_threads(2, Progress(nullptr, &cancel), [&] {
      parallel_for(64, 1, [&](std::size_t, std::size_t) {
        with_flag += CancellationScope::flag() == &cancel;
        parallel_for(64, 1, [&](std::size_t, std::size_t) { inner += CancellationScope::flag() == &cancel; });
      });
    });
  };
  work();
  EXPECT_EQ(with_flag, 64);
  EXPECT_EQ(inner, 64 * 64);
}

TEST(Cancellation, BelongsToTheCall) {
  std::atomic<bool> stop{false}, go_on{false};
  std::atomic<int> done{0};
  std::thread cancelled([&] {
    EXPECT_EQ(kind_thrown([&] {
                with_threads(2, Progress(nullptr, &stop),
                             [&] { parallel_for(1'000'000, 1, [&](std::size_t, std::size_t) { stop = true; }); });
              }),
              ErrorKind::cancelled);
  });
  with_threads(2, Progress(nullptr, &go_on),
               [&] { parallel_for(10'000, 1, [&](std::size_t, std::size_t) { ++done; }); });
  cancelled.join();
  EXPECT_EQ(done, 10'000);
}

TEST(Cancellation, EndsASandboxedProcess) {
  std::atomic<bool> cancel{false};
  std::thread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  const CancellationScope scope(&cancel);
  const auto hang = [] {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    return std::string();
  };
  EXPECT_EQ(kind_thrown([&] { run_sandboxed("a reader that hangs", hang); }), ErrorKind::cancelled);
  impatient.join();
}

}  // namespace
}  // namespace sinew
