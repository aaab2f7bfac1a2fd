// A mesh as fitting and recognising look at it: its inside as voxels and curves, and what the networks see. Each is made
// when it is first asked for and kept, because several readers ask for the same.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sinew/fit/curve_skeleton.h"
#include "sinew/fit/neural_shape.h"
#include "sinew/fit/voxel_solid.h"

namespace sinew {

class MeshViews {
 public:
  // Both must outlive this. `eyes`: networks that look at it; null, or a point cloud: none do.
  explicit MeshViews(const TriangleMesh& mesh, const FitModel* eyes = &FitModel::shipped());

  const TriangleMesh& mesh() const { return mesh_; }
  const FitModel* eyes() const { return eyes_; }

  // Throws Error(bad_input) when the mesh has no inside.
  std::shared_ptr<const VoxelSolid> solid(int cells);
  const CurveSkeleton& curve(int cells);
  // What the networks see along an axis; null where there are none, or nothing to see. The pointer stays valid.
  const NetworkLook* look(const Vec3d& up);
  double look_seconds() const { return look_seconds_; }  // spent in the networks

 private:
  const TriangleMesh& mesh_;
  const FitModel* eyes_;
  std::map<int, std::shared_ptr<const VoxelSolid>> solids_;
  std::map<int, CurveSkeleton> curves_;
  struct Look {
    Vec3d up = Vec3d::Zero();
    std::unique_ptr<NetworkLook> seen;
  };
  std::vector<Look> looks_;
  double look_seconds_ = 0;
};

}  // namespace sinew
