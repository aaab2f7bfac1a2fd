#include "sinew/fit/voxel_solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "sinew/base/disjoint_sets.h"
#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "sinew/mesh/solid_domain.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int margin = 2;  // empty cells around the mesh, so that neighbours always exist

// One pass of the exact distance transform (Felzenszwalb and Huttenlocher, 2012): lower envelope of parabolas.
void transform_line(std::vector<double>& f, int n, std::vector<double>& out, std::vector<int>& v,
                    std::vector<double>& z) {
  int k = 0;
  v[0] = 0;
  z[0] = -infinite;
  z[1] = infinite;
  for (int q = 1; q < n; ++q) {
    const auto cross = [&](int p) { return ((f[q] + q * q) - (f[p] + p * p)) / (2.0 * (q - p)); };
    double s = cross(v[k]);
    while (s <= z[k]) s = cross(v[--k]);
    v[++k] = q;
    z[k] = s;
    z[k + 1] = infinite;
  }
  k = 0;
  for (int q = 0; q < n; ++q) {
    while (z[k + 1] < q) ++k;
    out[q] = (q - v[k]) * (q - v[k]) + f[v[k]];
  }
}

}  // namespace

VoxelSolid::VoxelSolid(const TriangleMesh& mesh, int cells) {
  const AABBf bounds = bounding_box(mesh);
  if (bounds.isEmpty() || !(bounds.sizes().maxCoeff() > 0)) {
    throw Error(ErrorCode::mesh_degenerate, "all vertices of the mesh lie at one point");
  }
  domain_ = std::make_unique<SolidDomain>(mesh);
  cell_ = static_cast<double>(bounds.sizes().maxCoeff()) / cells;
  for (int a = 0; a < 3; ++a) size_[a] = static_cast<int>(std::ceil(bounds.sizes()[a] / cell_)) + 1 + 2 * margin;
  // Cells lie evenly around the middle of the box: a mirrored mesh gives mirrored voxels.
  for (int a = 0; a < 3; ++a) origin_[a] = bounds.center().cast<double>()[a] - 0.5 * (size_[a] - 1) * cell_;
  int k = 0;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        offsets_[k] = (static_cast<std::int64_t>(x) * size_[1] + y) * size_[2] + z;
        lengths_[k++] = cell_ * std::sqrt(x * x + y * y + z * z);
      }
    }
  }
  std::vector<char> inside(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2], 0);
  fill(inside);
  bridge(inside);
  voxel_of_.assign(inside.size(), -1);
  for (std::size_t c = 0; c < inside.size(); ++c) {
    if (!inside[c]) continue;
    voxel_of_[c] = static_cast<std::int32_t>(cell_of_.size());
    cell_of_.push_back(static_cast<std::int64_t>(c));
    const auto z = static_cast<int>(c % size_[2]), y = static_cast<int>(c / size_[2] % size_[1]);
    const auto x = static_cast<int>(c / size_[2] / size_[1]);
    positions_.push_back(origin_ + cell_ * Vec3d(x, y, z));
    box_.extend(positions_.back());
  }
  if (positions_.empty()) throw Error(ErrorCode::mesh_degenerate, "the mesh has no inside");
  measure_depth(inside);
}

// A cell is inside when its centre is, or when the surface passes close to it: thin parts must not fall through. Most
// cells are far from the surface: a block of them without any, whose corners agree, is inside or outside as a whole.
void VoxelSolid::fill(std::vector<char>& inside) const {
  constexpr int side = 4;  // of a block, in cells
  const auto place = [&](int x, int y, int z) { return Vec3f((origin_ + cell_ * Vec3d(x, y, z)).cast<float>()); };
  const auto cell = [&](int x, int y, int z) -> char& {
    return inside[(static_cast<std::size_t>(x) * size_[1] + y) * size_[2] + z];
  };
  const auto is_inside = [&](int x, int y, int z) {
    ClosestPoint closest;
    return domain_->closest_point(place(x, y, z), closest, static_cast<float>(0.45 * cell_)) ||
           domain_->contains(place(x, y, z));
  };
  const auto fill_block = [&](const std::array<int, 3>& low, const std::array<int, 3>& high) {
    const Vec3d middle = 0.5 * Vec3d(low[0] + high[0], low[1] + high[1], low[2] + high[2]);
    const double reach = 0.5 * Vec3d(high[0] - low[0], high[1] - low[1], high[2] - low[2]).norm() + 0.45;
    ClosestPoint closest;
    const bool free =
        !domain_->closest_point((origin_ + cell_ * middle).cast<float>(), closest, static_cast<float>(reach * cell_));
    int corners = 0;
    for (int k = 0; k < 8 && free; ++k) {
      corners += domain_->contains(place((k & 1 ? high : low)[0], (k & 2 ? high : low)[1], (k & 4 ? high : low)[2]));
    }
    const bool whole = free && (corners == 0 || corners == 8);
    for (int x = low[0]; x <= high[0]; ++x) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int z = low[2]; z <= high[2]; ++z) cell(x, y, z) = whole ? corners == 8 : is_inside(x, y, z);
      }
    }
  };
  std::array<int, 3> blocks;
  for (int a = 0; a < 3; ++a) blocks[a] = (size_[a] + side - 1) / side;
  parallel_for(static_cast<std::size_t>(blocks[0]) * blocks[1], 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t column = begin; column < end; ++column) {
      for (int z = 0; z < blocks[2]; ++z) {
        const std::array<int, 3> low{side * static_cast<int>(column / blocks[1]),
                                     side * static_cast<int>(column % blocks[1]), side * z};
        std::array<int, 3> high;
        for (int a = 0; a < 3; ++a) high[a] = std::min(low[a] + side, size_[a]) - 1;
        fill_block(low, high);
      }
    }
  });
  // The outermost cells stay empty.
  for (int x = 0; x < size_[0]; ++x) {
    for (int y = 0; y < size_[1]; ++y) {
      for (int z = 0; z < size_[2]; ++z) {
        const bool rim = x == 0 || y == 0 || z == 0 || x == size_[0] - 1 || y == size_[1] - 1 || z == size_[2] - 1;
        if (rim) inside[(static_cast<std::size_t>(x) * size_[1] + y) * size_[2] + z] = 0;
      }
    }
  }
}

// Joins pieces that are one or two cells apart, as long as there is more than one piece.
void VoxelSolid::bridge(std::vector<char>& inside) const {
  const auto cells = static_cast<std::int64_t>(inside.size());
  for (int round = 0; round < 4; ++round) {
    std::vector<std::int32_t> piece(inside.size(), -1);
    std::int32_t pieces = 0;
    std::vector<std::int64_t> stack;
    for (std::int64_t start = 0; start < cells; ++start) {
      if (!inside[start] || piece[start] >= 0) continue;
      stack.push_back(start);
      piece[start] = pieces;
      while (!stack.empty()) {
        const std::int64_t c = stack.back();
        stack.pop_back();
        for (const std::int64_t offset : offsets_) {
          if (!inside[c + offset] || piece[c + offset] >= 0) continue;
          piece[c + offset] = pieces;
          stack.push_back(c + offset);
        }
      }
      ++pieces;
    }
    if (pieces <= 1) return;
    // Every piece grows by one cell; a cell that two pieces reach belongs to both.
    std::vector<std::int64_t> added;
    std::vector<std::int32_t> grown = piece;
    const std::int64_t first = offsets_[25];
    for (std::int64_t c = first; c < cells - first; ++c) {
      if (inside[c]) continue;
      for (const std::int64_t offset : offsets_) {
        const std::int32_t other = piece[c + offset];
        if (other < 0) continue;
        if (grown[c] >= 0 && grown[c] != other) {
          added.push_back(c);
          break;
        }
        grown[c] = other;
      }
    }
    if (added.empty()) {
      // Nothing is one cell apart: look one further by letting the grown shell count as solid where shells meet.
      for (std::int64_t c = first; c < cells - first; ++c) {
        if (inside[c] || grown[c] < 0) continue;
        for (const std::int64_t offset : offsets_) {
          const std::int32_t other = grown[c + offset];
          if (other >= 0 && other != grown[c]) {
            added.push_back(c);
            break;
          }
        }
      }
    }
    if (added.empty()) return;
    for (const std::int64_t c : added) inside[c] = 1;
  }
}

void VoxelSolid::measure_depth(const std::vector<char>& inside) {
  const double far = 1e12;
  std::vector<double> squared(inside.size());
  for (std::size_t c = 0; c < inside.size(); ++c) squared[c] = inside[c] ? far : 0.0;
  const int longest = std::max({size_[0], size_[1], size_[2]});
  const std::int64_t strides[3] = {static_cast<std::int64_t>(size_[1]) * size_[2], size_[2], 1};
  for (int axis = 0; axis < 3; ++axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    std::vector<double> line(longest), out(longest), z(longest + 1);
    std::vector<int> v(longest);
    for (int i = 0; i < size_[a]; ++i) {
      for (int j = 0; j < size_[b]; ++j) {
        const std::int64_t start = i * strides[a] + j * strides[b];
        for (int q = 0; q < size_[axis]; ++q) line[q] = squared[start + q * strides[axis]];
        transform_line(line, size_[axis], out, v, z);
        for (int q = 0; q < size_[axis]; ++q) squared[start + q * strides[axis]] = out[q];
      }
    }
  }
  for (const std::int64_t c : cell_of_) depth_.push_back(cell_ * std::sqrt(squared[c]));
}

VoxelSolid::~VoxelSolid() = default;

bool VoxelSolid::contains(const Vec3d& place) const { return domain_->contains(place.cast<float>()); }

std::int64_t VoxelSolid::at(const Vec3d& place) const {
  int index[3];
  for (int a = 0; a < 3; ++a) {
    const double cell = std::round((place[a] - origin_[a]) / cell_);
    if (!(cell >= 0 && cell < size_[a])) return -1;
    index[a] = static_cast<int>(cell);
  }
  return voxel_of_[(static_cast<std::int64_t>(index[0]) * size_[1] + index[1]) * size_[2] + index[2]];
}

std::int64_t VoxelSolid::near(const Vec3d& place, int cells) const {
  std::int64_t best = -1;
  double best_distance = infinite;
  for (int x = -cells; x <= cells; ++x) {
    for (int y = -cells; y <= cells; ++y) {
      for (int z = -cells; z <= cells; ++z) {
        const std::int64_t voxel = at(place + cell_ * Vec3d(x, y, z));
        if (voxel < 0) continue;
        const double distance = (positions_[voxel] - place).squaredNorm();
        if (distance < best_distance) best_distance = distance, best = voxel;
      }
    }
  }
  return best;
}

std::vector<double> VoxelSolid::distances(std::uint32_t from, bool centred,
                                          std::vector<std::uint32_t>* came_from) const {
  std::vector<double> distance(count(), infinite);
  if (came_from) came_from->assign(count(), from);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[from] = 0;
  queue.emplace(0.0, from);
  while (!queue.empty()) {
    const double here = queue.top().first;
    const std::uint32_t voxel = queue.top().second;
    queue.pop();
    if (here > distance[voxel]) continue;
    for_neighbours(voxel, [&](std::uint32_t other, double length) {
      const double relative = depth_[other] / cell_;
      const double next = here + (centred ? length / (relative * relative) : length);
      if (next >= distance[other]) return;
      distance[other] = next;
      if (came_from) (*came_from)[other] = voxel;
      queue.emplace(next, other);
    });
  }
  return distance;
}

std::vector<VoxelSolid::Tip> VoxelSolid::tips(const std::vector<double>& distance, double prominence) const {
  std::vector<std::uint32_t> order(count());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
  });
  // From the furthest inwards: regions around tips grow and meet; where two meet, the nearer tip ends.
  constexpr std::uint32_t none = ~std::uint32_t{0};
  DisjointSets regions(count());
  std::vector<std::uint32_t> top(count(), none);  // of a region, by its name; none: not reached yet
  std::vector<Tip> result;
  for (const std::uint32_t voxel : order) {
    if (distance[voxel] == infinite) continue;
    top[voxel] = voxel;
    for_neighbours(voxel, [&](std::uint32_t other, double) {
      if (top[other] == none) return;
      const std::uint32_t a = regions.find(voxel), b = regions.find(other);
      if (a == b) return;
      std::uint32_t higher = top[a], lower = top[b];
      if (distance[higher] < distance[lower]) std::swap(higher, lower);
      const double height = distance[lower] - distance[voxel];
      if (height >= prominence) result.push_back({lower, height});
      regions.join(a, b);
      top[std::min(a, b)] = higher;
    });
  }
  if (!order.empty()) {
    const auto first = std::find_if(order.begin(), order.end(), [&](auto v) { return distance[v] != infinite; });
    // The one that met no further tip. Of tips equally far away it need not be the first.
    if (first != order.end()) {
      const std::uint32_t last = top[regions.find(*first)];
      result.push_back({last, distance[last]});
    }
  }
  std::sort(result.begin(), result.end(), [](const Tip& a, const Tip& b) { return a.prominence > b.prominence; });
  return result;
}

Vec3d VoxelSolid::centre_of_slice(const Vec3d& place, const Vec3d& direction) const {
  Vec3d centre = place;
  for (int round = 0; round < 3; ++round) {
    const std::int64_t voxel = near(centre, 3);
    if (voxel < 0) return place;
    const double radius = 1.5 * depth_[voxel] + cell_;
    const int reach = static_cast<int>(std::ceil(radius / cell_));
    Vec3d sum = Vec3d::Zero();
    double weight = 0;
    for (int x = -reach; x <= reach; ++x) {
      for (int y = -reach; y <= reach; ++y) {
        for (int z = -reach; z <= reach; ++z) {
          const std::int64_t other = at(positions_[voxel] + cell_ * Vec3d(x, y, z));
          if (other < 0) continue;
          const Vec3d away = positions_[other] - centre;
          if (std::abs(away.dot(direction)) > 0.9 * cell_ || away.norm() > radius) continue;
          const double w = depth_[other] * depth_[other];
          sum += w * positions_[other];
          weight += w;
        }
      }
    }
    if (weight <= 0) return centre;
    const Vec3d next = sum / weight;
    centre = next - (next - place).dot(direction) * direction;
  }
  return centre;
}

}  // namespace sinew
