#include "sinew/fit/mesh_views.h"

#include <chrono>

namespace sinew {

MeshViews::MeshViews(const TriangleMesh& mesh, const FitModel* eyes)
    : mesh_(mesh), eyes_(mesh.is_point_cloud() ? nullptr : eyes) {}

std::shared_ptr<const VoxelSolid> MeshViews::solid(int cells) {
  std::shared_ptr<const VoxelSolid>& known = solids_[cells];
  if (!known) known = std::make_shared<const VoxelSolid>(mesh_, cells);
  return known;
}

const CurveSkeleton& MeshViews::curve(int cells) {
  const auto known = curves_.find(cells);
  if (known != curves_.end()) return known->second;
  return curves_.emplace(cells, curve_skeleton(*solid(cells))).first->second;
}

const NetworkLook* MeshViews::look(const Vec3d& up) {
  if (!eyes_) return nullptr;
  for (const Look& known : looks_) {
    if (known.up == up) return known.seen.get();
  }
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<NetworkLook> seen;
  try {
    seen = std::make_unique<NetworkLook>(look_along(mesh_, *eyes_, up));
  } catch (const Error& problem) {
    if (problem.code() != ErrorCode::mesh_degenerate) throw;  // flat along this axis, or without any surface
  }
  looks_.push_back({up, std::move(seen)});
  look_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return looks_.back().seen.get();
}

}  // namespace sinew
