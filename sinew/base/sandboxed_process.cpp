#include "sinew/base/sandboxed_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>

#include "sinew/base/cancellation.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// The address sanitiser's shadow memory is larger than any sensible limit.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool limits_memory = false;
#elif defined(__has_feature)
constexpr bool limits_memory = !__has_feature(address_sanitizer);
#else
constexpr bool limits_memory = true;
#endif

// What the copy sends: one mark, then bytes. An error is kind, what and advice, each ended by a zero.
constexpr char mark_result = 'r', mark_error = 'e', mark_memory = 'm';

std::uint64_t address_space_now() {
  unsigned long long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void set_limits(const SandboxLimits& limits) {
  const auto seconds = static_cast<rlim_t>(std::ceil(limits.cpu_seconds));
  const rlimit cpu{seconds, seconds + 1}, core{0, 0};
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
  if (limits_memory) {
    const rlim_t bytes = address_space_now() + limits.extra_bytes;
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  // A library that aborts likes to talk first.
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  for (int signal_number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) signal(signal_number, SIG_DFL);
}

bool send(int pipe, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = write(pipe, bytes, count);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

std::string encode(const Error& error) {
  std::string message(1, mark_error);
  for (const std::string& part : {std::string(code_name(error.code())), std::string(error.what()), error.advice()}) {
    message += part;
    message += '\0';
  }
  return message + error.option();
}

[[noreturn]] void run_copy(int pipe, const std::function<std::string()>& work, const SandboxLimits& limits) {
  set_limits(limits);
  std::string message;
  try {
    message = mark_result + work();
  } catch (const Error& error) {
    message = encode(error);
  } catch (const std::bad_alloc&) {
    message.assign(1, mark_memory);
  } catch (const std::exception& error) {
    message = encode(Error(ErrorCode::reader_failed, error.what()));
  } catch (...) {
    message = encode(Error(ErrorCode::reader_failed, "its reader failed without saying why"));
  }
  _exit(send(pipe, message.data(), message.size()) ? 0 : 1);
}

std::string receive(int pipe) {
  constexpr int patience = 50;  // milliseconds between looks whether the caller asks to stop
  std::string message;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    stop_if_cancelled();
    pollfd ready{pipe, POLLIN, 0};
    if (poll(&ready, 1, patience) <= 0) continue;
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return message;
    message.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Error decode_error(const std::string& message) {
  std::array<std::string, 4> parts;  // code, what, advice, option
  std::size_t begin = 1;
  for (std::string& part : parts) {
    const std::size_t end = std::min(message.find('\0', begin), message.size());
    part = message.substr(begin, end - begin);
    begin = std::min(end + 1, message.size());
  }
  const ErrorCode code = find_error_code(parts[0]).value_or(ErrorCode::reader_failed);
  return Error(code, parts[1], parts[2]).about(parts[3]);
}

}  // namespace

std::string run_sandboxed(const std::string& what, const std::function<std::string()>& work,
                          const SandboxLimits& limits) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::system_refused, what + " could not be started: " + std::strerror(errno));
  }
  const pid_t copy = fork();
  if (copy == 0) {
    close(ends[0]);
    run_copy(ends[1], work, limits);
  }
  close(ends[1]);
  if (copy < 0) {
    close(ends[0]);
    throw Error(ErrorCode::system_refused, what + " could not be started: " + std::strerror(errno));
  }
  int status = 0;
  const auto end_copy = [&] {
    close(ends[0]);
    while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
    }
  };
  std::string message;
  try {
    message = receive(ends[0]);
  } catch (...) {
    kill(copy, SIGKILL);
    end_copy();
    throw;
  }
  end_copy();
  const char* advice = "the file is damaged or hostile; open and save it again in the program that made it";
  if (WIFSIGNALED(status)) {
    const bool too_long = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
    throw Error(ErrorCode::reader_failed, what + (too_long ? " took too long on it" : " crashed on it"), advice);
  }
  if (message.empty() || message[0] == mark_memory) {
    throw Error(ErrorCode::reader_failed, what + " ran out of memory on it", advice);
  }
  if (message[0] == mark_error) throw decode_error(message);
  message.erase(0, 1);
  return message;
}

}  // namespace sinew
