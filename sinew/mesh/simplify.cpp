#include "sinew/simplify.h"

#include <limits>
#include <queue>

#include "sinew/base/cancellation.h"
#include "sinew/mesh/simplify_surface.h"

namespace sinew {
namespace {

constexpr std::uint32_t gone = 0xffffffffu;

// The vertices, triangles and points that are alive; `old_points` receives the input's point of each point.
SimplifiedMesh extract(const SimplifySurface& surface, std::vector<std::uint32_t>& old_points) {
  SimplifiedMesh mesh;
  std::vector<std::uint32_t> new_vertex(surface.uses.size(), gone), new_point(surface.position.size(), gone);
  old_points.clear();
  for (std::uint32_t v = 0; v < surface.uses.size(); ++v) {
    if (surface.uses[v] == 0) continue;
    new_vertex[v] = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(v);
    std::uint32_t& point = new_point[surface.point_of[v]];
    if (point == gone) {
      point = static_cast<std::uint32_t>(old_points.size());
      old_points.push_back(surface.point_of[v]);
    }
    mesh.point_of.push_back(point);
  }
  mesh.point_count = old_points.size();
  for (std::uint32_t t = 0; t < surface.corners.size(); ++t) {
    if (!surface.alive[t]) continue;
    const Triangle& c = surface.corners[t];
    mesh.triangles.push_back({new_vertex[c[0]], new_vertex[c[1]], new_vertex[c[2]]});
    mesh.input_triangles.push_back(t);
  }
  mesh.largest_error = surface.largest_error;
  return mesh;
}

}  // namespace

void SimplifySurface::hang_all() {
  hung.resize(position.size());
  hung_on.assign(corners.size(), {});
  for (std::uint32_t p = 0; p < position.size(); ++p) {
    stop_if_cancelled(p);
    hung[p] = Hung{};
    hung[p].position = position[p];
    hung[p].normal = Vec3d::Zero();
    if (triangles_of[p].empty()) continue;
    for (const std::uint32_t t : triangles_of[p]) hung[p].normal += scaled_normal(t);
    const std::uint32_t t = triangles_of[p].front();
    hung[p].triangle = t;
    for (int k = 0; k < 3; ++k) hung[p].weights[k] = point(t, k) == p ? 1 : 0;
    hung_on[t].push_back(p);
  }
}

void SimplifySurface::settle() {
  constexpr int longest_walk = 16;
  std::size_t settled = 0;
  for (Hung& h : hung) {
    stop_if_cancelled(settled++);
    if (h.triangle == gone) continue;
    double nearest = (place(h.triangle, h.weights) - h.position).squaredNorm();
    for (int step = 0; step < longest_walk; ++step) {
      const std::uint32_t here = h.triangle;
      for (int k = 0; k < 3; ++k) {
        for (const std::uint32_t t : triangles_of[point(here, k)]) {
          if (t == here || h.normal.dot(scaled_normal(t)) < 0) continue;
          const Vec3d w = weights_at(t, h.position);
          const double distance = (place(t, w) - h.position).squaredNorm();
          if (distance >= nearest) continue;
          nearest = distance;
          h.triangle = t;
          h.weights = w;
        }
      }
      if (h.triangle == here) break;
    }
  }
}

struct Simplifier::Impl {
  SimplifySurface surface;
  SimplifiedMesh input;
  std::vector<std::uint32_t> fine_points;  // the input's point of each point of the last level

  Impl(const TriangleMesh& mesh, const SimplifyAttributes& attributes, const std::vector<std::uint32_t>& parts,
       const SimplifyOptions& options)
      : surface(mesh, attributes, parts, options) {
    input = extract(surface, fine_points);
    input.from_finer = prolongation(fine_points, fine_points);
    input.target_reached = true;
  }

  // Until `left`, a count of the surface, is `target`. A queue with one entry per point; an entry counts only while its
  // point's version is the one it was made for.
  void run(std::size_t target, const std::size_t& left, const Progress& progress) {
    struct Entry {
      double cost;
      std::uint32_t point, version;
      bool operator<(const Entry& other) const { return cost != other.cost ? cost > other.cost : point > other.point; }
    };
    std::vector<std::uint32_t> version(surface.position.size(), 0);
    std::vector<Collapse> best(surface.position.size());
    std::priority_queue<Entry> queue;
    std::size_t pushes = 0;
    const auto push = [&](std::uint32_t p) {
      stop_if_cancelled(pushes++);
      ++version[p];
      if (!surface.triangles_of[p].empty() && surface.best_collapse(p, best[p])) {
        queue.push({best[p].cost, p, version[p]});
      }
    };
    constexpr std::size_t steps_per_report = 4096;
    constexpr double to_begin = 0.2;  // share of the work that is done before the first collapse
    for (std::uint32_t p = 0; p < surface.position.size(); ++p) {
      if (p % steps_per_report == 0) progress(to_begin * p / static_cast<double>(version.size()), "simplifying");
      push(p);
    }
    std::vector<std::array<std::uint32_t, 2>> ring;
    const std::size_t first = left;
    for (std::size_t step = 0; left > target; ++step) {
      if (surface.next_piece_may_go(queue.empty())) {
        drop_piece(version);
        continue;
      }
      if (queue.empty()) break;
      if (step % steps_per_report == 0) {
        const double done = static_cast<double>(first - left) / static_cast<double>(first - target);
        progress(to_begin + (1 - to_begin) * done, "simplifying");
      }
      const Entry entry = queue.top();
      queue.pop();
      if (entry.version != version[entry.point]) continue;
      // Neighbours' versions change with the surface around them, so the collapse is still legal.
      const Collapse collapse = std::move(best[entry.point]);
      surface.apply(collapse);
      ++version[entry.point];
      push(collapse.into);
      surface.neighbours(collapse.into, ring);
      for (const auto& [p, count] : ring) push(p);
    }
  }

  // What the queue holds of the piece counts no more.
  void drop_piece(std::vector<std::uint32_t>& version) {
    const std::uint32_t piece = surface.droppable.back();
    surface.drop_next_piece();
    for (std::uint32_t p = 0; p < version.size(); ++p) version[p] += surface.piece_of[p] == piece;
  }

  // The nearest of the points `coarse`, for one whose piece is gone.
  std::uint32_t nearest_point(std::uint32_t p, const std::vector<std::uint32_t>& coarse) const {
    std::uint32_t best = coarse.front();
    for (const std::uint32_t q : coarse) {
      const double distance = (surface.position[q] - surface.position[p]).squaredNorm();
      if (distance < (surface.position[best] - surface.position[p]).squaredNorm()) best = q;
    }
    return best;
  }

  // Where the points `fine` lie among the points `coarse` (both by their numbers in the input).
  Prolongation prolongation(const std::vector<std::uint32_t>& fine, const std::vector<std::uint32_t>& coarse) const {
    Prolongation result;
    std::vector<std::uint32_t> coarse_of(surface.position.size(), gone), fine_of(surface.position.size(), gone);
    for (std::uint32_t i = 0; i < coarse.size(); ++i) coarse_of[coarse[i]] = i;
    for (std::uint32_t i = 0; i < fine.size(); ++i) fine_of[fine[i]] = i;
    for (const std::uint32_t p : coarse) result.kept.push_back(fine_of[p]);
    for (const std::uint32_t p : fine) {
      stop_if_cancelled(result.points.size());
      const SimplifySurface::Hung& h = surface.hung[p];
      std::array<std::uint32_t, 3> points;
      std::array<float, 3> weights;
      const bool stayed = coarse_of[p] != gone;
      const std::uint32_t at = stayed || h.triangle != gone ? p : nearest_point(p, coarse);
      const bool on_point = stayed || at != p;
      const std::uint32_t t = on_point ? surface.triangles_of[at].front() : h.triangle;
      for (int k = 0; k < 3; ++k) points[k] = coarse_of[surface.point(t, k)];
      if (on_point) {
        while (points[0] != coarse_of[at]) std::rotate(points.begin(), points.begin() + 1, points.end());
        weights = {1, 0, 0};
      } else {
        const Vec3d w = h.weights / h.weights.sum();
        weights[0] = static_cast<float>(w[0]);
        weights[1] = std::min(static_cast<float>(w[1]), 1.0f - weights[0]);
        weights[2] = std::max(0.0f, 1.0f - weights[0] - weights[1]);
      }
      result.points.push_back(points);
      result.weights.push_back(weights);
    }
    return result;
  }
};

Simplifier::Simplifier(const TriangleMesh& mesh, const SimplifyAttributes& attributes,
                       const std::vector<std::uint32_t>& part_of_triangle, const SimplifyOptions& options)
    : impl_(std::make_unique<Impl>(mesh, attributes, part_of_triangle, options)) {}
Simplifier::~Simplifier() = default;
Simplifier::Simplifier(Simplifier&&) noexcept = default;
Simplifier& Simplifier::operator=(Simplifier&&) noexcept = default;

const SimplifiedMesh& Simplifier::input() const { return impl_->input; }

SimplifiedMesh Simplifier::reduce(std::size_t count, SimplifyCount what, const Progress& progress) {
  const CancellationScope scope(progress);
  SimplifySurface& surface = impl_->surface;
  const std::size_t& left = what == SimplifyCount::points ? surface.live_points : surface.live_vertices;
  surface.hang_all();
  impl_->run(count, left, progress);
  surface.settle();
  std::vector<std::uint32_t> points;
  SimplifiedMesh result = extract(surface, points);
  result.from_finer = impl_->prolongation(impl_->fine_points, points);
  result.target_reached = left <= count;
  result.dropped_pieces = surface.dropped;
  progress(1.0, "simplifying");
  impl_->fine_points = std::move(points);
  return result;
}

}  // namespace sinew
