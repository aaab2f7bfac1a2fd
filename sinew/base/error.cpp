#include "sinew/error.h"

namespace sinew {

Error::Error(ErrorKind kind, const std::string& what, const std::string& advice)
    : std::runtime_error(what), kind_(kind), advice_(advice) {}

Error Error::within(std::string_view context) const {
  return Error(kind_, std::string(context) + ": " + what(), advice_);
}

Error bad_input(const std::string& what, const std::string& advice) {
  return Error(ErrorKind::bad_input, what, advice);
}

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::failed:
    case ErrorKind::cancelled:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::bad_input:
      return 3;
    case ErrorKind::gate:
      return 4;
  }
  return 1;
}

}  // namespace sinew
