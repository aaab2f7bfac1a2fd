// Points that keep a distance from each other, which may change from place to place: internal to volume_samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

struct GridCell {
  int x, y, z;
};

// Accepted points in a hash of cells, one grid per power of two of the spacing.
class PoissonDiscGrid {
 public:
  PoissonDiscGrid(const AABBf& box, double widest) : origin_(box.min()), widest_(widest), table_(1 << 12, none) {}

  bool is_free(const Vec3f& p, float spacing) const {
    const int own = level_of(spacing);
    for (int level = std::max(own - 2, 0); level <= std::min(own + 2, highest_level_); ++level) {
      const double size = widest_ / (1 << level);
      const int reach = static_cast<int>(std::ceil(spacing / size));
      const GridCell c = cell_of(p, size);
      for (int x = c.x - reach; x <= c.x + reach; ++x) {
        for (int y = c.y - reach; y <= c.y + reach; ++y) {
          for (int z = c.z - reach; z <= c.z + reach; ++z) {
            for (std::uint32_t i = first_in(key_of(level, {x, y, z})); i != none; i = points_[i].next) {
              if ((points_[i].position - p).squaredNorm() < spacing * spacing) return false;
            }
          }
        }
      }
    }
    return true;
  }

  void add(const Vec3f& p, float spacing) {
    const int level = level_of(spacing);
    highest_level_ = std::max(highest_level_, level);
    if (2 * points_.size() >= table_.size()) grow();
    const std::uint64_t key = key_of(level, cell_of(p, widest_ / (1 << level)));
    points_.push_back({p, key, none});
    insert(static_cast<std::uint32_t>(points_.size() - 1));
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct GridPoint {
    Vec3f position;
    std::uint64_t key;
    std::uint32_t next;
  };

  int level_of(float spacing) const {
    return std::clamp(static_cast<int>(std::floor(std::log2(widest_ / spacing) + 1e-4)), 0, 15);
  }
  GridCell cell_of(const Vec3f& p, double size) const {
    const Vec3d d = (p - origin_).cast<double>() / size;
    return {static_cast<int>(std::floor(d.x())), static_cast<int>(std::floor(d.y())),
            static_cast<int>(std::floor(d.z()))};
  }
  static std::uint64_t key_of(int level, const GridCell& c) {
    const auto part = [](int value) { return static_cast<std::uint64_t>(value + (1 << 18)) & 0xfffff; };
    return (static_cast<std::uint64_t>(level) << 60) | (part(c.x) << 40) | (part(c.y) << 20) | part(c.z);
  }
  std::size_t slot_of(std::uint64_t key) const {
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 32 & (table_.size() - 1);
    while (table_[slot] != none && points_[table_[slot]].key != key) slot = (slot + 1) & (table_.size() - 1);
    return slot;
  }
  std::uint32_t first_in(std::uint64_t key) const { return table_[slot_of(key)]; }
  void insert(std::uint32_t point) {
    std::uint32_t& head = table_[slot_of(points_[point].key)];
    points_[point].next = head;
    head = point;
  }
  void grow() {
    table_.assign(4 * table_.size(), none);
    for (std::uint32_t i = 0; i < points_.size(); ++i) insert(i);
  }

  Vec3f origin_;
  double widest_;
  int highest_level_ = 0;
  std::vector<GridPoint> points_;
  std::vector<std::uint32_t> table_;
};

}  // namespace sinew
