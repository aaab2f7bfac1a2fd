#include "sinew/fit/ball_joints.h"

#include <algorithm>
#include <cmath>

#include "sinew/mesh/components.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

double distance_to_polyline(const Vec3d& p, const std::vector<Vec3d>& line) {
  double nearest = 1e300;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec3d along = line[i + 1] - line[i];
    const double t = std::clamp((p - line[i]).dot(along) / std::max(along.squaredNorm(), 1e-300), 0.0, 1.0);
    nearest = std::min(nearest, (line[i] + t * along - p).norm());
  }
  return nearest;
}

// Each of the first three joints of a limb goes to the ball nearest to it, and every ball takes one joint.
template <std::size_t N>
void settle_limb(const std::vector<BallJoint>& balls, double height, const std::vector<Vec3d>& line,
                 std::array<Vec3d, N>& joints, std::array<double, N>& confidence) {
  struct Pairing {
    double away;
    std::size_t joint, ball;
  };
  std::vector<Pairing> pairings;
  for (std::size_t b = 0; b < balls.size(); ++b) {
    if (distance_to_polyline(balls[b].centre, line) > 1.5 * balls[b].radius) continue;
    for (std::size_t j = 0; j < 3; ++j) {
      const double away = (joints[j] - balls[b].centre).norm();
      if (away < 0.08 * height) pairings.push_back({away, j, b});
    }
  }
  std::sort(pairings.begin(), pairings.end(), [](const Pairing& a, const Pairing& b) { return a.away < b.away; });
  std::array<char, 3> settled{};
  std::vector<char> taken(balls.size(), 0);
  for (const Pairing& pairing : pairings) {
    if (settled[pairing.joint] || taken[pairing.ball]) continue;
    settled[pairing.joint] = taken[pairing.ball] = 1;
    joints[pairing.joint] = balls[pairing.ball].centre;
    confidence[pairing.joint] = std::max(confidence[pairing.joint], 0.9);
  }
}

}  // namespace

std::vector<BallJoint> find_ball_joints(const TriangleMesh& mesh, double height) {
  std::vector<BallJoint> balls;
  const TriangleMesh welded = welded_mesh(mesh, weld_positions(mesh.positions));
  const Components pieces = connected_components(welded.positions.size(), welded.triangles);
  std::vector<AABBd> boxes(pieces.count);
  for (std::size_t v = 0; v < welded.positions.size(); ++v) {
    boxes[pieces.component_of[v]].extend(Vec3d(welded.positions[v].cast<double>()));
  }
  std::vector<double> nearest(boxes.size(), 1e300), furthest(boxes.size(), 0);
  for (std::size_t v = 0; v < welded.positions.size(); ++v) {
    const std::size_t piece = pieces.component_of[v];
    furthest[piece] = std::max(furthest[piece], (welded.positions[v].cast<double>() - boxes[piece].center()).norm());
  }
  // All corners of a cube are equally far from its middle, the faces are not.
  for (const Triangle& t : welded.triangles) {
    const std::size_t piece = pieces.component_of[t[0]];
    const Vec3f sum = welded.positions[t[0]] + welded.positions[t[1]] + welded.positions[t[2]];
    nearest[piece] = std::min(nearest[piece], (sum.cast<double>() / 3 - boxes[piece].center()).norm());
  }
  for (std::size_t piece = 0; piece < boxes.size(); ++piece) {
    const Vec3d size = boxes[piece].sizes();
    const double radius = 0.5 * size.maxCoeff();
    const bool round = size.minCoeff() > 0.75 * size.maxCoeff() && nearest[piece] > 0.72 * furthest[piece];
    if (round && radius > 0.007 * height && radius < 0.06 * height) balls.push_back({boxes[piece].center(), radius});
  }
  return balls;
}

void settle_in_balls(const std::vector<BallJoint>& balls, BodyShape& shape) {
  if (balls.empty() || shape.on_all_fours) return;
  for (int side = 0; side < 2; ++side) {
    settle_limb(balls, shape.height, shape.arms[side].points, shape.arm_joints[side], shape.arm_confidence[side]);
    settle_limb(balls, shape.height, shape.legs[side].points, shape.leg_joints[side], shape.leg_confidence[side]);
  }
}

}  // namespace sinew
