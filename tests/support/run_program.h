// Runs the built `sinew` program as a user would: arguments in, exit code and both streams out.
#pragma once

#include <string>
#include <vector>

namespace sinew::test {

struct ProgramResult {
  int exit_code = -1;      // 128 + signal when the program was killed, as a shell says it
  bool timed_out = false;  // it was still running after `timeout_seconds` and was killed
  std::string out, err;
};

// Runs SINEW_PROGRAM with these arguments, without a shell. Never throws for what the program does.
ProgramResult run_sinew(const std::vector<std::string>& arguments, double timeout_seconds = 60.0);

// The same with these bytes on its standard input, through a pipe.
ProgramResult run_sinew_on(const std::string& input, const std::vector<std::string>& arguments,
                           double timeout_seconds = 60.0);

// The same for another program; `arguments` does not repeat its path.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          double timeout_seconds = 60.0, const std::string& input = {});

}  // namespace sinew::test
