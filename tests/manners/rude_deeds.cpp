#include "tests/manners/rude_deeds.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <new>
#include <optional>
#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "tests/manners/host_state.h"
#include "tests/manners/watched_calls.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

// What libraries under this one do when they start, without an effect on the host.
struct Allowed {
  const char* module;
  const char* function;
  const char* reason;
};
constexpr Allowed allowed[] = {
    {"libtbb.so", "getenv", "TBB_VERSION=1 asks it to print its version"},
    {"libtbbmalloc.so", "getenv", "TBB_MALLOC_USE_HUGE_PAGES"},
    {"libhwloc.so", "getenv", "TBB asks it how many processors there are"},
    {"libassimp.so", "getenv", "ASSIMP_ENABLE_DEV_IMPORTERS allows formats that are not ready"},
};

std::set<std::string> calls_seen(const std::set<std::string>& asked) {
  std::set<std::string> found;
  for (int i = 0; i < watched_call_count(); ++i) {
    const WatchedCall call = watched_call(i);
    const std::string module = fs::path(call.module).filename(), function = call.function;
    bool fine = asked.contains(function);
    for (const Allowed& known : allowed)
      fine = fine || (module.starts_with(known.module) && function == known.function);
    if (!fine) found.insert(module + " calls " + function);
  }
  return found;
}

// Another thread of the host, with a floating-point mode of its own, that sees to it that nothing of it changes.
class OtherThread {
 public:
  OtherThread() : thread_([this] { look(); }) {
    while (!ready_) std::this_thread::yield();
  }
  std::vector<std::string> changes() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return changes_;
  }
  ~OtherThread() { changes(); }

 private:
  void look() {
    std::fesetround(FE_UPWARD);
    const State mine = thread_state();
    ready_ = true;
    while (!stop_ && changes_.empty()) {
      for (const std::string& change : differences(mine, thread_state()))
        changes_.push_back("another thread: " + change);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::vector<std::string> changes_;
  std::atomic<bool> stop_{false}, ready_{false};
  std::thread thread_;
};

}  // namespace

std::vector<std::string> misdeeds(const Step& step, const Watch& watch) {
  std::optional<OtherThread> other;
  if (watch.other_thread) other.emplace();
  const State process = process_state(!watch.other_thread), thread = thread_state();
  std::string printed;
  {
    CaughtOutput output;
    watch_calls(1);
    step();
    watch_calls(0);
    printed = output.text();
  }
  std::vector<std::string> found = differences(thread, thread_state());
  for (const std::string& change : differences(process, process_state(!watch.other_thread))) found.push_back(change);
  if (other) {
    for (const std::string& change : other->changes()) found.push_back(change);
  }
  for (const std::string& call : calls_seen(watch.asked)) found.push_back(call);
  if (!printed.empty()) found.push_back("it prints: " + printed);
  return found;
}

namespace {

struct HostPunctuation : std::numpunct<char> {
  explicit HostPunctuation(const char* truth) : truth_(truth) {}
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return truth_; }
  const char* truth_;
};

}  // namespace

void use_locale(const char* truth) { std::locale::global(std::locale(std::locale(), new HostPunctuation(truth))); }

namespace {

// What a guest must not do, and a word of what is then said.
const std::vector<std::pair<std::string, Step>>& rude_deeds() {
  static const std::vector<std::pair<std::string, Step>> deeds = {
    {"calls getenv", [] { std::getenv("HOME"); }},
    {"environment", [] { setenv("SINEW_GUEST", "1", 1); }},
    {"calls fork",
     [] {
       if (fork() == 0) _exit(0);
     }},
    {"children",
     [] {
       if (fork() == 0) _exit(0);
     }},
    {"calls system",
     [] {
       if (std::system("true") != 0) std::abort();
     }},
    {"it prints: out", [] { std::printf("out\n"); }},
    {"it prints: error", [] { std::cerr << "error\n"; }},
    {"handler of signal 10", [] { signal(SIGUSR1, SIG_IGN); }},
    {"calls signal", [] { signal(SIGUSR1, SIG_IGN); }},
    {"blocked signals",
     [] {
       sigset_t set;
       sigfillset(&set);
       pthread_sigmask(SIG_BLOCK, &set, nullptr);
     }},
    {"locale of C:", [] { std::setlocale(LC_ALL, "C.UTF-8"); }},
    {"locale of C++:", [] { use_locale("the guest's"); }},
    {"folder",
     [] {
       if (chdir("/") != 0) std::abort();
     }},
    {"umask", [] { umask(0); }},
    {"limit 4",
     [] {
       const rlimit core{0, 0};
       setrlimit(RLIMIT_CORE, &core);
     }},
    {"terminate handler", [] { std::set_terminate([] { std::_Exit(1); }); }},
    {"new handler", [] { std::set_new_handler([] { std::_Exit(1); }); }},
    {"open files",
     [] {
       if (open("/dev/null", O_RDONLY) < 0) std::abort();
     }},
    {"temporary files", [] { std::ofstream(fs::temp_directory_path() / "guest") << 1; }},
    {"files in the folder", [] { std::ofstream("guest") << 1; }},
    {"rounding mode", [] { std::fesetround(FE_DOWNWARD); }},
#if defined(__x86_64__)
    {"MXCSR", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }},  // flush denormals to zero
#endif
    {"threads that TBB may use",
     [] { [[maybe_unused]] auto* limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism, 1); }},
    {"threads: Threads:", [] { std::thread([] { pause(); }).detach(); }},
    {"name of the thread", [] { pthread_setname_np(pthread_self(), "guest"); }},
  };
  return deeds;
}

}  // namespace

std::size_t noticed_rude_deeds() {
  bool all = true;
  for (const auto& [words, deed] : rude_deeds()) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      bool noticed = false;
      for (const std::string& found : misdeeds(deed, {.other_thread = false})) {
        noticed = noticed || found.find(words) != std::string::npos;
      }
      _exit(noticed ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    std::printf("this test does not notice: %s\n", words.c_str());
    all = false;
  }
  fs::remove("guest");
  fs::remove(fs::temp_directory_path() / "guest");
  return all ? rude_deeds().size() : 0;
}

}  // namespace sinew::test
