#include "sinew/weights/heat_sources.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

static double env(const char* n, double d) {
  const char* s = std::getenv(n);
  return s ? std::atof(s) : d;
}

// Rays of one component's own triangles through a scene that holds all of them.
class Sight {
 public:
  explicit Sight(const BindInput& input) : input_(input), scene_(input.mesh.positions, input.mesh.triangles) {}

  // Whether the straight way from a vertex to a point is free of the vertex's own piece of the mesh.
  bool sees(std::uint32_t vertex, const Vec3d& point) const {
    if (input_.mesh.is_point_cloud()) return true;
    const Vec3f from = input_.mesh.positions[vertex];
    const Vec3f way = point.cast<float>() - from;
    static const float last = env("H_FAR", 0.98);
    static const bool all = env("H_ALL", 0) > 0;
    float near = 1e-5f;
    for (int crossed = 0; crossed < 64; ++crossed) {
      RayHit hit;
      if (!scene_.intersect(from, way, hit, near, last)) return true;
      const Triangle& t = input_.mesh.triangles[hit.triangle];
      const bool touches = t[0] == vertex || t[1] == vertex || t[2] == vertex;
      const bool own = input_.components.component_of[t[0]] == input_.components.component_of[vertex];
      if (!touches && (own || all)) return false;
      near = std::nextafter(hit.distance, 2.0f) + 1e-6f;
    }
    return false;
  }

 private:
  const BindInput& input_;
  RayScene scene_;
};

struct Candidate {
  double distance;  // lengthened for bones that the surface faces
  double straight;
  std::size_t bone;
  Vec3d point;
};

void rank_bones(const BindInput& input, std::uint32_t vertex, std::vector<Candidate>& candidates) {
  const Vec3d p = input.mesh.positions[vertex].cast<double>();
  const Vec3d normal = input.normals[vertex].cast<double>();
  static const double F = env("H_FACING", 1);
  candidates.clear();
  for (std::size_t b = 0; b < input.bones.size(); ++b) {
    const PointOnBone closest = closest_point_on_bone(input.bones[b], p);
    const Vec3d away = p - closest.position;
    const double cosine = closest.distance > 0 ? away.dot(normal) / closest.distance : 1.0;
    const double facing = normal == Vec3d::Zero() ? 1.0 : 0.5 * (cosine + 1.001);
    candidates.push_back({closest.distance / std::pow(facing, F), closest.distance, b, closest.position});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.bone < b.bone;
  });
}

}  // namespace

HeatSources find_heat_sources(const BindInput& input, const Progress& progress) {
  constexpr double tie = 1e-4;  // of the distance
  const Sight sight(input);
  const std::size_t count = input.vertex_count();
  std::vector<std::vector<HeatSource>> found(count);
  HeatSources result;
  result.distance.assign(count, std::numeric_limits<double>::infinity());
  progress(0.0, "tracing which bones each vertex sees");
  parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate> candidates;
    for (std::size_t v = begin; v < end; ++v) {
      const auto vertex = static_cast<std::uint32_t>(v);
      rank_bones(input, vertex, candidates);
      double nearest = -1;
      for (const Candidate& candidate : candidates) {
        if (nearest >= 0 && candidate.distance > nearest * (1 + tie)) break;
        if (!sight.sees(vertex, candidate.point)) continue;
        if (nearest < 0) nearest = candidate.distance;
        const int joint = input.bones[candidate.bone].joint;
        auto& list = found[v];
        if (std::none_of(list.begin(), list.end(), [&](const HeatSource& s) { return s.joint == joint; })) {
          list.push_back({joint, 1.0});
        }
      }
      if (nearest >= 0) result.distance[v] = nearest;
      for (HeatSource& source : found[v]) source.share = 1.0 / static_cast<double>(found[v].size());
    }
  });
  result.begin.push_back(0);
  for (const auto& list : found) {
    result.sources.insert(result.sources.end(), list.begin(), list.end());
    result.begin.push_back(result.sources.size());
  }
  progress(1.0, "tracing which bones each vertex sees");
  return result;
}

}  // namespace sinew
