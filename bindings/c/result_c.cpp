#include "sinew/result_c.h"

#include "bindings/c/call.h"
#include "sinew/version.h"

namespace sinew::binding {
namespace {

// Calls give(object) and returns what it returns; `otherwise` for what is not a living result, or one in use.
template <typename Value, typename Give>
Value look_into(const sinew_result* handle, Value otherwise, Give&& give) noexcept {
  const std::shared_ptr<ResultObject> result = handle ? results().find(handle) : nullptr;
  if (!result || !result->use.begin_reading()) return otherwise;
  const Value value = give(static_cast<const ResultObject&>(*result));
  result->use.end_reading();
  return value;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

const char* sinew_version(void) { return version(); }
int sinew_version_number(void) { return version_number(); }

const char* sinew_status_name(int status) {
  if (status == SINEW_OK) return "ok";
  const std::string_view name = code_name(static_cast<ErrorCode>(status));  // of a literal, so a zero follows it
  return name.empty() ? "" : name.data();
}

sinew_result* sinew_result_create(void) {
  try {
    return results().add(std::make_shared<ResultObject>());
  } catch (...) {
    return nullptr;
  }
}

void sinew_result_destroy(sinew_result* result) { results().remove(result); }

sinew_status sinew_result_status(const sinew_result* result) {
  return look_into(result, SINEW_ARGUMENT_INVALID,
                   [](const ResultObject& object) { return static_cast<sinew_status>(object.status); });
}

const char* sinew_result_message(const sinew_result* result) {
  return look_into(result, "", [](const ResultObject& object) { return object.message.c_str(); });
}

const char* sinew_result_advice(const sinew_result* result) {
  return look_into(result, "", [](const ResultObject& object) { return object.advice.c_str(); });
}

const char* sinew_result_option(const sinew_result* result) {
  return look_into(result, "", [](const ResultObject& object) { return object.option.c_str(); });
}

const char* sinew_result_json(const sinew_result* result) {
  return look_into(result, "", [](const ResultObject& object) { return object.json.c_str(); });
}

size_t sinew_result_warning_count(const sinew_result* result) {
  return look_into(result, std::size_t{0}, [](const ResultObject& object) { return object.warnings.size(); });
}

sinew_status sinew_result_warning(const sinew_result* result, size_t index, const char** code, const char** message) {
  return look_into(result, SINEW_ARGUMENT_INVALID, [&](const ResultObject& object) {
    if (index >= object.warnings.size()) return SINEW_ARGUMENT_INVALID;
    if (code != nullptr) *code = object.warnings[index].code.c_str();
    if (message != nullptr) *message = object.warnings[index].message.c_str();
    return SINEW_OK;
  });
}

sinew_status sinew_result_number(const sinew_result* result, const char* name, double* value) {
  if (name == nullptr || value == nullptr) return SINEW_ARGUMENT_INVALID;
  return look_into(result, SINEW_ARGUMENT_INVALID, [&](const ResultObject& object) {
    for (const auto& [known, number] : object.numbers) {
      if (known != name) continue;
      *value = number;
      return SINEW_OK;
    }
    return SINEW_CHOICE_UNKNOWN;
  });
}

const float* sinew_result_values(const sinew_result* result, size_t* count) {
  if (count != nullptr) *count = 0;
  return look_into(result, static_cast<const float*>(nullptr), [&](const ResultObject& object) -> const float* {
    if (count == nullptr || object.values.empty()) return nullptr;
    *count = object.values.size();
    return object.values.data();
  });
}

size_t sinew_result_file_count(const sinew_result* result) {
  return look_into(result, std::size_t{0}, [](const ResultObject& object) { return object.files.size(); });
}

sinew_status sinew_result_file(const sinew_result* result, size_t index, const char** name, const void** bytes,
                               size_t* size) {
  return look_into(result, SINEW_ARGUMENT_INVALID, [&](const ResultObject& object) {
    if (index >= object.files.size()) return SINEW_ARGUMENT_INVALID;
    const WrittenFile& file = object.files[index];
    if (name != nullptr) *name = file.name.c_str();
    if (bytes != nullptr) *bytes = file.bytes.data();
    if (size != nullptr) *size = file.bytes.size();
    return SINEW_OK;
  });
}

}  // extern "C"
