#include "tests/manners/host_state.h"

#include <fcntl.h>
#include <fpu_control.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <locale>
#include <new>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

extern char** environ;

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

// The bytes of a plain struct, as a text that differs when they do.
template <typename Value>
std::string bytes_text(const Value& value) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  std::string text;
  for (unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

// Open files with what they are: the one that lists them is left out by its target.
std::string open_files() {
  std::string text;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = fs::read_symlink(entry.path(), gone);
    if (!gone && target.find("/fd") == std::string::npos) text += target + " ";
  }
  return text;
}

std::string status_line(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return line;
  }
  return {};
}

void add_signals(State& state) {
  for (int number = 1; number < SIGRTMAX; ++number) {
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    if (sigaction(number, nullptr, &action) != 0) continue;
    state["handler of signal " + std::to_string(number)] =
        bytes_text(action.sa_handler) + " " + std::to_string(action.sa_flags);
  }
  for (const int which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer{};
    getitimer(static_cast<__itimer_which>(which), &timer);
    state["timer " + std::to_string(which)] = std::to_string(timer.it_interval.tv_sec);
  }
}

void add_limits(State& state) {
  for (int which = 0; which < RLIMIT_NLIMITS; ++which) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(which), &limit);
    state["limit " + std::to_string(which)] = std::to_string(limit.rlim_cur) + " of " + std::to_string(limit.rlim_max);
  }
  state["priority"] = std::to_string(getpriority(PRIO_PROCESS, 0));
  using tbb::global_control;
  state["threads that TBB may use"] =
      std::to_string(global_control::active_value(global_control::max_allowed_parallelism));
  state["stack of TBB's threads"] = std::to_string(global_control::active_value(global_control::thread_stack_size));
}

void add_places(State& state) {
  state["folder"] = fs::current_path();
  state["files in the folder"] = names_in(".");
  state["temporary files"] = names_in(fs::temp_directory_path());
  state["umask"] = status_line("Umask:");
  state["open files"] = open_files();
  std::string environment;
  for (char** entry = environ; *entry; ++entry) environment += std::string(*entry) + "\n";
  state["environment"] = environment;
}

}  // namespace

State process_state(bool with_threads) {
  State state;
  add_signals(state);
  add_limits(state);
  add_places(state);
  state["locale of C"] = std::setlocale(LC_ALL, nullptr);
  state["locale of C++"] = std::locale().name() + (std::has_facet<std::numpunct<char>>(std::locale())
                                                       ? std::use_facet<std::numpunct<char>>(std::locale()).truename()
                                                       : "");
  state["terminate handler"] = bytes_text(std::get_terminate());
  state["new handler"] = bytes_text(std::get_new_handler());
  siginfo_t child{};
  state["children"] = waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 ? "none" : "some";
  if (with_threads) state["threads"] = status_line("Threads:");
  return state;
}

State thread_state() {
  State state;
  state["rounding mode"] = std::to_string(std::fegetround());
#if defined(__x86_64__)
  constexpr unsigned sticky = 0x3f;  // "an exception happened" flags: every sum sets them
  state["MXCSR"] = std::to_string(_mm_getcsr() & ~sticky);
  fpu_control_t control = 0;
  _FPU_GETCW(control);
  state["control word of the x87"] = std::to_string(control);
#endif
  sigset_t blocked;
  std::memset(&blocked, 0, sizeof blocked);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  state["blocked signals"] = bytes_text(blocked);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  sched_getaffinity(0, sizeof processors, &processors);
  state["affinity"] = bytes_text(processors);
  state["name of the thread"] = [] {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    return std::string(name);
  }();
  state["threads of an arena"] = std::to_string(tbb::this_task_arena::max_concurrency());
  return state;
}

std::vector<std::string> differences(const State& before, const State& after) {
  std::vector<std::string> found;
  for (const auto& [name, text] : before) {
    const auto other = after.find(name);
    const std::string now = other == after.end() ? "nothing" : other->second;
    if (now != text) found.push_back(name + ": " + text + " became " + now);
  }
  return found;
}

CaughtOutput::CaughtOutput() : file_(memfd_create("output", MFD_CLOEXEC)), out_(dup(1)), err_(dup(2)) {
  std::fflush(nullptr);
  dup2(file_, 1);
  dup2(file_, 2);
}

CaughtOutput::~CaughtOutput() {
  std::fflush(nullptr);
  dup2(out_, 1);
  dup2(err_, 2);
  close(out_);
  close(err_);
  close(file_);
}

std::string CaughtOutput::text() const {
  std::fflush(nullptr);
  std::string text(4096, '\0');
  const ssize_t count = pread(file_, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

}  // namespace sinew::test
