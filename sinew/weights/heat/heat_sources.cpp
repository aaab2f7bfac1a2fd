#include "sinew/weights/heat/heat_sources.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// Rays of one component's own triangles through a scene that holds all of them.
class Sight {
 public:
  explicit Sight(const BindInput& input) : input_(input), scene_(input.mesh.positions, input.mesh.triangles) {}

  // Whether the straight way from a vertex to a point never enters the vertex's own piece of the mesh from outside.
  // Leaving it does not count: a coat with an inside and an outside sees the bones through its lining. The last part of
  // the way does not count either: bones of thin or bent limbs run close under the skin and poke through it.
  bool sees(std::uint32_t vertex, const Vec3d& point) const {
    if (input_.mesh.is_point_cloud()) return true;
    constexpr float counted_part = 0.7f;
    constexpr int most_crossings = 64;
    const Vec3f from = input_.mesh.positions[vertex];
    const Vec3f way = point.cast<float>() - from;
    float near = 1e-5f;
    for (int crossed = 0; crossed < most_crossings; ++crossed) {
      RayHit hit;
      if (!scene_.intersect(from, way, hit, near, counted_part)) return true;
      const Triangle& t = input_.mesh.triangles[hit.triangle];
      const bool touches = t[0] == vertex || t[1] == vertex || t[2] == vertex;
      const bool own = input_.components.component_of[t[0]] == input_.components.component_of[vertex];
      if (!touches && own && enters(hit, t, way)) return false;
      near = hit.distance + 1e-6f;
    }
    return false;
  }

 private:
  bool enters(const RayHit& hit, const Triangle& t, const Vec3f& way) const {
    const Vec3f outwards = input_.normals[t[0]] + input_.normals[t[1]] + input_.normals[t[2]];
    if (outwards.isZero()) return false;
    const float side = hit.geometric_normal.dot(outwards) < 0 ? -1.0f : 1.0f;
    // A way along the surface neither enters nor leaves: rounding would decide, and change the answer with the unit.
    constexpr float grazing = 1e-3f;
    return side * hit.geometric_normal.dot(way) < -grazing * hit.geometric_normal.norm() * way.norm();
  }

  const BindInput& input_;
  RayScene scene_;
};

struct Candidate {
  double distance;  // lengthened for bones that the surface faces
  double true_distance;
  std::size_t bone;
  Vec3d point;
};

// A heap's order: the nearest candidate is its top.
bool is_farther(const Candidate& a, const Candidate& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.bone > b.bone;
}

// Bones within reach, as a heap. The lining of a coat does not see the spine through the shirt; rather than taking the
// thumb that it happens to see, such a vertex takes its neighbours' heat.
void rank_bones(const BindInput& input, std::uint32_t vertex, std::vector<Candidate>& candidates) {
  constexpr double reach = 2.0;  // times the distance of the nearest bone, seen or not
  const Vec3d p = input.mesh.positions[vertex].cast<double>();
  const Vec3d normal = input.normals[vertex].cast<double>();
  candidates.clear();
  for (std::size_t b = 0; b < input.bones.size(); ++b) {
    const PointOnBone closest = closest_point_on_bone(input.bones[b], p);
    const Vec3d away = p - closest.position;
    const double cosine = closest.distance > 0 ? away.dot(normal) / closest.distance : 1.0;
    // At most five times as far: a flipped triangle or a fold in cloth must not lose its bone.
    const double facing = normal == Vec3d::Zero() ? 1.0 : std::max(0.2, 0.5 * (cosine + 1));
    candidates.push_back({closest.distance / facing, closest.distance, b, closest.position});
  }
  const auto nearest = std::min_element(candidates.begin(), candidates.end(),
                                        [](const auto& a, const auto& b) { return a.true_distance < b.true_distance; });
  if (nearest == candidates.end()) return;
  const double farthest = reach * nearest->true_distance;
  std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.true_distance > farthest; });
  std::make_heap(candidates.begin(), candidates.end(), is_farther);
}

// A piece smaller than its distance to the bones (a button, an eye, a bolt) would get an even mixture of all bones
// around it; it follows the one that most of it sees, nearer vertices counting more.
void make_small_pieces_rigid(const BindInput& input, const std::vector<double>& distance,
                             std::vector<std::vector<HeatSource>>& found) {
  struct Piece {
    AABBf box;
    double distance = 0, seeing = 0;
    std::map<int, double> votes;
  };
  std::vector<Piece> pieces(input.components.count);
  for (std::size_t v = 0; v < found.size(); ++v) {
    Piece& piece = pieces[input.components.component_of[v]];
    piece.box.extend(input.mesh.positions[v]);
    if (found[v].empty()) continue;
    piece.distance += distance[v];
    piece.seeing += 1;
    for (const HeatSource& source : found[v]) piece.votes[source.joint] += source.share / std::max(distance[v], 1e-9);
  }
  for (std::size_t v = 0; v < found.size(); ++v) {
    const Piece& piece = pieces[input.components.component_of[v]];
    if (found[v].empty() || piece.box.diagonal().norm() * piece.seeing > piece.distance) continue;
    const auto best = std::max_element(piece.votes.begin(), piece.votes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    found[v] = {{best->first, 1.0}};
  }
}

}  // namespace

HeatSources find_heat_sources(const BindInput& input, const Progress& progress) {
  constexpr double tie = 1e-4;    // of the distance
  constexpr int most_tries = 12;  // a vertex in a crumpled fold that sees none of these takes its neighbours' heat
  const Sight sight(input);
  const std::size_t count = input.vertex_count();
  std::vector<std::vector<HeatSource>> found(count);
  HeatSources result;
  result.distance.assign(count, std::numeric_limits<double>::infinity());
  const char* const stage = "tracing which bones each vertex sees";
  parallel_for(count, 256, progress, stage, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate> candidates;
    for (std::size_t v = begin; v < end; ++v) {
      const auto vertex = static_cast<std::uint32_t>(v);
      rank_bones(input, vertex, candidates);
      std::vector<HeatSource>& list = found[v];
      for (int tried = 0; tried < most_tries && !candidates.empty(); ++tried) {
        const Candidate candidate = candidates.front();
        std::pop_heap(candidates.begin(), candidates.end(), is_farther);
        candidates.pop_back();
        if (!list.empty() && candidate.distance > result.distance[v] * (1 + tie)) break;
        if (!sight.sees(vertex, candidate.point)) continue;
        if (list.empty()) result.distance[v] = candidate.distance;
        const int joint = input.bones[candidate.bone].joint;
        if (std::none_of(list.begin(), list.end(), [&](const HeatSource& s) { return s.joint == joint; })) {
          list.push_back({joint, 1.0});
        }
      }
      for (HeatSource& source : list) source.share = 1.0 / static_cast<double>(list.size());
    }
  });
  if (!input.mesh.is_point_cloud()) make_small_pieces_rigid(input, result.distance, found);
  result.begin.push_back(0);
  for (const auto& list : found) {
    result.sources.insert(result.sources.end(), list.begin(), list.end());
    result.begin.push_back(result.sources.size());
  }
  progress(1.0, stage);
  return result;
}

}  // namespace sinew
