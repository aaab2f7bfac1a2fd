// Bytes of a fuzzer as numbers and arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sinew::fuzz {

// Takes values from the front of the input; zeros when it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  template <typename T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof value, left_);
    std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }
  std::size_t below(std::size_t limit) { return take<std::uint8_t>() % limit; }
  template <typename T>
  std::vector<T> array(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = take<T>();
    return values;
  }
  // Coordinates in a small range, so that many are sound; now and then anything.
  std::vector<float> coordinates(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(take<std::int8_t>()) / 32.0f;
    if (below(8) == 0 && count > 0) values[below(count)] = take<float>();
    return values;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

// Sometimes a null, sometimes a size that does not fit.
template <typename T>
const T* maybe(Input& input, const std::vector<T>& values) {
  return input.below(16) == 0 ? nullptr : values.data();
}

}  // namespace sinew::fuzz
