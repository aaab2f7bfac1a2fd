// What the server says to a request that makes no sense.
#pragma once

#include <string>

#include "sinew/error.h"

namespace sinew::viewer {

inline Error refused(const std::string& what, const std::string& advice = {}) {
  return Error(ErrorKind::usage, what, advice);
}

}  // namespace sinew::viewer
