#include "sinew/builtin/remesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/builtin/half_edge_mesh.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using Index = std::uint32_t;

class Remesher {
 public:
  Remesher(const TriangleMesh& mesh, const RemeshOptions& options) : mesh_(mesh), options_(options) {
    boundary_.resize(mesh_.positions.size());
    for (Index v = 0; v < boundary_.size(); ++v) {
      boundary_[v] = mesh_.vertex_alive(v) && mesh_.on_boundary(v);
      boundary_count_ += boundary_[v];
    }
    update_sizes();
  }

  TriangleMesh run(const Progress& progress) {
    scale_ = expected_scale();
    for (int pass = 0; pass < options_.passes; ++pass) {
      progress(static_cast<double>(pass) / options_.passes, "remeshing");
      split_long_edges(4.0 / 3.0);
      collapse_short_edges(4.0 / 5.0);
      flip_edges();
      smooth();
      flip_edges();
      // Thresholds are not exact science: what the pass made tells how far the scale is off.
      scale_ *= std::clamp(std::sqrt(cost() / static_cast<double>(options_.vertex_count)), 0.8, 1.25);
    }
    reach_vertex_count();
    for (int i = 0; i < 3; ++i) {
      flip_edges();
      smooth();
    }
    flip_edges();
    return mesh_.compact();
  }

 private:
  double cost() const { return mesh_.vertex_count() - (1 - options_.boundary_cost) * boundary_count_; }

  // The factor that would give the wished number of equilateral triangles.
  double expected_scale() const {
    double triangles = 0;
    for (Index h = 0; h < mesh_.half_edge_count(); h += 3) {
      if (!mesh_.alive(h)) continue;
      const Index a = mesh_.from(h), b = mesh_.to(h), c = mesh_.opposite(h);
      const double size = (size_[a] + size_[b] + size_[c]) / 3.0;
      triangles += area(a, b, c) / (std::sqrt(3.0) / 4.0 * size * size);
    }
    return std::sqrt(triangles / (2.0 * static_cast<double>(options_.vertex_count)));
  }

  Vec3d normal(Index a, Index b, Index c) const {
    const auto& p = mesh_.positions;
    return (p[b] - p[a]).cross(p[c] - p[a]);
  }
  double area(Index a, Index b, Index c) const { return 0.5 * normal(a, b, c).norm(); }

  // Length over wished length.
  double relative_length(Index h) const {
    return mesh_.length(h) / (0.5 * scale_ * (size_[mesh_.from(h)] + size_[mesh_.to(h)]));
  }

  void update_sizes() {
    size_.resize(mesh_.positions.size());
    parallel_for(size_.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (mesh_.vertex_alive(static_cast<Index>(v))) size_[v] = options_.edge_length(mesh_.positions[v]);
      }
    });
  }

  void split(Index h) {
    const bool boundary_edge = mesh_.twin(h) == HalfEdgeMesh::none;
    const Vec3d middle = 0.5 * (mesh_.positions[mesh_.from(h)] + mesh_.positions[mesh_.to(h)]);
    const double size = 0.5 * (size_[mesh_.from(h)] + size_[mesh_.to(h)]);
    mesh_.split(h, options_.project(middle, boundary_edge));
    size_.push_back(size);
    boundary_.push_back(boundary_edge);
    boundary_count_ += boundary_edge;
  }

  void split_long_edges(double limit) {
    const std::size_t allowed = 2 * options_.vertex_count + 1000;
    for (int round = 0; round < 12; ++round) {
      const Index count = mesh_.half_edge_count();
      bool any = false;
      for (Index h = 0; h < count && mesh_.vertex_count() < allowed; ++h) {
        if (!mesh_.alive(h) || relative_length(h) <= limit) continue;
        // Only the longest edge of a triangle, so that splitting never makes slivers.
        const double own = relative_length(h);
        if (own < relative_length(mesh_.next(h)) || own < relative_length(mesh_.previous(h))) continue;
        split(h);
        any = true;
      }
      if (!any) break;
    }
  }

  // Whether moving `from` into `to` keeps every triangle facing the way it does and no edge gets too long.
  bool collapse_is_harmless(Index h, double longest) {
    const Index a = mesh_.from(h), b = mesh_.to(h);
    if (boundary_[a] && mesh_.twin(h) != HalfEdgeMesh::none) return false;
    mesh_.outgoing(a, ring_);
    for (const Index out : ring_) {
      const Index p = mesh_.to(out), q = mesh_.opposite(out);
      const double size = 0.5 * scale_ * (size_[b] + size_[p]);
      if (p != b && (mesh_.positions[p] - mesh_.positions[b]).norm() > longest * size) return false;
      if (p == b || q == b) continue;
      // Edges along the boundary stay there; every other neighbour of a gets an edge across.
      const bool p_across = mesh_.twin(out) != HalfEdgeMesh::none;
      const bool q_across = mesh_.twin(mesh_.previous(out)) != HalfEdgeMesh::none;
      if ((p_across && bridges(b, p)) || (q_across && bridges(b, q))) return false;
      const Vec3d before = normal(a, p, q), after = normal(b, p, q);
      if (before.dot(after) <= 0.5 * before.norm() * after.norm() || after.norm() < 1e-3 * before.norm()) return false;
    }
    return mesh_.can_collapse(h);
  }

  // Whether an edge between a and b, which are no neighbours yet, would join two boundary vertices across the surface.
  // Such an edge ends up with four triangles when a half is mirrored.
  bool bridges(Index a, Index b) const {
    if (!boundary_[a] || !boundary_[b]) return false;
    static thread_local std::vector<Index> around;
    mesh_.neighbours(a, around);
    return std::find(around.begin(), around.end(), b) == around.end();
  }

  void collapse(Index h) {
    boundary_count_ -= boundary_[mesh_.from(h)];
    mesh_.collapse(h);
  }

  bool try_collapse(Index h, double longest) {
    for (const Index edge : {h, mesh_.twin(h)}) {
      if (edge == HalfEdgeMesh::none || !collapse_is_harmless(edge, longest)) continue;
      collapse(edge);
      return true;
    }
    return false;
  }

  void collapse_short_edges(double limit) {
    for (int round = 0; round < 12; ++round) {
      std::size_t collapsed = 0;
      for (Index h = 0; h < mesh_.half_edge_count(); ++h) {
        if (!mesh_.alive(h) || relative_length(h) >= limit) continue;
        collapsed += try_collapse(h, 4.0 / 3.0);
      }
      if (collapsed * 500 < mesh_.vertex_count()) break;
    }
  }

  // Delaunay flips: when the two angles opposite the edge exceed 180° together.
  bool flip_helps(Index h) {
    const Index other = mesh_.twin(h);
    if (other == HalfEdgeMesh::none) return false;
    const Index a = mesh_.from(h), b = mesh_.to(h), c = mesh_.opposite(h), d = mesh_.opposite(other);
    const auto& p = mesh_.positions;
    const auto cosine = [&](Index apex) {
      const Vec3d u = p[a] - p[apex], v = p[b] - p[apex];
      return u.dot(v) / std::max(u.norm() * v.norm(), 1e-300);
    };
    const double x = cosine(c), y = cosine(d);
    // cos(x) + cos(y) < 0 exactly when the angles sum to more than 180°.
    if (x + y >= -1e-3) return false;
    const Vec3d mean = (normal(a, b, c) + normal(b, a, d)).normalized();
    const Vec3d first = normal(d, c, a).normalized(), second = normal(c, d, b).normalized();
    const double old_fold = normal(a, b, c).normalized().dot(normal(b, a, d).normalized());
    if (first.dot(mean) < 0.3 || second.dot(mean) < 0.3 || first.dot(second) < std::min(0.8, old_fold - 0.1)) {
      return false;
    }
    return mesh_.can_flip(h) && !bridges(c, d);
  }

  void flip_edges() {
    for (int round = 0; round < 8; ++round) {
      std::size_t flipped = 0;
      for (Index h = 0; h < mesh_.half_edge_count(); ++h) {
        if (!mesh_.alive(h) || h > mesh_.twin(h) || !flip_helps(h)) continue;
        mesh_.flip(h);
        ++flipped;
      }
      if (flipped * 1000 < mesh_.vertex_count()) break;
    }
  }

  // Every vertex towards the middle of its triangles, weighted so that wished sizes are respected, but only along the
  // surface; then back to the surface.
  void smooth() {
    std::vector<Vec3d> moved(mesh_.positions.size());
    parallel_for(moved.size(), 256, [&](std::size_t begin, std::size_t end) {
      std::vector<Index> ring;
      for (std::size_t v = begin; v < end; ++v) {
        const auto vertex = static_cast<Index>(v);
        if (mesh_.vertex_alive(vertex)) moved[v] = smoothed(vertex, ring);
      }
    });
    mesh_.positions = std::move(moved);
    update_sizes();
  }

  Vec3d smoothed(Index v, std::vector<Index>& ring) const {
    const auto& p = mesh_.positions;
    mesh_.outgoing(v, ring);
    if (boundary_[v]) {
      const Index before = mesh_.from(mesh_.previous(ring.back())), after = mesh_.to(ring.front());
      const Vec3d target = 0.25 * p[before] + 0.25 * p[after] + 0.5 * p[v];
      return options_.project(target, true);
    }
    Vec3d centre = Vec3d::Zero(), up = Vec3d::Zero();
    double total = 0;
    for (const Index h : ring) {
      const Index b = mesh_.to(h), c = mesh_.opposite(h);
      const Vec3d n = normal(v, b, c);
      const double size = size_[v] + size_[b] + size_[c];
      const double weight = n.norm() / (size * size);
      centre += weight * (p[v] + p[b] + p[c]) / 3.0;
      total += weight;
      up += n;
    }
    if (!(total > 0)) return options_.project(p[v], false);
    up.normalize();
    Vec3d move = centre / total - p[v];
    move -= up * up.dot(move);
    return options_.project(p[v] + 0.8 * move, false);
  }

  // Splits the longest or collapses the shortest edges, a few at a time, until the count is right.
  void reach_vertex_count() {
    for (int round = 0; round < 60; ++round) {
      const double missing = static_cast<double>(options_.vertex_count) - cost();
      if (std::abs(missing) < 1) break;
      const bool grow = missing > 0;
      std::vector<std::pair<double, Index>> edges;
      for (Index h = 0; h < mesh_.half_edge_count(); ++h) {
        if (!mesh_.alive(h) || (mesh_.twin(h) != HalfEdgeMesh::none && h > mesh_.twin(h))) continue;
        edges.emplace_back(grow ? -relative_length(h) : relative_length(h), h);
      }
      std::sort(edges.begin(), edges.end());
      const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(std::abs(missing)), edges.size() / 50 + 1);
      std::size_t done = 0;
      for (std::size_t i = 0; i < edges.size() && done < wanted; ++i) {
        const Index h = edges[i].second;
        if (!mesh_.alive(h)) continue;
        if (grow) {
          split(h);
          ++done;
        } else {
          done += try_collapse(h, 3.0);
        }
      }
      if (done == 0) break;
      flip_edges();
    }
  }

  HalfEdgeMesh mesh_;
  const RemeshOptions& options_;
  double scale_ = 1.0;
  std::vector<double> size_;
  std::vector<char> boundary_;
  std::uint32_t boundary_count_ = 0;
  std::vector<Index> ring_;
};

}  // namespace

TriangleMesh remesh(const TriangleMesh& mesh, const RemeshOptions& options, const Progress& progress) {
  if (!options.edge_length || !options.project || options.vertex_count < 4) {
    throw Error(ErrorCode::argument_invalid, "remeshing needs an edge length, a projection and at least 4 vertices");
  }
  return Remesher(mesh, options).run(progress);
}

}  // namespace sinew
