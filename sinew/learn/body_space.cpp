#include "sinew/learn/body_space.h"

#include <algorithm>
#include <cmath>

#include "sinew/error.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

double area_of(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3d a = mesh.positions[t[0]].cast<double>();
  const Vec3d b = mesh.positions[t[1]].cast<double>() - a, c = mesh.positions[t[2]].cast<double>() - a;
  const double area = 0.5 * b.cross(c).norm();
  return std::isfinite(area) ? area : 0.0;
}

}  // namespace

BodySpace body_space(const TriangleMesh& mesh, const BodyFrame& frame) {
  BodySpace space;
  space.axes << frame.left.transpose(), frame.up.transpose(), frame.forward.transpose();
  Vec3d centre = Vec3d::Zero();
  double sum = 0, low = 1e300, high = -1e300;
  for (const Triangle& t : mesh.triangles) {
    const double area = area_of(mesh, t);
    if (area <= 0) continue;
    for (const std::uint32_t corner : t) {
      const Vec3d p = mesh.positions[corner].cast<double>();
      centre += area / 3 * p;
      low = std::min(low, p.dot(frame.up));
      high = std::max(high, p.dot(frame.up));
    }
    sum += area;
  }
  if (sum <= 0 || !(high > low)) throw Error(ErrorCode::mesh_degenerate, "the mesh has no surface");
  centre /= sum;
  space.origin = centre + (low - centre.dot(frame.up)) * frame.up;
  space.height = high - low;
  return space;
}

TriangleMesh to_body_space(const TriangleMesh& mesh, const BodySpace& space) {
  TriangleMesh result;
  result.triangles = mesh.triangles;
  result.positions.reserve(mesh.positions.size());
  for (const Vec3f& p : mesh.positions) result.positions.push_back(space.to_body(p.cast<double>()).cast<float>());
  const Weld weld = weld_positions(result.positions);
  const TriangleMesh welded = welded_mesh(result, weld);
  const std::vector<Vec3f> normals = vertex_normals(welded.positions, welded.triangles);
  result.normals.reserve(result.positions.size());
  for (const std::uint32_t vertex : weld.welded_of) result.normals.push_back(normals[vertex]);
  return result;
}

std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, std::size_t count, Random& random) {
  std::vector<double> up_to;
  up_to.reserve(mesh.triangles.size());
  double sum = 0;
  for (const Triangle& t : mesh.triangles) up_to.push_back(sum += area_of(mesh, t));
  std::vector<SurfaceSample> samples;
  if (!(sum > 0)) return samples;
  samples.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Stratified: one sample in every equal share of the area.
    const double wanted = sum * (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    const auto found = std::upper_bound(up_to.begin(), up_to.end(), wanted);
    SurfaceSample sample;
    sample.triangle = static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - up_to.begin(), static_cast<std::ptrdiff_t>(up_to.size()) - 1));
    const double root = std::sqrt(random.uniform()), along = random.uniform();
    sample.share = {static_cast<float>(1 - root), static_cast<float>(root * (1 - along)),
                    static_cast<float>(root * along)};
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace sinew
