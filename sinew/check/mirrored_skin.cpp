#include "sinew/check/mirrored_skin.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

constexpr double joint_tolerance = 0.015;   // of the diagonal
constexpr double vertex_tolerance = 0.002;  // of the diagonal: modelled by mirroring, then rounded
constexpr double least_matched = 0.8;       // of the vertices; an eye patch or a bag does not end the symmetry

Vec3d reflect(const MirroredSkin& mirrored, const Vec3d& point) {
  return point - 2 * (point.dot(mirrored.normal) - mirrored.offset) * mirrored.normal;
}

int depth_of(const Skeleton& skeleton, int joint) {
  int depth = 0;
  while ((joint = skeleton.parents[static_cast<std::size_t>(joint)]) >= 0) ++depth;
  return depth;
}

// The plane between joints that are each other's counterpart by role; between the halves of the mesh without any.
void place_plane(const CheckedSkin& skin, MirroredSkin& mirrored) {
  const Skeleton& skeleton = skin.character.skeleton;
  mirrored.normal = body_frame(skeleton, skin.roles).left;
  double sum = 0;
  int pairs = 0;
  for (int a = 0; a < skin.joint_count(); ++a) {
    if (skin.roles[static_cast<std::size_t>(a)].side != BodySide::left) continue;
    JointIdentity wanted = skin.roles[static_cast<std::size_t>(a)];
    wanted.side = BodySide::right;
    const auto b = std::find(skin.roles.begin(), skin.roles.end(), wanted);
    if (b == skin.roles.end() || std::count(skin.roles.begin(), skin.roles.end(), wanted) != 1) continue;
    const int other = static_cast<int>(b - skin.roles.begin());
    sum += 0.5 * (skeleton.position(a) + skeleton.position(other)).dot(mirrored.normal);
    ++pairs;
  }
  mirrored.offset = pairs > 0 ? sum / pairs : bounding_box(skin.mesh).center().cast<double>().dot(mirrored.normal);
  // Studios mirror about an axis plane through the origin; joints are seldom placed as exactly as that.
  int axis = 0;
  if (mirrored.normal.cwiseAbs().maxCoeff(&axis) > 0.99) {
    mirrored.normal = std::copysign(1.0, mirrored.normal[axis]) * Vec3d::Unit(axis);
    if (std::abs(mirrored.offset) < joint_tolerance * skin.diagonal) mirrored.offset = 0;
  }
}

bool match_joints(const CheckedSkin& skin, MirroredSkin& mirrored) {
  const Skeleton& skeleton = skin.character.skeleton;
  mirrored.joints.assign(skeleton.names.size(), -1);
  const double tolerance = joint_tolerance * skin.diagonal;
  for (int joint = 0; joint < skin.joint_count(); ++joint) {
    const std::size_t own = static_cast<std::size_t>(joint);
    const Vec3d image = reflect(mirrored, skeleton.position(joint));
    const BodySide side = skin.roles[own].side;
    double nearest = tolerance;
    for (int other = 0; other < skin.joint_count(); ++other) {
      const std::size_t its = static_cast<std::size_t>(other);
      const bool opposite = side == BodySide::centre
                                ? skin.roles[its].side == BodySide::centre
                                : skin.roles[its].side != side && skin.roles[its].side != BodySide::centre;
      if (!opposite || skin.roles[its].role != skin.roles[own].role) continue;
      // Sides branch off: what hangs on a joint is not its image, like the two ends of a rope.
      if (other != joint && (hangs_on(skeleton.parents, other, joint) || hangs_on(skeleton.parents, joint, other)))
        continue;
      double distance = (skeleton.position(other) - image).norm();
      // Several joints at one place: the counterpart has the same place in its chain.
      if (depth_of(skeleton, other) != depth_of(skeleton, joint)) distance += 0.5 * tolerance;
      if (skin.drives[its] != skin.drives[own]) distance += 0.4 * tolerance;
      if (distance < nearest) nearest = distance, mirrored.joints[own] = other;
    }
  }
  // A counterpart is mutual. Joints without one are left out, as long as they are few.
  std::size_t driving = 0, matched = 0, pairs = 0;
  for (int joint = 0; joint < skin.joint_count(); ++joint) {
    int& image = mirrored.joints[static_cast<std::size_t>(joint)];
    if (image >= 0 && mirrored.joints[static_cast<std::size_t>(image)] != joint) image = -1;
    driving += skin.drives[static_cast<std::size_t>(joint)];
    matched += skin.drives[static_cast<std::size_t>(joint)] && image >= 0;
    pairs += skin.drives[static_cast<std::size_t>(joint)] && image > joint;
  }
  return pairs > 0 && matched >= least_matched * static_cast<double>(driving);
}

bool match_vertices(const CheckedSkin& skin, MirroredSkin& mirrored) {
  const NearestPoints points(skin.mesh.positions);
  mirrored.vertices.assign(skin.vertex_count(), MirroredSkin::no_image);
  const double tolerance = vertex_tolerance * skin.diagonal;
  parallel_for(skin.vertex_count(), 512, [&](std::size_t begin, std::size_t end) {
    std::vector<NearPoint> near;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      points.within(reflect(mirrored, skin.position(vertex)).cast<float>(), tolerance, near);
      if (near.empty()) continue;
      const auto nearest = std::min_element(
          near.begin(), near.end(), [](const NearPoint& a, const NearPoint& b) { return a.distance < b.distance; });
      mirrored.vertices[vertex] = nearest->index;
      // Of several at one place (layers of cloth) the one that suits best, so that none is blamed for another.
      double smallest = 2;
      for (const NearPoint& point : near) {
        if (point.distance > nearest->distance + 1e-5 * skin.diagonal) continue;
        const double apart =
            magnitude(difference(weights_of(skin, vertex), image_weights(skin, mirrored, point.index)));
        if (apart < smallest) smallest = apart, mirrored.vertices[vertex] = point.index;
      }
    }
  });
  const auto missing = std::count(mirrored.vertices.begin(), mirrored.vertices.end(), MirroredSkin::no_image);
  return static_cast<double>(missing) <= (1 - least_matched) * static_cast<double>(skin.vertex_count());
}

}  // namespace

WeightList image_weights(const CheckedSkin& skin, const MirroredSkin& mirrored, std::uint32_t vertex) {
  WeightList list = weights_of(skin, vertex);
  for (Influence& entry : list) {
    const int image = mirrored.joints[entry.joint];
    if (image < 0) return {};
    entry.joint = static_cast<std::uint16_t>(image);
  }
  std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  return list;
}

std::optional<MirroredSkin> find_mirrored_skin(const CheckedSkin& skin) {
  MirroredSkin mirrored;
  place_plane(skin, mirrored);
  if (!match_joints(skin, mirrored) || !match_vertices(skin, mirrored)) return std::nullopt;
  return mirrored;
}

}  // namespace sinew
