// What the server says to a request that makes no sense, and errors as the page gets them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sinew/error.h"

namespace sinew::viewer {

inline Error refused(const std::string& what, const std::string& advice = {}) {
  return Error(ErrorCode::argument_invalid, what, advice);
}

inline nlohmann::json error_json(const Error& error) {
  return {{"code", code_name(error.code())},
          {"kind", kind_name(error.kind())},
          {"message", error.what()},
          {"advice", error.advice()}};
}

}  // namespace sinew::viewer
