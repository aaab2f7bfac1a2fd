// Everything about a process that a library in it could change and must not: as texts by name, to be compared.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinew::test {

using State = std::map<std::string, std::string>;

// Of the whole process: signal handlers, locales, folders, limits, children, open files, memory of handlers …
// `with_threads`: how many threads it has, too; a pool of workers may stay when a call was allowed several.
State process_state(bool with_threads);

// Of the calling thread: floating-point control, signal mask, affinity, how many threads TBB would use here.
State thread_state();

// "umask: 0022 became 0000", one for every difference.
std::vector<std::string> differences(const State& before, const State& after);

// Catches what the process prints while it lives.
class CaughtOutput {
 public:
  CaughtOutput();
  ~CaughtOutput();
  CaughtOutput(const CaughtOutput&) = delete;
  CaughtOutput& operator=(const CaughtOutput&) = delete;
  std::string text() const;  // up to now

 private:
  int file_, out_, err_;
};

}  // namespace sinew::test
