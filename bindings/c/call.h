// What every function of the C interface does around its work: errors become a status, structs are taken at the size
// that the caller knows, texts and arrays are looked at before they are used.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bindings/c/handles.h"
#include "sinew/progress.h"

namespace sinew::binding {

// Describes the exception that is being handled in `result`. Returns its code.
int describe_exception(ResultObject& result) noexcept;

// Runs work(result). Whatever it throws ends here.
template <std::invocable<ResultObject&> Work>
sinew_status run_call(sinew_result* handle, Work&& work) noexcept {
  ResultObject unseen;
  std::shared_ptr<ResultObject> given;
  if (handle != nullptr) {
    given = results().find(handle);
    if (!given) return SINEW_ARGUMENT_INVALID;
    if (!given->use.begin_writing()) return SINEW_NOT_NOW;
  }
  ResultObject& result = given ? *given : unseen;
  result.clear();
  try {
    work(result);
  } catch (...) {
    result.status = describe_exception(result);
  }
  const int status = result.status;
  if (given) given->use.end_writing();
  return static_cast<sinew_status>(status);
}

// Throws Error(usage) that says which argument is NULL.
void require(const void* argument, const char* name);

std::string text_or(const char* text, const char* fallback);

// An array of the caller. Throws Error(usage) when it is NULL and should hold something, or is too long to be one.
template <typename T>
std::span<const T> array_of(const T* items, std::size_t count, const char* name) {
  if (count > 0) require(items, name);
  if (count > SIZE_MAX / 2 / sizeof(T)) {
    throw Error(ErrorCode::too_large, std::string(name) + " has more entries than memory can hold");
  }
  return {items, count};
}

std::span<const std::byte> bytes_of(const void* bytes, std::size_t size, const char* name);

[[noreturn]] void refuse_struct_size(const char* name, std::size_t given, std::size_t least, std::size_t known);

// Fills a struct of the caller, who knows `size` bytes of it: an earlier header has a shorter one, a later one a longer one,
// whose struct_size calls then refuse. `fill` sets members of a struct of zeros; its struct_size is set here.
template <typename Options, std::invocable<Options*> Fill>
void give_defaults(Options* to, std::size_t size, Fill&& fill) noexcept {
  if (to == nullptr || size < sizeof to->struct_size) return;
  std::memset(static_cast<void*>(to), 0, size);
  try {
    Options full{};
    fill(&full);
    full.struct_size = size;
    std::memcpy(static_cast<void*>(to), &full, std::min(size, sizeof full));
  } catch (...) {  // no memory: it stays a struct of size 0, which calls refuse
  }
}

// The caller's struct, completed by defaults where it is shorter than this version's. `least`: bytes that the first
// version had. NULL means the defaults.
template <typename Options>
Options options_of(const Options* given, void (*defaults)(Options*, std::size_t), std::size_t least, const char* name) {
  Options options;
  defaults(&options, sizeof options);
  if (given == nullptr) return options;
  if (given->struct_size < least || given->struct_size > sizeof(Options)) {
    refuse_struct_size(name, given->struct_size, least, sizeof(Options));
  }
  std::memcpy(static_cast<void*>(&options), given, given->struct_size);
  options.struct_size = sizeof(Options);
  return options;
}

// The same for structs of arrays, whose defaults are zeros and which may not be NULL.
template <typename Arrays>
Arrays arrays_of(const Arrays* given, std::size_t least, const char* name) {
  require(given, name);
  return options_of<Arrays>(
      given, [](Arrays* arrays, std::size_t) { *arrays = {}; }, least, name);
}

// Hands a struct out: only as much of it as the caller has room for.
template <typename Arrays>
void give_arrays(Arrays full, Arrays* to, std::size_t least, const char* name) {
  require(to, name);
  const std::size_t size = to->struct_size;
  if (size < least || size > sizeof(Arrays)) refuse_struct_size(name, size, least, sizeof(Arrays));
  full.struct_size = size;
  std::memcpy(static_cast<void*>(to), &full, size);
}

// Bytes of a struct up to and with a member: the last one of its first version. A later member must not lie in padding
// behind that one, where earlier programs have any value; add it after a member that fills the padding.
#define SINEW_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(type::member))

// A Progress that tells the caller's function and cancels when it says so. `given` may be null.
Progress progress_of(const sinew_progress* given);

void add_warnings(ResultObject& result, const Warnings& warnings);
// The report of a call; its numbers at the top level can be asked for by name.
void set_report(ResultObject& result, const nlohmann::json& report);
void add_file(ResultObject& result, const std::string& name, std::vector<std::byte> bytes);
void add_file(ResultObject& result, const std::string& name, const std::string& text);

}  // namespace sinew::binding
