// Union-find: which of many items hang together. Sets are named by their smallest member,
// whatever the order of joining.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sinew {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count), count_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    parent_[std::max(a, b)] = std::min(a, b);
    --count_;
  }

  // How many sets there are.
  std::size_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> parent_;
  std::size_t count_;
};

}  // namespace sinew
