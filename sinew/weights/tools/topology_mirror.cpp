#include "sinew/weights/tools/topology_mirror.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sinew/base/cancellation.h"
#include "sinew/mesh/components.h"

namespace sinew {
namespace {

constexpr std::size_t most_seeds = 12;  // tried per piece, nearest first
// Vertices that another one mirrors exactly must mostly be paired with it: tubes and balls are symmetric in other ways
// too, twisted or turned.
constexpr double exactly = 1e-4;  // of the diagonal
constexpr double mostly = 0.9;
constexpr double too_far = 0.25;  // of the diagonal: mean distance from which a pairing is chance

using HalfEdge = std::pair<std::uint32_t, std::uint32_t>;

struct Side {
  std::uint32_t triangle = 0;
  std::uint32_t corner = no_image;
};

class TopologyMirror {
 public:
  TopologyMirror(const TriangleMesh& mesh, const SidePlane& plane, const std::vector<std::uint32_t>& nearest)
      : mesh_(mesh), plane_(plane), nearest_(nearest), image_(mesh.vertex_count(), no_image), before_(image_) {
    components_ = connected_components(mesh.vertex_count(), mesh.triangles);
    vertices_.assign(components_.count, 0);
    for (const std::uint32_t component : components_.component_of) ++vertices_[component];
    triangles_.resize(components_.count);
    unfit_.assign(components_.count, 0);
    sides_.reserve(3 * mesh.triangles.size());
    visited_.assign(mesh.triangles.size(), 0);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      stop_if_cancelled(t);
      const Triangle& c = mesh.triangles[t];
      const std::uint32_t component = components_.component_of[c[0]];
      triangles_[component].push_back(t);
      for (int i = 0; i < 3; ++i) {
        const bool added = sides_.emplace(key(c[i], c[(i + 1) % 3]), Side{t, c[(i + 2) % 3]}).second;
        if (!added) unfit_[component] = 1;  // not manifold, or wound against itself
      }
    }
    diagonal_ = bounding_diagonal(mesh);
  }

  std::vector<std::uint32_t> run() {
    for (std::uint32_t component = 0; component < components_.count; ++component) {
      stop_if_cancelled();
      if (!triangles_[component].empty() && !unfit_[component]) pair_component(component);
    }
    return image_;
  }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

  // The triangle on the left of a half-edge, and its third corner; no_image at a border.
  Side side_of(const HalfEdge& edge) const {
    const auto found = sides_.find(key(edge.first, edge.second));
    return found == sides_.end() ? Side{} : found->second;
  }
  std::uint32_t behind(const HalfEdge& edge) const { return side_of(edge).corner; }

  double distance(std::uint32_t vertex, std::uint32_t other) const {
    return (plane_.image(mesh_.positions[vertex]) - mesh_.positions[other]).cast<double>().norm();
  }

  // Triangles of a piece whose mirror image is a triangle too, best first.
  std::vector<std::uint32_t> seeds_of(std::uint32_t component) const {
    std::vector<std::pair<double, std::uint32_t>> seeds;
    for (const std::uint32_t t : triangles_[component]) {
      double farthest = 0;
      std::uint32_t images[3];
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t corner = mesh_.triangles[t][i];
        images[i] = nearest_[corner];
        if (images[i] == no_image) break;
        farthest = std::max(farthest, distance(corner, images[i]));
      }
      if (std::find(std::begin(images), std::end(images), no_image) != std::end(images)) continue;
      if (behind({images[1], images[0]}) != images[2]) continue;
      seeds.emplace_back(farthest, t);
    }
    std::sort(seeds.begin(), seeds.end());
    // Not only neighbours of the best one: where that part is not symmetric, none of them helps.
    std::vector<std::uint32_t> chosen;
    const std::size_t step = std::max<std::size_t>(1, seeds.size() / most_seeds);
    for (std::size_t i = 0; i < seeds.size() && chosen.size() < most_seeds; i += step)
      chosen.push_back(seeds[i].second);
    return chosen;
  }

  void pair_component(std::uint32_t component) {
    const std::uint32_t any = mesh_.triangles[triangles_[component].front()][0];
    if (image_[any] != no_image) return;  // as the image of another piece
    for (const std::uint32_t seed : seeds_of(component)) {
      paired_.clear();
      const bool sound = flood(seed) && is_whole(component);
      if (!sound) {
        for (const std::uint32_t v : paired_) before_[image_[v]] = no_image;
        for (const std::uint32_t v : paired_) image_[v] = no_image;
        continue;
      }
      for (const std::uint32_t v : paired_) {  // the other piece's image is the way back
        image_[image_[v]] = v;
        before_[v] = image_[v];
      }
      return;
    }
  }

  bool assign(std::uint32_t vertex, std::uint32_t image) {
    if (image_[vertex] == image) return true;
    if (image_[vertex] != no_image || before_[image] != no_image) return false;
    image_[vertex] = image;
    before_[image] = vertex;
    paired_.push_back(vertex);
    return true;
  }

  bool flood(std::uint32_t seed) {
    ++floods_;
    const Triangle& c = mesh_.triangles[seed];
    if (!assign(c[0], nearest_[c[0]]) || !assign(c[1], nearest_[c[1]])) return false;
    // Both sides of the first edge; images of half-edges run the other way.
    std::vector<HalfEdge> open{{c[0], c[1]}, {c[1], c[0]}};
    while (!open.empty()) {
      const HalfEdge edge = open.back();
      open.pop_back();
      const auto [triangle, corner] = side_of(edge);
      const std::uint32_t image = behind({image_[edge.second], image_[edge.first]});
      if ((corner == no_image) != (image == no_image)) return false;
      if (corner == no_image || visited_[triangle] == floods_) continue;
      if (!assign(corner, image)) return false;
      visited_[triangle] = floods_;
      open.push_back({corner, edge.second});
      open.push_back({edge.first, corner});
    }
    return true;
  }

  // Every vertex and every triangle has its image, and the image of the image is itself.
  bool is_whole(std::uint32_t component) const {
    const std::uint32_t other = components_.component_of[image_[paired_.front()]];
    if (unfit_[other] || paired_.size() != vertices_[component] || vertices_[other] != vertices_[component] ||
        triangles_[other].size() != triangles_[component].size()) {
      return false;
    }
    double sum = 0, exact = 0, confirmed = 0;
    for (const std::uint32_t v : paired_) {
      if (other == component && image_[image_[v]] != v) return false;
      sum += distance(v, image_[v]);
      if (nearest_[v] == no_image || distance(v, nearest_[v]) > exactly * diagonal_) continue;
      exact += 1;
      confirmed += image_[v] == nearest_[v];
    }
    if (confirmed < mostly * exact) return false;
    for (const std::uint32_t t : triangles_[component]) {
      const Triangle& c = mesh_.triangles[t];
      if (behind({image_[c[1]], image_[c[0]]}) != image_[c[2]]) return false;
    }
    return sum <= too_far * diagonal_ * static_cast<double>(paired_.size());
  }

  const TriangleMesh& mesh_;
  const SidePlane& plane_;
  const std::vector<std::uint32_t>& nearest_;
  std::vector<std::uint32_t> image_, before_;  // per vertex: its image, and whose image it is
  std::vector<std::uint32_t> paired_;          // by the present flood
  Components components_;
  std::vector<std::size_t> vertices_;                  // per piece: how many
  std::vector<std::vector<std::uint32_t>> triangles_;  // per piece
  std::vector<char> unfit_;                            // per piece
  std::unordered_map<std::uint64_t, Side> sides_;      // by half-edge
  std::vector<std::uint32_t> visited_;                 // per triangle: the flood that came last
  std::uint32_t floods_ = 0;
  double diagonal_ = 0;
};

}  // namespace

std::vector<std::uint32_t> mirror_by_topology(const TriangleMesh& mesh, const SidePlane& plane,
                                              const std::vector<std::uint32_t>& nearest) {
  return TopologyMirror(mesh, plane, nearest).run();
}

}  // namespace sinew
