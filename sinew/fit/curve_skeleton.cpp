#include "sinew/fit/curve_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/base/cancellation.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

class CurveFinder {
 public:
  CurveFinder(const VoxelSolid& solid, const CurveOptions& options) : solid_(solid), options_(options) {}

  CurveSkeleton run() {
    result_.cell = solid_.cell();
    result_.diagonal = solid_.box().diagonal().norm() + solid_.cell();
    result_.plane = find_mirror_plane(solid_);
    result_.symmetric = result_.plane.symmetry >= options_.symmetry;
    choose_half();
    choose_core();
    start(distance_);
    walk(false, 0, distance_);
    join_pieces();
    came_from_.assign(solid_.count(), core_);
    std::vector<double> centred;
    start(centred);
    for (std::size_t gap = 0; gap < gaps_.size(); ++gap) walk(true, gap, centred);
    find_ways();
    if (result_.symmetric) settle_on_plane();
    smooth();
    if (result_.symmetric) reflect();
    measure();
    return std::move(result_);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // Half of a symmetric body, with the layers of voxels at the plane.
  void choose_half() {
    allowed_.assign(solid_.count(), 1);
    if (!result_.symmetric) return;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      allowed_[v] = result_.plane.side(solid_.position(v)) > -0.51 * solid_.cell();
    }
  }

  // A deep voxel near the centre of mass, on the mirror plane.
  void choose_core() {
    Vec3d centroid = Vec3d::Zero();
    for (std::uint32_t v = 0; v < solid_.count(); ++v) centroid += solid_.position(v);
    centroid /= static_cast<double>(solid_.count());
    double best = -infinite;
    for (std::uint32_t v = 0; v < solid_.count(); ++v) {
      if (!allowed_[v]) continue;
      double score = solid_.depth(v) - 0.5 * (solid_.position(v) - centroid).norm();
      if (result_.symmetric) score -= 2 * std::abs(result_.plane.side(solid_.position(v)));
      if (score > best) best = score, core_ = v;
    }
    gaps_ = {{core_, core_, 0.0}};
  }

  void start(std::vector<double>& distance) const { distance.assign(solid_.count(), infinite); }

  // Lengths of ways from the core through what is allowed, onwards from a gap between two pieces (the first is the core
  // itself). `centred`: the middle of limbs counts as shorter, and the way back is kept.
  void walk(bool centred, std::size_t over, std::vector<double>& distance) {
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto reach = [&](std::uint32_t voxel, double length, std::uint32_t from) {
      if (length >= distance[voxel]) return;
      distance[voxel] = length;
      if (centred) came_from_[voxel] = from;
      queue.emplace(length, voxel);
    };
    const Gap& gap = gaps_[over];
    reach(gap.to, over == 0 ? 0.0 : distance[gap.from] + gap.length, gap.from);
    std::size_t step = 0;
    while (!queue.empty()) {
      stop_if_cancelled(++step);
      const auto [here, voxel] = queue.top();
      queue.pop();
      if (here > distance[voxel]) continue;
      solid_.for_neighbours(voxel, [&, from = voxel, so_far = here](std::uint32_t other, double length) {
        if (!allowed_[other]) return;
        const double deep = solid_.depth(other) / solid_.cell();
        reach(other, so_far + (centred ? length / (deep * deep * deep) : length), from);
      });
    }
  }

  // Pieces that no way reaches are joined by the shortest gap, as long as they are large enough to matter.
  void join_pieces() {
    const std::size_t least = std::max<std::size_t>(8, solid_.count() / 200);
    while (gaps_.size() < 64) {
      std::vector<Vec3f> reached;
      std::vector<std::uint32_t> reached_voxels;
      std::vector<std::uint32_t> left;
      for (std::uint32_t v = 0; v < solid_.count(); ++v) {
        if (!allowed_[v]) continue;
        if (distance_[v] == infinite) {
          left.push_back(v);
        } else {
          reached.push_back(solid_.position(v).cast<float>());
          reached_voxels.push_back(v);
        }
      }
      if (left.size() < least) return;
      const NearestPoints near(reached);
      Gap gap{core_, core_, infinite};
      for (const std::uint32_t v : left) {
        NearPoint found;
        const Vec3f place = solid_.position(v).cast<float>();
        if (near.nearest(place, found, gap.length) && found.distance < gap.length) {
          gap = {reached_voxels[found.index], v, found.distance};
        }
      }
      if (gap.length == infinite) return;
      gaps_.push_back(gap);
      walk(false, gaps_.size() - 1, distance_);
    }
  }

  // The ways from the tips to the core, furthest tip first, each until it meets an earlier one.
  void find_ways() {
    node_of_.assign(solid_.count(), -1);
    add_node(core_, -1);
    std::vector<VoxelSolid::Tip> tips = solid_.tips(distance_, options_.shortest * result_.diagonal);
    std::stable_sort(tips.begin(), tips.end(), [&](const VoxelSolid::Tip& a, const VoxelSolid::Tip& b) {
      return distance_[a.voxel] > distance_[b.voxel];
    });
    for (const VoxelSolid::Tip& tip : tips) {
      stop_if_cancelled();
      std::vector<std::uint32_t> way;
      std::uint32_t v = tip.voxel;
      for (; node_of_[v] < 0; v = came_from_[v]) way.push_back(v);
      if (!is_limb(way)) continue;
      int parent = node_of_[v];
      for (auto it = way.rbegin(); it != way.rend(); ++it) parent = add_node(*it, parent);
    }
  }

  // Whether enough of a way, tip first, lies outside the balls around the curves that it joins.
  bool is_limb(const std::vector<std::uint32_t>& way) const {
    double length = 0, thickness = 0;
    std::size_t count = 0;
    for (; count < way.size(); ++count) {
      const Vec3d& here = solid_.position(way[count]);
      const bool in_body = std::any_of(result_.nodes.begin(), result_.nodes.end(), [&](const CurveNode& node) {
        return (node.position - here).norm() < node.radius + 0.5 * solid_.cell();
      });
      if (in_body) break;
      if (count > 0) length += (here - solid_.position(way[count - 1])).norm();
      thickness += 2 * solid_.depth(way[count]);
    }
    if (count == 0) return false;
    thickness /= static_cast<double>(count);
    return length >= options_.shortest * result_.diagonal && length >= options_.slenderness * thickness;
  }

  int add_node(std::uint32_t voxel, int parent) {
    const int node = static_cast<int>(result_.nodes.size());
    CurveNode own;
    own.position = solid_.position(voxel);
    own.radius = std::max(solid_.depth(voxel) - 0.5 * solid_.cell(), 0.5 * solid_.cell());
    own.parent = parent;
    result_.nodes.push_back(own);
    node_of_[voxel] = node;
    return node;
  }

  // What comes from the core along the plane lies on it: as long as it stays within a third of the body's thickness
  // beside it, and where it never gets further away than the body is thick there. The blunt end of a tail is no limb.
  void settle_on_plane() {
    std::vector<char> on_plane(result_.nodes.size(), 0);
    std::vector<double> furthest(result_.nodes.size(), 0.0);  // from the plane, of a node and all beyond it
    for (std::size_t n = result_.nodes.size(); n-- > 0;) {
      const CurveNode& node = result_.nodes[n];
      furthest[n] = std::max(furthest[n], result_.plane.side(node.position));
      if (node.parent >= 0) furthest[node.parent] = std::max(furthest[node.parent], furthest[n]);
    }
    for (std::size_t n = 0; n < result_.nodes.size(); ++n) {
      CurveNode& node = result_.nodes[n];
      const double side = result_.plane.side(node.position);
      const double near = std::max(1.1 * solid_.cell(), 0.35 * node.radius);
      const bool blunt = node.parent >= 0 && furthest[n] < result_.nodes[node.parent].radius + solid_.cell();
      on_plane[n] = node.parent < 0 || (on_plane[node.parent] && (side < near || blunt));
      if (!on_plane[n]) continue;
      node.position -= side * result_.plane.normal;
      node.mirror = static_cast<int>(n);
    }
  }

  // Ways over voxels zigzag. Tips, branches and the core stay; nodes of the plane stay in it.
  void smooth() {
    std::vector<int> count(result_.nodes.size(), 0), child(result_.nodes.size(), -1);
    for (std::size_t n = 1; n < result_.nodes.size(); ++n) {
      ++count[result_.nodes[n].parent];
      child[result_.nodes[n].parent] = static_cast<int>(n);
    }
    for (int round = 0; round < 6; ++round) {
      const std::vector<CurveNode> before = result_.nodes;
      for (std::size_t n = 1; n < before.size(); ++n) {
        if (count[n] != 1) continue;
        const CurveNode &up = before[before[n].parent], &down = before[child[n]];
        // A curve leaves the plane with a corner: what lies on it is not drawn off.
        if (before[n].mirror >= 0 && down.mirror < 0) continue;
        result_.nodes[n].position = 0.5 * before[n].position + 0.25 * (up.position + down.position);
      }
    }
  }

  // Adds the mirror image of every node beside the plane.
  void reflect() {
    const std::size_t half = result_.nodes.size();
    for (std::size_t n = 0; n < half; ++n) {
      if (result_.nodes[n].mirror >= 0) continue;
      CurveNode image = result_.nodes[n];
      image.position = result_.plane.mirrored(image.position);
      image.parent = result_.nodes[image.parent].mirror;
      image.mirror = static_cast<int>(n);
      result_.nodes[n].mirror = static_cast<int>(result_.nodes.size());
      result_.nodes.push_back(image);
    }
  }

  void measure() {
    result_.children.resize(result_.nodes.size());
    result_.from_core.assign(result_.nodes.size(), 0.0);
    for (std::size_t n = 1; n < result_.nodes.size(); ++n) {
      const CurveNode& node = result_.nodes[n];
      result_.children[node.parent].push_back(static_cast<int>(n));
      result_.from_core[n] =
          result_.from_core[node.parent] + (node.position - result_.nodes[node.parent].position).norm();
    }
  }

  // Where ways leap from one piece to the next. The first is the core itself.
  struct Gap {
    std::uint32_t from, to;
    double length;
  };

  const VoxelSolid& solid_;
  const CurveOptions& options_;
  CurveSkeleton result_;
  std::vector<char> allowed_;
  std::uint32_t core_ = 0;
  std::vector<Gap> gaps_;
  std::vector<double> distance_;
  std::vector<std::uint32_t> came_from_;
  std::vector<int> node_of_;
};

}  // namespace

std::vector<int> CurveSkeleton::tips() const {
  std::vector<int> result;
  for (int n = 1; n < static_cast<int>(nodes.size()); ++n) {
    if (is_tip(n)) result.push_back(n);
  }
  return result;
}

std::vector<int> CurveSkeleton::way_to_core(int node) const {
  std::vector<int> way;
  for (int n = node; n >= 0; n = nodes[n].parent) way.push_back(n);
  return way;
}

int CurveSkeleton::meeting_place(int a, int b) const {
  while (a != b) {
    // Parents precede their children: the later of two is never above the other.
    if (a > b) {
      a = nodes[a].parent;
    } else {
      b = nodes[b].parent;
    }
  }
  return a;
}

double CurveSkeleton::distance(int a, int b) const {
  return from_core[a] + from_core[b] - 2 * from_core[meeting_place(a, b)];
}

CurveSkeleton curve_skeleton(const VoxelSolid& solid, const CurveOptions& options) {
  return CurveFinder(solid, options).run();
}

}  // namespace sinew
