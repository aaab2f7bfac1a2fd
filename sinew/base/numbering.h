// Numbers distinct keys 0, 1, 2… in the order in which they are first met.
//
//   Numbering<std::uint64_t, KeyHash> points;
//   const std::uint32_t index = points.number(key);   // a new number when the key was not met before
//
// A table of open addressing at most half full: one miss of the cache per question where std::unordered_map has three.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew {

// Spreads keys that are packed from small integers.
struct KeyHash {
  std::size_t operator()(std::uint64_t key) const {
    key *= 0x9e3779b97f4a7c15ull;
    return static_cast<std::size_t>(key ^ (key >> 32));
  }
};

template <typename Key, typename Hash>
class Numbering {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  void reserve(std::size_t keys) {
    keys_.reserve(keys);
    std::size_t slots = 64;
    while (slots < 2 * (keys + 1)) slots *= 2;
    if (slots > slots_.size()) resize(slots);
  }

  std::uint32_t number(const Key& key) {
    if (2 * (keys_.size() + 1) > slots_.size()) resize(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t slot = slot_of(key);
    if (slots_[slot] == none) {
      slots_[slot] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slots_[slot];
  }

  // The key's number, or `none`.
  std::uint32_t find(const Key& key) const { return slots_.empty() ? none : slots_[slot_of(key)]; }

  // By number.
  const std::vector<Key>& keys() const { return keys_; }

 private:
  // Where the key is, or the free place where it belongs.
  std::size_t slot_of(const Key& key) const {
    std::size_t slot = Hash()(key) & (slots_.size() - 1);
    while (slots_[slot] != none && !(keys_[slots_[slot]] == key)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void resize(std::size_t slots) {
    slots_.assign(slots, none);
    for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;  // a power of two of them, or none
};

}  // namespace sinew
