#include "sinew/weights/skincells_body.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew::skincells {
namespace {

constexpr float margin = 0.5f;  // loss units that a garment keeps from the skin
constexpr float reach = 12.0f;  // a point further from the skin than this is not inside a limb
constexpr std::size_t most_points = 4000;

std::vector<int> joints_by_name(const Character& body, const Skeleton& skeleton) {
  std::vector<int> joints;
  for (const std::string& name : body.skeleton.names) joints.push_back(find_joint(skeleton, name));
  return joints;
}

// Skinned vertices of the body near the garment, thinned out.
std::vector<std::uint32_t> vertices_near(const Character& body, const BindInput& input) {
  AABBd box;
  for (const Vec3f& p : input.mesh.positions) box.extend(p.cast<double>() * input.scale + input.centre);
  const Vec3d room = Vec3d::Constant(0.25 * box.diagonal().norm());
  box.extend(box.min() - room);
  box.extend(box.max() + room);
  std::vector<std::uint32_t> near;
  for (std::uint32_t v = 0; v < body.mesh.vertex_count(); ++v) {
    const bool weighted = body.weights.weights[static_cast<std::size_t>(v) * body.weights.influences] > 0;
    if (weighted && box.contains(body.mesh.positions[v].cast<double>())) near.push_back(v);
  }
  if (near.empty()) throw bad_input("the body has no skin near the garment");
  const std::size_t step = (near.size() + most_points - 1) / most_points;
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < near.size(); i += step) kept.push_back(near[i]);
  return kept;
}

}  // namespace

PosedBody::PosedBody(const Character& body, const BindInput& input, const std::vector<Pose>& poses, double to_loss) {
  if (!body.has_skin()) throw bad_input("the body '" + body.name + "' has no weights", "bind it first");
  const std::vector<int> joint_of = joints_by_name(body, input.skeleton);
  const std::vector<std::uint32_t> vertices = vertices_near(body, input);
  const std::vector<Vec3f> normals = vertex_normals(body.mesh.positions, body.mesh.triangles);
  const int influences = body.weights.influences;
  for (std::uint32_t v : vertices) {
    for (int slot = 0; slot < influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(v) * influences + slot;
      if (body.weights.weights[at] > 0 && joint_of[body.weights.joints[at]] < 0) {
        throw bad_input(
            "joint '" + body.skeleton.names[body.weights.joints[at]] + "' of the body is not in the garment's skeleton",
            "garment and body must share a rig");
      }
    }
  }
  std::vector<std::vector<Vec3f>> posed(poses.size()), turned(poses.size());
  parallel_for(poses.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::vector<Affine3d> transforms = skinning_transforms(input.skeleton, poses[p]);
      for (std::uint32_t v : vertices) {
        const Vec3d rest = (body.mesh.positions[v].cast<double>() - input.centre) / input.scale;
        Vec3d position = Vec3d::Zero(), normal = Vec3d::Zero();
        for (int slot = 0; slot < influences; ++slot) {
          const std::size_t at = static_cast<std::size_t>(v) * influences + slot;
          if (!(body.weights.weights[at] > 0)) continue;
          const Affine3d& transform = transforms[joint_of[body.weights.joints[at]]];
          position += body.weights.weights[at] * (transform * rest);
          normal += body.weights.weights[at] * (transform.linear() * normals[v].cast<double>());
        }
        posed[p].push_back((position * to_loss).cast<float>());
        turned[p].push_back(normal.normalized().cast<float>());
      }
    }
  });
  for (std::size_t p = 0; p < poses.size(); ++p) {
    NearestPoints tree(posed[p]);
    skins_.push_back({std::move(posed[p]), std::move(turned[p]), std::move(tree)});
  }
}

double PosedBody::penalty(int pose, const Vec3f& point, Vec3f& by_position) const {
  by_position.setZero();
  const Skin& skin = skins_[pose];
  NearPoint nearest;
  if (!skin.tree.nearest(point, nearest, reach)) return 0.0;
  const Vec3f& normal = skin.normals[nearest.index];
  const float depth = margin - normal.dot(point - skin.positions[nearest.index]);
  if (depth <= 0) return 0.0;
  by_position = -depth * normal;
  return static_cast<double>(depth) * depth;
}

}  // namespace sinew::skincells
