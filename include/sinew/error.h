// The one exception type of the library, and warnings for what was repaired or ignored.
//
// Bad input is an Error, never a crash and never a silently worse answer. An Error says what was being done, to which
// file or joint, what is wrong, and what to try. A Warning travels inside the result it belongs to.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/export.h"

namespace sinew {

// Decides the exit code of the command-line program (see exit_code).
enum class ErrorKind {
  failed,     // the work itself failed (disk full, no convergence)
  usage,      // the caller asked for something that does not exist or does not fit together
  bad_input,  // a file or an argument is unreadable, invalid or impossible
  gate,       // a quality gate the user asked for was not met
  cancelled,  // the caller asked to stop
};

class SINEW_API Error : public std::runtime_error {
 public:
  // `what`: one sentence without a full stop, naming the file, joint or option. `advice`: what to try; may be empty.
  Error(ErrorKind kind, const std::string& what, const std::string& advice = {});

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& advice() const noexcept { return advice_; }

  // The same error with `context` (usually "reading 'file.glb'") put before the message.
  Error within(std::string_view context) const;

 private:
  ErrorKind kind_;
  std::string advice_;
};

// Shorthands for the common kind.
SINEW_API Error bad_input(const std::string& what, const std::string& advice = {});

// 0 is success; failed and cancelled 1, usage 2, bad_input 3, gate 4.
SINEW_API int exit_code(ErrorKind kind) noexcept;

struct Warning {
  std::string code;     // stable, machine-readable, kebab-case: "isolated-vertices"
  std::string message;  // one sentence for a person: what was found, how many, what was done about it
};

using Warnings = std::vector<Warning>;

}  // namespace sinew
