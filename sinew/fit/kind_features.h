// What can be said about the inside of a mesh in numbers: what the recogniser (recogniser.h) decides on.
//
// Lengths are in diagonals of the box, places in shares of it, so the size of the file does not matter. Nothing here
// depends on how the mesh is triangulated.
#pragma once

#include <vector>

#include "sinew/fit/mesh_views.h"

namespace sinew {

// A mesh's inside, ready to be measured along any axes. The views must outlive it.
class SeenBody {
 public:
  // Throws Error(bad_input) when the mesh has no inside.
  SeenBody(MeshViews& views, int cells);

  const VoxelSolid& solid() const { return *solid_; }
  const CurveSkeleton& curve() const { return curve_; }
  const NetworkLook* look(const Vec3d& up) const { return views_.look(up); }
  const Vec3d& centroid() const { return centroid_; }

 private:
  MeshViews& views_;
  std::shared_ptr<const VoxelSolid> solid_;
  const CurveSkeleton& curve_;
  Vec3d centroid_ = Vec3d::Zero();
};

// How the body stands if `up` is up. All vectors have unit length.
inline constexpr int up_feature_count = 27;
std::vector<float> up_features(const SeenBody& body, const Vec3d& up);

// The mirror plane whose normal is level: along the other axes, or between two tips of limbs.
MirrorPlane level_mirror_plane(const SeenBody& body, const Vec3d& up);

// What speaks for a body that faces along frame.forward, and not the other way.
inline constexpr int forward_feature_count = 22;
std::vector<float> forward_features(const SeenBody& body, const BodyFrame& frame);

// What kind of body stands in this frame. `symmetry`: across its mirror plane.
inline constexpr int kind_feature_count = 146;
std::vector<float> kind_features(const SeenBody& body, const BodyFrame& frame, double symmetry);

}  // namespace sinew
