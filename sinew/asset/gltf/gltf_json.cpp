#include <cmath>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {
namespace {

std::string place(std::string_view where, const char* key) { return std::string(where) + ": '" + key + "'"; }

// Accepts 3 and 3.0; files written by scripting languages hold both.
bool to_unsigned(const Json& value, std::uint64_t& result) {
  if (value.is_number_unsigned()) {
    result = value.get<std::uint64_t>();
    return true;
  }
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number >= 0 && number < 9e15 && number == std::floor(number)) {
      result = static_cast<std::uint64_t>(number);
      return true;
    }
  }
  return false;
}

}  // namespace

std::uint64_t unsigned_member(const Json& object, const char* key, std::uint64_t fallback, std::string_view where) {
  const auto member = object.find(key);
  if (member == object.end()) return fallback;
  std::uint64_t result = 0;
  if (!to_unsigned(*member, result)) {
    throw Error(ErrorCode::file_damaged, place(where, key) + " is not a non-negative integer");
  }
  return result;
}

std::uint64_t required_unsigned(const Json& object, const char* key, std::string_view where) {
  if (!object.contains(key)) throw Error(ErrorCode::file_damaged, place(where, key) + " is missing");
  return unsigned_member(object, key, 0, where);
}

int index_member(const Json& object, const char* key, std::size_t size, std::string_view where) {
  const auto member = object.find(key);
  if (member == object.end()) return -1;
  std::uint64_t result = 0;
  if (!to_unsigned(*member, result)) throw Error(ErrorCode::file_damaged, place(where, key) + " is not an index");
  if (result >= size) {
    throw Error(ErrorCode::file_damaged,
                place(where, key) + " is " + std::to_string(result) + ", but there are only " + std::to_string(size));
  }
  return static_cast<int>(result);
}

int index_of(const Json& element, std::size_t size, std::string_view where) {
  std::uint64_t result = 0;
  if (!to_unsigned(element, result)) {
    throw Error(ErrorCode::file_damaged, std::string(where) + " holds something that is not an index");
  }
  if (result >= size) {
    throw Error(ErrorCode::file_damaged, std::string(where) + " names " + std::to_string(result) +
                                             ", but there are only " + std::to_string(size));
  }
  return static_cast<int>(result);
}

bool bool_member(const Json& object, const char* key, bool fallback, std::string_view where) {
  const auto member = object.find(key);
  if (member == object.end()) return fallback;
  if (!member->is_boolean()) throw Error(ErrorCode::file_damaged, place(where, key) + " is not true or false");
  return member->get<bool>();
}

std::string string_member(const Json& object, const char* key, const std::string& fallback, std::string_view where) {
  const auto member = object.find(key);
  if (member == object.end()) return fallback;
  if (!member->is_string()) throw Error(ErrorCode::file_damaged, place(where, key) + " is not a string");
  return member->get<std::string>();
}

const Json& array_member(const Json& object, const char* key, std::string_view where) {
  static const Json empty = Json::array();
  const auto member = object.find(key);
  if (member == object.end()) return empty;
  if (!member->is_array()) throw Error(ErrorCode::file_damaged, place(where, key) + " is not an array");
  return *member;
}

const Json& element(const Json& root, const char* array, int index) {
  const Json& elements = array_member(root, array, "the file");
  if (index < 0 || static_cast<std::size_t>(index) >= elements.size()) {
    throw Error(ErrorCode::file_damaged, std::string(array) + " has no entry " + std::to_string(index));
  }
  const Json& result = elements[static_cast<std::size_t>(index)];
  if (!result.is_object()) {
    throw Error(ErrorCode::file_damaged, "entry " + std::to_string(index) + " of '" + array + "' is not an object");
  }
  return result;
}

std::size_t count_of(const Json& root, const char* array) { return array_member(root, array, "the file").size(); }

bool numbers_member(const Json& object, const char* key, std::span<double> values, std::string_view where) {
  const auto member = object.find(key);
  if (member == object.end()) return false;
  if (!member->is_array() || member->size() != values.size()) {
    throw Error(ErrorCode::file_damaged,
                place(where, key) + " is not an array of " + std::to_string(values.size()) + " numbers");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Json& number = (*member)[i];
    if (!number.is_number()) {
      throw Error(ErrorCode::file_damaged, place(where, key) + " holds something that is not a number");
    }
    values[i] = number.get<double>();
    if (!std::isfinite(values[i])) {
      throw Error(ErrorCode::file_damaged, place(where, key) + " holds a number that is not finite");
    }
  }
  return true;
}

}  // namespace sinew::gltf
