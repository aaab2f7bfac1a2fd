#include "sinew/weights/atlas/atlas_cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <unordered_set>

#include "sinew/base/parallel.h"
#include "sinew/mesh/edges.h"

namespace sinew {
namespace {

constexpr double clearly_shorter = 1e-3;          // smaller differences between planes are rounding
constexpr double steepest = 75.0 * M_PI / 180.0;  // a plane along the bone could not part its two ends

// Which triangles meet at which edge.
class EdgeTriangles {
 public:
  explicit EdgeTriangles(const std::vector<Triangle>& triangles)
      : edges_(unique_edges(triangles)), begin_(edges_.size() + 1, 0), sides_(triangles.size()) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      stop_if_cancelled(t);
      for (int s = 0; s < 3; ++s) {
        const std::uint32_t a = triangles[t][s], b = triangles[t][(s + 1) % 3];
        const Edge edge{std::min(a, b), std::max(a, b)};
        sides_[t][s] =
            static_cast<std::uint32_t>(std::lower_bound(edges_.begin(), edges_.end(), edge) - edges_.begin());
        ++begin_[sides_[t][s] + 1];
      }
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) begin_[e + 1] += begin_[e];
    members_.resize(3 * triangles.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      for (std::uint32_t edge : sides_[t]) members_[next[edge]++] = t;
    }
  }

  const Edge& edge(std::uint32_t index) const { return edges_[index]; }
  const std::array<std::uint32_t, 3>& sides(std::uint32_t triangle) const { return sides_[triangle]; }
  std::span<const std::uint32_t> triangles(std::uint32_t edge) const {
    return {members_.data() + begin_[edge], members_.data() + begin_[edge + 1]};
  }

 private:
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> begin_, members_;
  std::vector<std::array<std::uint32_t, 3>> sides_;
};

struct Plane {
  Vec3d origin, normal;
  double height(const Vec3f& p) const { return (p.cast<double>() - origin).dot(normal); }
};

// Follows curves in which planes cut one mesh.
class CurveTracer {
 public:
  explicit CurveTracer(const BindInput& input)
      : input_(input), edges_(input.mesh.triangles), scene_(input.mesh.positions, input.mesh.triangles) {}

  // The shortest curve of each component that goes around the plane's origin.
  std::map<std::uint32_t, AtlasCut> curves(const Plane& plane) const {
    std::map<std::uint32_t, AtlasCut> shortest;
    std::unordered_set<std::uint32_t> visited;
    for (std::uint32_t start : crossed_triangles(plane)) {
      if (visited.count(start)) continue;
      AtlasCut cut;
      if (!trace(plane, start, visited, cut)) continue;
      const auto [entry, inserted] = shortest.try_emplace(cut.component, cut);
      if (!inserted && cut.length < entry->second.length) entry->second = cut;
    }
    return shortest;
  }

 private:
  bool is_above(const Plane& plane, std::uint32_t vertex) const {
    return plane.height(input_.mesh.positions[vertex]) >= 0;
  }

  // Triangles that rays in the plane meet on their way out from the joint, near and far.
  std::vector<std::uint32_t> crossed_triangles(const Plane& plane) const {
    constexpr int rays = 8, most_hits = 12;
    const Vec3d u = plane.normal.unitOrthogonal(), v = plane.normal.cross(u);
    std::vector<std::uint32_t> found;
    for (int ray = 0; ray < rays; ++ray) {
      const double angle = 2 * M_PI * (ray + 0.25) / rays;
      const Vec3f direction = (std::cos(angle) * u + std::sin(angle) * v).cast<float>();
      float near = 0;
      for (int hit_count = 0; hit_count < most_hits; ++hit_count) {
        RayHit hit;
        if (!scene_.intersect(plane.origin.cast<float>(), direction, hit, near)) break;
        near = hit.distance + 1e-5f;
        if (is_cut(plane, hit.triangle)) {
          found.push_back(hit.triangle);
          continue;
        }
        // A hit on an edge that lies in the plane: the cut runs through the triangle on its other side.
        for (std::uint32_t side : edges_.sides(hit.triangle)) {
          for (std::uint32_t beside : edges_.triangles(side)) {
            if (is_cut(plane, beside)) found.push_back(beside);
          }
        }
      }
    }
    return found;
  }

  bool is_cut(const Plane& plane, std::uint32_t triangle) const {
    const Triangle& t = input_.mesh.triangles[triangle];
    const bool first = is_above(plane, t[0]);
    return is_above(plane, t[1]) != first || is_above(plane, t[2]) != first;
  }

  CutCrossing crossing(const Plane& plane, std::uint32_t edge) const {
    const auto [a, b] = edges_.edge(edge);
    const bool a_above = is_above(plane, a);
    const std::uint32_t below = a_above ? b : a, above = a_above ? a : b;
    const Vec3f &p = input_.mesh.positions[below], &q = input_.mesh.positions[above];
    const double hp = plane.height(p), hq = plane.height(q);
    const auto t = static_cast<float>(hq > hp ? std::clamp(hp / (hp - hq), 0.0, 1.0) : 0.5);
    return {below, above, p + t * (q - p)};
  }

  bool is_crossed(const Plane& plane, std::uint32_t edge) const {
    return is_above(plane, edges_.edge(edge)[0]) != is_above(plane, edges_.edge(edge)[1]);
  }

  // Walks from `triangle` through `edge` until it is back at `start` (true) or at a border of the mesh (false).
  bool walk(const Plane& plane, std::uint32_t start, std::uint32_t edge, std::unordered_set<std::uint32_t>& visited,
            std::vector<CutCrossing>& crossings) const {
    std::uint32_t triangle = start;
    for (std::size_t guard = 0; guard < input_.mesh.triangles.size(); ++guard) {
      crossings.push_back(crossing(plane, edge));
      std::uint32_t next = triangle;
      for (std::uint32_t other : edges_.triangles(edge)) {
        if (other == start && triangle != start) return true;
        if (other != triangle && !visited.count(other)) {
          next = other;
          break;
        }
      }
      if (next == triangle) return false;
      triangle = next;
      visited.insert(triangle);
      for (std::uint32_t side : edges_.sides(triangle)) {
        if (side != edge && is_crossed(plane, side)) {
          edge = side;
          break;
        }
      }
    }
    return false;
  }

  // False when the curve does not go around the joint.
  bool trace(const Plane& plane, std::uint32_t start, std::unordered_set<std::uint32_t>& visited, AtlasCut& cut) const {
    std::vector<std::uint32_t> ways;
    for (std::uint32_t side : edges_.sides(start)) {
      if (is_crossed(plane, side)) ways.push_back(side);
    }
    if (ways.size() != 2) return false;
    visited.insert(start);
    cut.closed = walk(plane, start, ways[0], visited, cut.crossings);
    if (!cut.closed) {  // a border: the other half of the curve lies the other way
      std::vector<CutCrossing> behind;
      walk(plane, start, ways[1], visited, behind);
      cut.crossings.insert(cut.crossings.begin(), behind.rbegin(), behind.rend());
    }
    cut.component = input_.components.component_of[input_.mesh.triangles[start][0]];
    cut.normal = plane.normal;
    const Vec3d u = plane.normal.unitOrthogonal(), v = plane.normal.cross(u);
    double turned = 0;
    for (std::size_t i = 0; i < cut.crossings.size(); ++i) {
      const Vec3d p = cut.crossings[i].point.cast<double>() - plane.origin;
      const Vec3d q = cut.crossings[(i + 1) % cut.crossings.size()].point.cast<double>() - plane.origin;
      cut.length += (q - p).norm();
      turned += std::atan2(p.dot(u) * q.dot(v) - p.dot(v) * q.dot(u), p.dot(u) * q.dot(u) + p.dot(v) * q.dot(v));
    }
    return std::abs(turned) > M_PI;
  }

  const BindInput& input_;
  EdgeTriangles edges_;
  RayScene scene_;
};

int count_descendants(const BindInput& input, int joint) {
  int count = 0;
  for (int j = 0; j < input.joint_count(); ++j) {
    for (int up = j; up >= 0; up = input.skeleton.parents[up]) count += up == joint;
  }
  return count;
}

// The directions of the two bones that meet at a joint: into it and out of it.
std::array<Vec3d, 2> meeting_directions(const BindInput& input, int joint, int parent) {
  const Vec3d at = input.skeleton.position(joint);
  Vec3d into = at - input.skeleton.position(parent);
  Vec3d out = Vec3d::Zero();
  double best = -1;
  for (const Bone& bone : input.bones) {
    if (bone.joint != joint) continue;
    const Vec3d along = bone.tail - bone.head;
    if (!(along.norm() > 0)) continue;
    // By hierarchy: the child with most below it; among equals the one that goes straight on.
    double rank = into.norm() > 0 ? along.normalized().dot(into.normalized()) : 0.0;
    for (int j = 0; j < input.joint_count(); ++j) {
      if (j != joint && input.takes_weight[j] && input.skeleton.position(j).isApprox(bone.tail, 1e-9)) {
        rank += 10 * count_descendants(input, j);
      }
    }
    if (rank > best || out.isZero()) {
      best = rank;
      out = along;
    }
  }
  if (!(into.norm() > 1e-9)) into = out;
  if (!(out.norm() > 1e-9)) out = into;
  if (!(into.norm() > 1e-9)) into = out = Vec3d::UnitY();
  return {into.normalized(), out.normalized()};
}

std::vector<Vec3d> plane_normals(const std::array<Vec3d, 2>& directions, int planes) {
  const auto& [into, out] = directions;
  Vec3d middle = into + out;
  middle = middle.norm() > 1e-3 ? middle.normalized() : out;
  std::vector<Vec3d> axes;
  const Vec3d across = into.cross(out);
  if (across.norm() > 0.1) {
    axes = {across.normalized()};
  } else {
    axes = {middle.unitOrthogonal(), middle.cross(middle.unitOrthogonal())};
  }
  const int each = std::max(1, planes / static_cast<int>(axes.size()));
  std::vector<Vec3d> normals;
  for (const Vec3d& axis : axes) {
    // Upright first, then further and further to both sides: of equally short cuts the most upright one wins.
    for (int i = 0; i < each; ++i) {
      const double angle = each > 1 ? steepest * ((i + 1) / 2) / (each / 2) * (i % 2 ? 1 : -1) : 0.0;
      normals.push_back(Eigen::AngleAxisd(angle, axis) * middle);
    }
  }
  return normals;
}

}  // namespace

std::vector<int> atlas_parents(const BindInput& input) {
  const Skeleton& skeleton = input.skeleton;
  std::vector<int> parents(input.joint_count(), -1);
  std::vector<int> roots;
  const auto ancestor = [&](int joint) {
    int up = skeleton.parents[joint];
    while (up >= 0 && !input.takes_weight[up]) up = skeleton.parents[up];
    return up;
  };
  for (int j = 0; j < input.joint_count(); ++j) {
    if (!input.takes_weight[j]) continue;
    parents[j] = ancestor(j);
    if (parents[j] < 0) roots.push_back(j);
  }
  if (roots.size() < 2) return parents;
  const auto top = [&](int joint) {
    while (parents[joint] >= 0) joint = parents[joint];
    return joint;
  };
  const int main_root = *std::max_element(roots.begin(), roots.end(), [&](int a, int b) {
    return count_descendants(input, a) < count_descendants(input, b);
  });
  for (int root : roots) {
    if (root == main_root) continue;
    double nearest = std::numeric_limits<double>::infinity();
    int chosen = -1;
    for (const Bone& bone : input.bones) {
      if (top(bone.joint) == root) continue;
      const double distance = closest_point_on_bone(bone, skeleton.position(root)).distance;
      if (distance < nearest) {
        nearest = distance;
        chosen = bone.joint;
      }
    }
    parents[root] = chosen;
  }
  return parents;
}

std::vector<AtlasCut> find_cuts(const BindInput& input, const std::vector<int>& parents, int planes) {
  const CurveTracer tracer(input);
  std::vector<std::vector<AtlasCut>> found(input.joint_count());
  parallel_for(found.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const int joint = static_cast<int>(j);
      if (parents[j] < 0) continue;
      std::map<std::uint32_t, AtlasCut> shortest;
      for (const Vec3d& normal : plane_normals(meeting_directions(input, joint, parents[j]), planes)) {
        stop_if_cancelled();
        for (auto& [component, cut] : tracer.curves({input.skeleton.position(joint), normal})) {
          const auto [entry, inserted] = shortest.try_emplace(component, cut);
          if (!inserted && cut.length < (1 - clearly_shorter) * entry->second.length) entry->second = cut;
        }
      }
      for (auto& [component, cut] : shortest) {
        cut.joint = joint;
        cut.parent = parents[j];
        found[j].push_back(std::move(cut));
      }
    }
  });
  std::vector<AtlasCut> cuts;
  for (auto& list : found) std::move(list.begin(), list.end(), std::back_inserter(cuts));
  return cuts;
}

}  // namespace sinew
