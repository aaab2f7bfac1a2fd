#include "tests/support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>

extern char** environ;

namespace sinew::test {
namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

// Appends what is there to `text`; closes the pipe at its end.
void drain(Pipe& pipe, std::string& text) {
  char buffer[65536];
  const ssize_t count = read(pipe.ends[0], buffer, sizeof buffer);
  if (count > 0) {
    text.append(buffer, static_cast<std::size_t>(count));
  } else {
    pipe.close_end(0);
  }
}

// Writes what fits of `text` from `at` on; closes the pipe when all is written or nobody reads.
void feed(Pipe& pipe, const std::string& text, std::size_t& at) {
  const ssize_t count = write(pipe.ends[1], text.data() + at, text.size() - at);
  if (count > 0) at += static_cast<std::size_t>(count);
  if (at == text.size() || (count < 0 && errno != EAGAIN)) pipe.close_end(1);
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

}  // namespace

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments, double timeout_seconds,
                          const std::string& input) {
  ProgramResult result;
  Pipe in, out, err;
  std::size_t fed = 0;
  std::signal(SIGPIPE, SIG_IGN);  // a program may end before it has read everything
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + program);
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  if (input.empty()) in.close_end(1);

  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<long long>(timeout_seconds * 1000));
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    std::array<pollfd, 3> waiting{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0},
                                  pollfd{in.ends[1], POLLOUT, 0}};
    if (left <= 0 || poll(waiting.data(), waiting.size(), static_cast<int>(left)) == 0) {
      result.timed_out = true;
      kill(child, SIGKILL);
      break;
    }
    if (waiting[0].revents) drain(out, result.out);
    if (waiting[1].revents) drain(err, result.err);
    if (waiting[2].revents) feed(in, input, fed);
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = exit_code_of(status);
  return result;
}

ProgramResult run_sinew(const std::vector<std::string>& arguments, double timeout_seconds) {
  return run_program(SINEW_PROGRAM, arguments, timeout_seconds);
}

ProgramResult run_sinew_on(const std::string& input, const std::vector<std::string>& arguments,
                           double timeout_seconds) {
  return run_program(SINEW_PROGRAM, arguments, timeout_seconds, input);
}

}  // namespace sinew::test
