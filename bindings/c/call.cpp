#include "bindings/c/call.h"

#include <new>

namespace sinew::binding {
namespace {

int describe(ResultObject& result, const Error& error) {
  if (!result.explains_failure) result.clear();
  result.message = error.what();
  result.advice = error.advice();
  result.option = error.option();
  return static_cast<int>(error.code());
}

}  // namespace

int describe_exception(ResultObject& result) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return describe(result, error);
    } catch (const std::bad_alloc&) {
      return describe(result, Error(ErrorCode::out_of_memory, "out of memory", "the input is too large"));
    } catch (const std::length_error&) {
      return describe(result, Error(ErrorCode::out_of_memory, "out of memory", "the input is too large"));
    } catch (const std::exception& error) {
      return describe(result, Error(ErrorCode::internal, error.what(), "this is a defect of Sinew: please report it"));
    } catch (...) {
      return describe(result, Error(ErrorCode::internal, "an exception that is not of this library"));
    }
  } catch (...) {  // not even a text could be stored
    return static_cast<int>(ErrorCode::out_of_memory);
  }
}

void require(const void* argument, const char* name) {
  if (argument == nullptr) throw Error(ErrorCode::argument_invalid, std::string(name) + " is missing: NULL");
}

std::string text_or(const char* text, const char* fallback) { return text != nullptr ? text : fallback; }

std::span<const std::byte> bytes_of(const void* bytes, std::size_t size, const char* name) {
  return array_of(static_cast<const std::byte*>(bytes), size, name);
}

void refuse_struct_size(const char* name, std::size_t given, std::size_t least, std::size_t known) {
  const std::string range =
      least == known ? std::to_string(known) : std::to_string(least) + " … " + std::to_string(known);
  throw Error(ErrorCode::argument_invalid,
              std::string(name) + ": struct_size is " + std::to_string(given) + ", this version knows " + range,
              given > known ? "the program was built with the headers of a newer version, or the struct was not filled"
                            : "set the struct to its defaults before you fill it");
}

Progress progress_of(const sinew_progress* given) {
  if (given == nullptr || given->tell == nullptr) return {};
  return Progress([tell = given->tell, user = given->user](double fraction, std::string_view stage) {
    const std::string text(stage);
    int stop = 0;
    try {
      stop = tell(user, fraction, text.c_str());
    } catch (...) {
      throw Error(ErrorCode::argument_invalid, "the progress function threw an exception while " + text,
                  "let it return 1 to cancel");
    }
    if (stop != 0) throw Error(ErrorCode::cancelled, "stopped on request while " + text);
  });
}

void add_warnings(ResultObject& result, const Warnings& warnings) {
  result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
}

void set_report(ResultObject& result, const nlohmann::json& report) {
  for (const auto& [name, value] : report.items()) {
    if (value.is_number()) result.numbers[name] = value.get<double>();
    if (value.is_boolean()) result.numbers[name] = value.get<bool>() ? 1 : 0;
  }
  result.json = report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_file(ResultObject& result, const std::string& name, std::vector<std::byte> bytes) {
  result.files.push_back({name, std::move(bytes)});
}

void add_file(ResultObject& result, const std::string& name, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  add_file(result, name, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace sinew::binding
