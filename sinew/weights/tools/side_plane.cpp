#include "sinew/weights/tools/side_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr std::size_t most_probes = 4000;
constexpr double near_an_axis = 0.996;    // cosine of 5°
constexpr double cap = 0.01;              // of the diagonal: vertices without counterpart count no more than this
constexpr double near_the_joints = 0.02;  // of the diagonal: no other plane is meant
constexpr double clearly_better = 1 - 1e-3;

double misfit(const TriangleMesh& mesh, const NearestPoints& points, const SidePlane& plane, double diagonal) {
  const std::size_t step = std::max<std::size_t>(1, mesh.vertex_count() / most_probes);
  const std::size_t probes = (mesh.vertex_count() + step - 1) / step;
  const double sum = parallel_sum(probes, 256, [&](std::size_t begin, std::size_t end) {
    double part = 0;
    for (std::size_t i = begin; i < end; ++i) {
      NearPoint near;
      const bool found = points.nearest(plane.image(mesh.positions[i * step]), near, cap * diagonal);
      part += found ? near.distance : cap * diagonal;
    }
    return part;
  });
  return sum / static_cast<double>(std::max<std::size_t>(probes, 1));
}

}  // namespace

SidePlane find_side_plane(const TriangleMesh& mesh, const JointMirror& joints) {
  std::vector<SidePlane> candidates{{joints.normal, joints.offset}};
  const double diagonal = bounding_diagonal(mesh);
  int axis = 0;
  if (joints.normal.cwiseAbs().maxCoeff(&axis) > near_an_axis) {
    const Vec3d normal = (joints.normal[axis] > 0 ? 1.0 : -1.0) * Vec3d::Unit(axis);
    const Vec3d middle = bounding_box(mesh).center().cast<double>();
    for (const double offset : {joints.offset, 0.0, middle.dot(normal)}) {
      if (std::abs(offset - joints.offset) <= near_the_joints * diagonal) candidates.push_back({normal, offset});
    }
  }
  const NearestPoints points(mesh.positions);
  SidePlane best = candidates.front();
  double least = std::numeric_limits<double>::infinity();
  for (const SidePlane& plane : candidates) {
    const double own = misfit(mesh, points, plane, diagonal);
    if (own >= clearly_better * least) continue;
    least = own;
    best = plane;
  }
  return best;
}

}  // namespace sinew
