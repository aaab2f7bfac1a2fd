#include "sinew/builtin/implicit_surface.h"

#include <array>
#include <cmath>

#include "sinew/base/numbering.h"
#include "sinew/base/parallel.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// Lattice coordinates, 21 bits each, packed into one key. The finest possible cell is two steps wide, so that its
// centre and the centres of its faces are lattice points too.
struct Point {
  std::uint32_t x, y, z;
};

std::uint64_t key_of(const Point& p) { return (std::uint64_t{p.x} << 42) | (std::uint64_t{p.y} << 21) | p.z; }

using PointNumbers = Numbering<std::uint64_t, KeyHash>;

struct Cell {
  Point corner;
  std::uint32_t size;
};

// A corner of a face is a corner of two or more of its triangles, and is looked up once.
struct FaceCorner {
  Point point{};
  std::uint32_t index = PointNumbers::none;
};

constexpr int max_depth = 16;

class Extractor {
 public:
  Extractor(const ScalarField& field, const ImplicitOptions& options) : field_(field), options_(options) {
    const double extent = options.box.sizes().maxCoeff();
    step_ = extent / static_cast<double>(root_size);
  }

  TriangleMesh run() {
    refine();
    point_of_key_.reserve(leaves_.size() * 6);
    points_.reserve(leaves_.size() * 6);
    tetrahedra_.reserve(leaves_.size() * 26);
    for (const Cell& leaf : leaves_) cut_into_tetrahedra(leaf);
    evaluate_points();
    for (const auto& tetrahedron : tetrahedra_) march(tetrahedron);
    return std::move(mesh_);
  }

 private:
  static constexpr std::uint32_t root_size = 2u << max_depth;

  Vec3d place(const Point& p) const { return options_.box.min() + step_ * Vec3d(p.x, p.y, p.z); }

  static Point corner_of(const Cell& cell, int c) {
    return {cell.corner.x + (c & 1 ? cell.size : 0), cell.corner.y + (c & 2 ? cell.size : 0),
            cell.corner.z + (c & 4 ? cell.size : 0)};
  }

  static Point centre_of(const Cell& cell) {
    const std::uint32_t half = cell.size / 2;
    return {cell.corner.x + half, cell.corner.y + half, cell.corner.z + half};
  }

  // Level by level: drops cells that the surface cannot reach, splits those that are larger than wished.
  void refine() {
    std::vector<Cell> level{{{0, 0, 0}, root_size}};
    const Vec3d box_size = options_.box.sizes();
    while (!level.empty()) {
      std::vector<char> verdict(level.size());  // 0: drop, 1: leaf, 2: split
      parallel_for(level.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3d centre = place(centre_of(level[i]));
          const double size = level[i].size * step_;
          const double half_diagonal = 0.5 * std::sqrt(3.0) * size;
          const bool may_stop = size <= options_.largest_cell;
          if (may_stop && std::abs(field_(centre)) > options_.reach * half_diagonal) continue;
          verdict[i] = may_stop && (size <= options_.cell_size(centre) || level[i].size <= 2) ? 1 : 2;
        }
      });
      std::vector<Cell> next;
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (verdict[i] == 1) leaves_.push_back(level[i]);
        if (verdict[i] != 2) continue;
        const std::uint32_t half = level[i].size / 2;
        if (level[i].size * step_ <= options_.largest_cell) note_split(level[i]);
        for (int c = 0; c < 8; ++c) {
          const Cell child{corner_of({level[i].corner, half}, c), half};
          const Vec3d low = place(child.corner) - options_.box.min();
          if ((low.array() < box_size.array()).all()) next.push_back(child);
        }
      }
      level = std::move(next);
    }
  }

  // Remembers the middles of the faces and edges of a cell that was split, so that a larger neighbour sees it, even
  // when the children beside it were dropped and only grandchildren further on remain.
  void note_split(const Cell& cell) {
    const std::uint32_t half = cell.size / 2;
    for (std::uint32_t i = 0; i < 27; ++i) {
      const std::uint32_t x = i % 3, y = i / 3 % 3, z = i / 9;
      if (x != 1 && y != 1 && z != 1) continue;
      corners_.number(key_of({cell.corner.x + x * half, cell.corner.y + y * half, cell.corner.z + z * half}));
    }
  }

  bool noted(const Point& p) const { return corners_.find(key_of(p)) != PointNumbers::none; }

  std::uint32_t point_index(const Point& p) {
    const std::uint32_t index = point_of_key_.number(key_of(p));
    if (index == points_.size()) points_.push_back(p);
    return index;
  }

  void cut_into_tetrahedra(const Cell& leaf) {
    const std::uint32_t centre = point_index(centre_of(leaf));
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        std::array<std::uint32_t, 3> origin{leaf.corner.x, leaf.corner.y, leaf.corner.z};
        if (side == 1) origin[axis] += leaf.size;
        cut_face(centre, axis, origin, leaf.size);
      }
    }
  }

  // A face is as fine as the finer of the two cells that share it, an edge as fine as the finest cell around it. Both
  // sides see the same corners, so they agree.
  void cut_face(std::uint32_t cell_centre, int axis, std::array<std::uint32_t, 3> origin, std::uint32_t size) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::uint32_t half = size / 2;
    std::array<std::uint32_t, 3> middle = origin;
    middle[u] += half;
    middle[v] += half;
    const Point centre{middle[0], middle[1], middle[2]};
    if (size > 2 && noted(centre)) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        std::array<std::uint32_t, 3> sub = origin;
        if (quarter & 1) sub[u] += half;
        if (quarter & 2) sub[v] += half;
        cut_face(cell_centre, axis, sub, half);
      }
      return;
    }
    const std::uint32_t face_centre = point_index(centre);
    std::array<FaceCorner, 4> ring;
    for (int corner = 0; corner < 4; ++corner) {
      std::array<std::uint32_t, 3> at = origin;
      if (corner == 1 || corner == 2) at[u] += size;
      if (corner >= 2) at[v] += size;
      ring[corner].point = {at[0], at[1], at[2]};
    }
    for (int e = 0; e < 4; ++e) cut_edge(cell_centre, face_centre, ring[e], ring[(e + 1) % 4]);
  }

  void cut_edge(std::uint32_t cell_centre, std::uint32_t face_centre, FaceCorner& from, FaceCorner& to) {
    const Point &a = from.point, &b = to.point;
    FaceCorner middle{{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2}};
    const std::uint32_t length = (std::max(a.x, b.x) - std::min(a.x, b.x)) + (std::max(a.y, b.y) - std::min(a.y, b.y)) +
                                 (std::max(a.z, b.z) - std::min(a.z, b.z));
    if (length > 2 && noted(middle.point)) {
      cut_edge(cell_centre, face_centre, from, middle);
      cut_edge(cell_centre, face_centre, middle, to);
      return;
    }
    for (FaceCorner* corner : {&from, &to}) {
      if (corner->index == PointNumbers::none) corner->index = point_index(corner->point);
    }
    tetrahedra_.push_back({cell_centre, face_centre, from.index, to.index});
  }

  void evaluate_points() {
    values_.resize(points_.size());
    parallel_for(points_.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values_[i] = field_(place(points_[i]));
    });
  }

  std::uint32_t vertex_between(std::uint32_t inside, std::uint32_t outside) {
    const std::uint64_t key = (std::uint64_t{inside} << 32) | outside;
    const std::uint32_t vertex = vertex_of_edge_.number(key);
    if (vertex == mesh_.positions.size()) {
      const double difference = values_[outside] - values_[inside];
      const double t = std::clamp(difference > 0 ? -values_[inside] / difference : 0.5, 0.05, 0.95);
      const Vec3d a = place(points_[inside]), b = place(points_[outside]);
      mesh_.positions.push_back((a + t * (b - a)).cast<float>());
    }
    return vertex;
  }

  void march(const std::array<std::uint32_t, 4>& tetrahedron) {
    std::array<std::uint32_t, 4> in{}, out{};
    int inside = 0, outside = 0;
    for (const std::uint32_t point : tetrahedron) {
      if (values_[point] < 0) {
        in[inside++] = point;
      } else {
        out[outside++] = point;
      }
    }
    if (inside == 0 || outside == 0) return;
    if (inside == 2) {
      const bool turn = !is_right_handed(in[0], in[1], out[0], out[1]);
      const std::uint32_t a = vertex_between(in[0], out[0]), b = vertex_between(in[0], out[1]);
      const std::uint32_t c = vertex_between(in[1], out[1]), d = vertex_between(in[1], out[0]);
      add_triangle(a, b, c, turn);
      add_triangle(a, c, d, turn);
    } else if (inside == 1) {
      add_triangle(vertex_between(in[0], out[0]), vertex_between(in[0], out[1]), vertex_between(in[0], out[2]),
                   !is_right_handed(in[0], out[0], out[1], out[2]));
    } else {
      add_triangle(vertex_between(in[0], out[0]), vertex_between(in[1], out[0]), vertex_between(in[2], out[0]),
                   is_right_handed(out[0], in[0], in[1], in[2]));
    }
  }

  // Decided on the lattice, where it is exact, so that the thinnest triangles still face outwards.
  bool is_right_handed(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    const auto at = [&](std::uint32_t i) { return Vec3d(points_[i].x, points_[i].y, points_[i].z); };
    return (at(b) - at(a)).cross(at(c) - at(a)).dot(at(d) - at(a)) > 0;
  }

  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool turn) {
    mesh_.triangles.push_back(turn ? Triangle{a, c, b} : Triangle{a, b, c});
  }

  const ScalarField& field_;
  const ImplicitOptions& options_;
  double step_ = 0;
  std::vector<Cell> leaves_;
  PointNumbers corners_;  // that lie inside faces and edges of larger cells
  PointNumbers point_of_key_;
  std::vector<Point> points_;
  std::vector<double> values_;
  std::vector<std::array<std::uint32_t, 4>> tetrahedra_;
  Numbering<std::uint64_t, KeyHash> vertex_of_edge_;
  TriangleMesh mesh_;
};

void check_closed(const TriangleMesh& mesh, const AABBd& box) {
  Numbering<std::uint64_t, KeyHash> edges;
  edges.reserve(mesh.triangles.size() * 3 / 2);
  std::vector<int> balance(mesh.triangles.size() * 3, 0);
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t a = t[k], b = t[(k + 1) % 3];
      if (a < b) {
        ++balance[edges.number((a << 32) | b)];
      } else {
        --balance[edges.number((b << 32) | a)];
      }
    }
  }
  const Vec3f low = box.min().cast<float>();
  for (std::size_t edge = 0; edge < edges.keys().size(); ++edge) {
    if (balance[edge] == 0) continue;
    const std::uint64_t key = edges.keys()[edge];
    const Vec3f& a = mesh.positions[key >> 32];
    const Vec3f& b = mesh.positions[key & 0xffffffffu];
    const bool on_face = ((a.array() == low.array()) && (b.array() == low.array())).any();
    if (!on_face) throw Error(ErrorCode::internal, "the implicit surface has a hole or leaves its box");
  }
}

}  // namespace

TriangleMesh implicit_surface(const ScalarField& field, const ImplicitOptions& options) {
  if (options.box.isEmpty() || !(options.largest_cell > 0)) {
    throw Error(ErrorCode::argument_invalid, "the box of an implicit surface is empty");
  }
  TriangleMesh mesh = Extractor(field, options).run();
  check_closed(mesh, options.box);
  return mesh;
}

}  // namespace sinew
