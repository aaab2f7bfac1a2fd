#include "sinew/flesh/lattice_pieces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/mesh/edges.h"

namespace sinew {

namespace {

constexpr int cuts = 4, small_cubes = cuts * cuts * cuts;
constexpr double largest_grid = 1e8;
constexpr double below_skin = 0.02;  // of a cell: how deep under the skin we stand to look around from a vertex

// A place on the skin: a vertex, or a point of a long edge. Consecutive ones of an edge lie in neighbouring cubes.
struct SkinPoint {
  Vec3d position, normal;
  std::uint32_t cube = 0;
  int small_cube = -1;  // the one it sees, in its own cube; -1 when it sees none
};

enum class CubeKind : std::uint8_t { outside, inside, surface };

struct Cube {
  std::array<int, 3> place;
  CubeKind kind = CubeKind::outside;
  std::uint64_t filled = 0;
  std::array<std::uint8_t, small_cubes>
      group{};  // smallest small cube that hangs together with this one, inside the cube
};

struct Finder {
  const TriangleMesh& mesh;
  const SolidDomain& domain;
  double size;
  Vec3d origin;
  Eigen::Vector3i counts;
  std::vector<Cube> cubes;
  std::unordered_map<std::uint64_t, std::uint32_t> cube_at;
  std::vector<SkinPoint> points;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> point_links;

  std::uint64_t key(const std::array<int, 3>& place) const {
    return (static_cast<std::uint64_t>(place[2]) * counts[1] + place[1]) * counts[0] + place[0];
  }
  std::array<int, 3> place_of(const Vec3d& position) const {
    std::array<int, 3> place;
    for (int axis = 0; axis < 3; ++axis) {
      const int index = static_cast<int>(std::floor((position[axis] - origin[axis]) / size));
      place[axis] = std::clamp(index, 0, counts[axis] - 1);
    }
    return place;
  }
  Vec3f centre(const std::array<int, 3>& place, int small) const {
    const Vec3d within((small & 3) + 0.5, ((small >> 2) & 3) + 0.5, (small >> 4) + 0.5);
    return (origin + size * (Vec3d(place[0], place[1], place[2]) + within / cuts)).cast<float>();
  }

  void lay_out();
  void collect_points();
  void add_cubes(const Progress& progress);
  void look_into(Cube& cube) const;
  void settle_points();
};

void Finder::lay_out() {
  const Vec3d low = domain.bounds().min().cast<double>(), high = domain.bounds().max().cast<double>();
  // Half a cell of air, and not a whole one: symmetric bodies then have a node plane or a cell plane in the middle.
  const Vec3d extent = high - low;
  for (int axis = 0; axis < 3; ++axis) counts[axis] = static_cast<int>(std::ceil(extent[axis] / size)) + 2;
  if (extent.prod() / std::pow(size, 3) > largest_grid) {
    throw Error(ErrorCode::option_out_of_range, "cells of " + number_text(size) + " are too small for this mesh",
                "choose fewer, larger cells");
  }
  origin = 0.5 * (low + high) - 0.5 * size * counts.cast<double>();
}

// Vertices first, then points along edges longer than half a cell.
void Finder::collect_points() {
  const std::vector<Vec3f> normals = vertex_normals(mesh.positions, mesh.triangles);
  points.reserve(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (!mesh.positions[v].allFinite()) {
      throw Error(ErrorCode::mesh_invalid, "vertex " + std::to_string(v) + " has a position that is not finite");
    }
    points.push_back({mesh.positions[v].cast<double>(), normals[v].cast<double>(), 0, -1});
  }
  for (const Edge& edge : unique_edges(mesh.triangles)) {
    stop_if_cancelled(point_links.size());
    const SkinPoint from = points[edge[0]], to = points[edge[1]];
    const int steps = std::max(1, static_cast<int>(std::ceil((to.position - from.position).norm() / (0.5 * size))));
    std::uint32_t last = edge[0];
    for (int step = 1; step < steps; ++step) {
      const double t = static_cast<double>(step) / steps;
      const Vec3d normal = (1 - t) * from.normal + t * to.normal;
      points.push_back({(1 - t) * from.position + t * to.position, normal.normalized(), 0, -1});
      const auto index = static_cast<std::uint32_t>(points.size() - 1);
      point_links.emplace_back(last, index);
      last = index;
    }
    point_links.emplace_back(last, edge[1]);
  }
}

void Finder::look_into(Cube& cube) const {
  for (int small = 0; small < small_cubes; ++small) {
    cube.group[small] = static_cast<std::uint8_t>(small);
    if (domain.contains(centre(cube.place, small))) cube.filled |= std::uint64_t{1} << small;
  }
  const auto find = [&](int item) {
    while (cube.group[item] != item) item = cube.group[item];
    return item;
  };
  for (int small = 0; small < small_cubes; ++small) {
    if (!(cube.filled >> small & 1)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      if ((small >> (2 * axis) & 3) == cuts - 1) continue;
      const int next = small + (1 << (2 * axis));
      if (!(cube.filled >> next & 1)) continue;
      const int a = find(small), b = find(next);
      if (a == b || !domain.sees(centre(cube.place, small), centre(cube.place, next))) continue;
      cube.group[std::max(a, b)] = static_cast<std::uint8_t>(std::min(a, b));
    }
  }
  for (int small = 0; small < small_cubes; ++small) cube.group[small] = static_cast<std::uint8_t>(find(small));
}

// Every cube that holds flesh or skin, in the order of space.
void Finder::add_cubes(const Progress& progress) {
  std::vector<std::uint8_t> has_point(static_cast<std::size_t>(counts.cast<std::int64_t>().prod()), 0);
  for (const SkinPoint& point : points) has_point[key(place_of(point.position))] = 1;
  const auto slices = static_cast<std::size_t>(counts[2]);
  std::vector<std::vector<Cube>> of_slice(slices);
  parallel_for(slices, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t z = begin; z < end; ++z) {
      for (int y = 0; y < counts[1]; ++y) {
        stop_if_cancelled();
        for (int x = 0; x < counts[0]; ++x) {
          Cube cube{{x, y, static_cast<int>(z)}};
          const Vec3f middle = (origin + size * Vec3d(x + 0.5, y + 0.5, static_cast<double>(z) + 0.5)).cast<float>();
          ClosestPoint closest;
          const auto reach = static_cast<float>(0.87 * size);
          if (has_point[key(cube.place)] || domain.closest_point(middle, closest, reach)) {
            cube.kind = CubeKind::surface;
            look_into(cube);
          } else if (domain.contains(middle)) {
            cube.kind = CubeKind::inside;
            cube.filled = ~std::uint64_t{0};
          }
          if (cube.filled != 0 || has_point[key(cube.place)]) of_slice[z].push_back(cube);
        }
      }
    }
  });
  progress(0.6, "building the lattice");
  for (const std::vector<Cube>& slice : of_slice) {
    for (const Cube& cube : slice) {
      cube_at.emplace(key(cube.place), static_cast<std::uint32_t>(cubes.size()));
      cubes.push_back(cube);
    }
  }
}

// Which flesh of its own cube each point belongs to: the nearest small cube that it sees from under the skin.
void Finder::settle_points() {
  parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<float, int>> order;
    for (std::size_t i = begin; i < end; ++i) {
      SkinPoint& point = points[i];
      point.cube = cube_at.at(key(place_of(point.position)));
      const Cube& cube = cubes[point.cube];
      const Vec3f eye = (point.position - below_skin * size * point.normal).cast<float>();
      order.clear();
      for (int small = 0; small < small_cubes; ++small) {
        if (cube.filled >> small & 1) order.emplace_back((centre(cube.place, small) - eye).squaredNorm(), small);
      }
      const std::size_t tries = std::min<std::size_t>(order.size(), 12);
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tries), order.end());
      for (std::size_t t = 0; t < tries && point.small_cube < 0; ++t) {
        const int small = order[t].second;
        if (domain.sees(eye, centre(cube.place, small))) point.small_cube = small;
      }
    }
  });
}

// Flesh that goes on through the face between two cubes, as pairs of groups.
void face_links(const Finder& finder, const Cube& cube, const Cube& next, int axis,
                std::vector<std::pair<int, int>>& groups) {
  groups.clear();
  const int last = (cuts - 1) << (2 * axis);
  for (int small = 0; small < small_cubes; ++small) {
    if ((small >> (2 * axis) & 3) != cuts - 1) continue;
    const int beyond = small - last;
    if (!(cube.filled >> small & 1) || !(next.filled >> beyond & 1)) continue;
    const std::pair<int, int> pair(cube.group[small], next.group[beyond]);
    if (std::find(groups.begin(), groups.end(), pair) != groups.end()) continue;
    const bool open = cube.kind == CubeKind::inside && next.kind == CubeKind::inside;
    if (open || finder.domain.sees(finder.centre(cube.place, small), finder.centre(next.place, beyond))) {
      groups.push_back(pair);
    }
  }
}

// Items: the small cubes of every cube (64 each), then the skin points. Joined when they hang together inside a cube.
DisjointSets join_within_cubes(const Finder& finder) {
  const std::size_t small_count = finder.cubes.size() * small_cubes;
  DisjointSets sets(small_count + finder.points.size());
  for (std::size_t cube = 0; cube < finder.cubes.size(); ++cube) {
    for (int small = 0; small < small_cubes; ++small) {
      sets.join(static_cast<std::uint32_t>(cube * small_cubes + small),
                static_cast<std::uint32_t>(cube * small_cubes + finder.cubes[cube].group[small]));
    }
  }
  for (std::size_t p = 0; p < finder.points.size(); ++p) {
    const SkinPoint& point = finder.points[p];
    if (point.small_cube < 0) continue;
    sets.join(static_cast<std::uint32_t>(small_count + p),
              static_cast<std::uint32_t>(point.cube * small_cubes + point.small_cube));
  }
  for (const auto& [a, b] : finder.point_links) {
    if (finder.points[a].cube != finder.points[b].cube) continue;
    sets.join(static_cast<std::uint32_t>(small_count + a), static_cast<std::uint32_t>(small_count + b));
  }
  return sets;
}

}  // namespace

LatticePieces find_pieces(const TriangleMesh& mesh, const SolidDomain& domain, double cell_size,
                          const Progress& progress) {
  Finder finder{mesh, domain, cell_size, {}, {}, {}, {}, {}, {}};
  finder.lay_out();
  finder.collect_points();
  progress(0.05, "building the lattice");
  finder.add_cubes(progress);
  finder.settle_points();
  DisjointSets sets = join_within_cubes(finder);
  stop_if_cancelled();

  LatticePieces pieces;
  pieces.origin = finder.origin;
  const auto small_count = static_cast<std::uint32_t>(finder.cubes.size() * small_cubes);
  std::unordered_map<std::uint32_t, std::uint32_t> piece_of;  // by root
  const auto piece = [&](std::uint32_t item, std::uint32_t cube) {
    const auto [entry, added] = piece_of.try_emplace(sets.find(item), static_cast<std::uint32_t>(pieces.place.size()));
    if (added) {
      pieces.place.push_back(finder.cubes[cube].place);
      pieces.filled.push_back(0);
    }
    return entry->second;
  };
  for (std::uint32_t cube = 0; cube < finder.cubes.size(); ++cube) {
    stop_if_cancelled(cube);
    for (std::uint32_t small = 0; small < small_cubes; ++small) {
      if (!(finder.cubes[cube].filled >> small & 1)) continue;
      pieces.filled[piece(cube * small_cubes + small, cube)] |= std::uint64_t{1} << small;
    }
  }
  for (std::uint32_t p = 0; p < finder.points.size(); ++p) {
    stop_if_cancelled(p);
    const std::uint32_t at = piece(small_count + p, finder.points[p].cube);
    if (p < mesh.vertex_count()) pieces.piece_of_vertex.push_back(at);
  }
  progress(0.8, "building the lattice");

  std::vector<std::pair<int, int>> groups;
  for (std::uint32_t cube = 0; cube < finder.cubes.size(); ++cube) {
    stop_if_cancelled(cube);
    for (int axis = 0; axis < 3; ++axis) {
      std::array<int, 3> place = finder.cubes[cube].place;
      if (++place[axis] >= finder.counts[axis]) continue;
      const auto next = finder.cube_at.find(finder.key(place));
      if (next == finder.cube_at.end()) continue;
      face_links(finder, finder.cubes[cube], finder.cubes[next->second], axis, groups);
      for (const auto& [a, b] : groups) {
        pieces.links.emplace_back(piece(cube * small_cubes + a, cube),
                                  piece(next->second * small_cubes + b, next->second));
      }
    }
  }
  for (const auto& [a, b] : finder.point_links) {
    const std::uint32_t cube_a = finder.points[a].cube, cube_b = finder.points[b].cube;
    if (cube_a == cube_b) continue;
    pieces.links.emplace_back(piece(small_count + a, cube_a), piece(small_count + b, cube_b));
  }
  return pieces;
}

}  // namespace sinew
