#include "sinew/fit/curve_paths.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double shortest = 0.03;  // of the diagonal: a limb that can be seen

class PathFinder {
 public:
  PathFinder(const CurveSkeleton& curve, BodyFrame& frame, bool forward_given)
      : curve_(curve), frame_(frame), forward_given_(forward_given) {}

  CurvePaths run() {
    measure();
    taken_.assign(curve_.nodes.size(), 0);
    find_spine();
    for (std::size_t p = 0; p < result_.paths.size(); ++p) find_limbs(static_cast<int>(p));
    pair_limbs();
    set_frame();
    return std::move(result_);
  }

 private:
  const Vec3d& place(int node) const { return curve_.nodes[node].position; }
  double step(int node) const { return curve_.from_core[node] - curve_.from_core[curve_.nodes[node].parent]; }
  bool in_spine_plane(int node) const { return !curve_.symmetric || curve_.nodes[node].mirror == node; }

  // How far it goes on from every node, and how much body there is on the way.
  void measure() {
    reach_.assign(curve_.nodes.size(), 0.0);
    body_.assign(curve_.nodes.size(), 0.0);
    for (int n = static_cast<int>(curve_.nodes.size()) - 1; n > 0; --n) {
      const int parent = curve_.nodes[n].parent;
      reach_[parent] = std::max(reach_[parent], reach_[n] + step(n));
      if (!in_spine_plane(n)) continue;
      body_[parent] = std::max(body_[parent], body_[n] + step(n) * curve_.nodes[n].radius);
    }
  }

  // The child with the most body behind it, but not `other`.
  int next_of_spine(int node, int other) const {
    int best = -1;
    for (const int child : curve_.children[node]) {
      if (child == other || !in_spine_plane(child)) continue;
      const auto body = [&](int c) { return body_[c] + step(c) * curve_.nodes[c].radius; };
      if (best < 0 || body(child) > body(best)) best = child;
    }
    return best;
  }

  void find_spine() {
    std::vector<int> ahead, behind;
    for (int n = next_of_spine(0, -1); n >= 0; n = next_of_spine(n, -1)) ahead.push_back(n);
    for (int n = next_of_spine(0, ahead.empty() ? -1 : ahead.front()); n >= 0; n = next_of_spine(n, -1)) {
      behind.push_back(n);
    }
    if (head_is_behind(ahead, behind)) std::swap(ahead, behind);
    std::vector<int> nodes(behind.rbegin(), behind.rend());
    result_.core = static_cast<int>(nodes.size());
    nodes.push_back(0);
    nodes.insert(nodes.end(), ahead.begin(), ahead.end());
    add(made(-1, 0, std::move(nodes)));
  }

  // What speaks for a head at the end of a way from the core: it is high, thick to the end, and before the body.
  double head_votes(const std::vector<int>& way) const {
    const int end = way.empty() ? 0 : way.back();
    const Vec3d away = (place(end) - place(0)) / curve_.diagonal;
    if (forward_given_) return away.dot(frame_.forward) + 0.2 * away.dot(frame_.up);
    double outer = 0, thickest = 0;
    int count = 0;
    for (const int n : way) {
      thickest = std::max(thickest, curve_.nodes[n].radius);
      if (curve_.from_core[n] < 0.5 * curve_.from_core[end]) continue;
      outer += curve_.nodes[n].radius;
      ++count;
    }
    const double blunt = count > 0 ? outer / count / curve_.nodes[0].radius : 0.0;
    return 2.0 * away.dot(frame_.up) + 0.5 * blunt + 0.15 * away.dot(frame_.forward);
  }

  bool head_is_behind(const std::vector<int>& ahead, const std::vector<int>& behind) const {
    return head_votes(behind) > head_votes(ahead);
  }

  CurvePath made(int parent, int at, std::vector<int> nodes) const {
    CurvePath path;
    path.parent = parent;
    path.at = at;
    path.nodes = std::move(nodes);
    path.along.assign(1, 0.0);
    for (std::size_t i = 1; i < path.nodes.size(); ++i) {
      path.along.push_back(path.along.back() + (place(path.nodes[i]) - place(path.nodes[i - 1])).norm());
    }
    if (parent < 0) return path;
    const std::vector<int>& body = result_.paths[parent].nodes;
    std::size_t last = 0;
    for (std::size_t i = 1; i < path.nodes.size(); ++i) {
      const bool within = std::any_of(body.begin(), body.end(), [&](int n) {
        return (place(n) - place(path.nodes[i])).norm() < curve_.nodes[n].radius;
      });
      if (within) last = i;
    }
    path.outside = path.along[last];
    return path;
  }

  void add(CurvePath path) {
    for (const int n : path.nodes) taken_[n] = 1;
    result_.paths.push_back(std::move(path));
  }

  int furthest_child(int node, bool in_plane) const {
    int best = -1;
    for (const int child : curve_.children[node]) {
      if (in_plane && !in_spine_plane(child)) continue;
      if (best < 0 || reach_[child] + step(child) > reach_[best] + step(best)) best = child;
    }
    return best;
  }

  // What leaves a path. A limb that begins in the mirror plane and splits into a left and a right one ends there when
  // it can be seen; when it is a mere root inside the body, left and right each begin with it.
  void find_limbs(int of) {
    const std::vector<int> nodes = result_.paths[of].nodes;
    const int parent = result_.paths[of].parent, at = result_.paths[of].at;
    // A limb's first node belongs to its parent, which has looked there already.
    for (std::size_t i = of > 0 ? 1 : 0; i < nodes.size(); ++i) {
      // A root in the mirror plane is both the left and the right limb's: what leaves it leaves their parent.
      const bool shared = curve_.symmetric && in_spine_plane(nodes[i]) && !in_spine_plane(nodes.back());
      for (const int child : curve_.children[nodes[i]]) {
        if (taken_[child]) continue;
        if (shared && parent >= 0) {
          std::vector<int> way(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
          way.push_back(child);
          add_limb(parent, at, std::move(way));
        } else {
          add_limb(of, static_cast<int>(i), {nodes[i], child});
        }
      }
    }
  }

  void add_limb(int of, int at, std::vector<int> nodes) {
    const bool central = curve_.symmetric && in_spine_plane(nodes.back());
    while (true) {
      const int longest = furthest_child(nodes.back(), false);
      if (longest < 0) break;
      if (central && !in_spine_plane(longest)) {
        const CurvePath stem = made(of, at, nodes);
        if (stem.free_length() >= shortest * curve_.diagonal) break;
        for (const int child : curve_.children[nodes.back()]) {
          std::vector<int> half = nodes;
          half.push_back(child);
          add_limb(of, at, std::move(half));
        }
        return;
      }
      nodes.push_back(longest);
    }
    CurvePath limb = made(of, at, std::move(nodes));
    if (limb.free_length() >= shortest * curve_.diagonal) add(std::move(limb));
  }

  void pair_limbs() {
    for (CurvePath& path : result_.paths) {
      const int image = curve_.nodes[path.nodes.back()].mirror;
      for (std::size_t other = 1; other < result_.paths.size() && image >= 0; ++other) {
        if (result_.paths[other].nodes.back() == image) path.mirror = static_cast<int>(other);
      }
    }
    result_.paths[0].mirror = curve_.symmetric ? 0 : -1;
  }

  void set_frame() {
    const Vec3d up = frame_.up.normalized();
    Vec3d left = Vec3d::Zero();
    if (curve_.symmetric && std::abs(curve_.plane.normal.dot(up)) < 0.5) {
      left = (curve_.plane.normal - curve_.plane.normal.dot(up) * up).normalized();
    }
    Vec3d forward = frame_.forward;
    if (!forward_given_) {
      const Vec3d along = place(result_.paths[0].nodes.back()) - place(result_.paths[0].nodes.front());
      const Vec3d level = along - along.dot(up) * up - along.dot(left) * left;
      if (level.norm() > 0.25 * along.norm() && level.norm() > 0.05 * curve_.diagonal) forward = level;
    }
    forward -= forward.dot(up) * up + forward.dot(left) * left;
    if (forward.norm() < 1e-6) forward = left.norm() > 0 ? Vec3d(left.cross(up)) : up.unitOrthogonal();
    forward.normalize();
    frame_ = {up.cross(forward), up, forward};
  }

  const CurveSkeleton& curve_;
  BodyFrame& frame_;
  bool forward_given_;
  CurvePaths result_;
  std::vector<double> reach_, body_;
  std::vector<char> taken_;  // nodes that lie on a path
};

}  // namespace

Vec3d CurvePaths::at(const CurveSkeleton& curve, int path, double along) const {
  const CurvePath& own = paths[path];
  const auto next = std::lower_bound(own.along.begin(), own.along.end(), along);
  if (next == own.along.begin()) return curve.nodes[own.nodes.front()].position;
  if (next == own.along.end()) return curve.nodes[own.nodes.back()].position;
  const auto i = static_cast<std::size_t>(next - own.along.begin());
  const double t = (along - own.along[i - 1]) / std::max(own.along[i] - own.along[i - 1], 1e-300);
  return (1 - t) * curve.nodes[own.nodes[i - 1]].position + t * curve.nodes[own.nodes[i]].position;
}

double CurvePaths::radius_at(const CurveSkeleton& curve, int path, double along) const {
  const CurvePath& own = paths[path];
  const auto next = std::lower_bound(own.along.begin(), own.along.end(), along);
  const std::size_t i = std::min(static_cast<std::size_t>(next - own.along.begin()), own.nodes.size() - 1);
  return curve.nodes[own.nodes[i]].radius;
}

CurvePaths take_apart(const CurveSkeleton& curve, BodyFrame& frame, bool forward_given) {
  return PathFinder(curve, frame, forward_given).run();
}

}  // namespace sinew
