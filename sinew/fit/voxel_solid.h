// The inside of a mesh as voxels: what fitting walks through.
//
// Works on anything solid_domain.h accepts: several pieces, holes, soups, clouds. Pieces that nearly touch are joined
// by bridges of one cell, so that a character in parts has one inside. Positions are in the mesh's space.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

class SolidDomain;

class VoxelSolid {
 public:
  // `cells`: along the longest side of the bounding box. Throws Error(bad_input) when the mesh has no inside.
  explicit VoxelSolid(const TriangleMesh& mesh, int cells = 96);
  ~VoxelSolid();

  std::size_t count() const { return positions_.size(); }
  double cell() const { return cell_; }
  const Vec3d& position(std::uint32_t voxel) const { return positions_[voxel]; }
  // Distance to the nearest outside cell, in the mesh's unit.
  double depth(std::uint32_t voxel) const { return depth_[voxel]; }
  const AABBd& box() const { return box_; }  // of the voxels' centres
  // The surface itself that the voxels were read from.
  const SolidDomain& domain() const { return *domain_; }

  // Whether a place is inside the surface itself, however small the gap beside it.
  bool contains(const Vec3d& place) const;

  // The voxel at a place, or -1.
  std::int64_t at(const Vec3d& place) const;
  // The voxel nearest to a place, within a few cells around it; -1 when there is none.
  std::int64_t near(const Vec3d& place, int cells) const;

  // Length of the shortest way inside the solid from a voxel to every other; infinite where there is none. `centred`:
  // ways through the middle of limbs count as shorter. `came_from`, when given, receives the way back.
  std::vector<double> distances(std::uint32_t from, bool centred,
                                std::vector<std::uint32_t>* came_from = nullptr) const;

  // Tips of limbs: places from which every way back to the start comes nearer to it, by at least `prominence` (in the
  // mesh's unit) before it meets another, further tip. The most prominent first.
  struct Tip {
    std::uint32_t voxel = 0;
    double prominence = 0;
  };
  std::vector<Tip> tips(const std::vector<double>& distance, double prominence) const;

  // The middle of the limb at a place: mean of the voxels in the slice across `direction`, weighted towards the core.
  Vec3d centre_of_slice(const Vec3d& place, const Vec3d& direction) const;

  // Neighbours of a voxel (up to 26).
  template <class Visit>
  void for_neighbours(std::uint32_t voxel, Visit&& visit) const {
    const std::int64_t cell = cell_of_[voxel];
    for (int k = 0; k < 26; ++k) {
      const std::int32_t other = voxel_of_[cell + offsets_[k]];
      if (other >= 0) visit(static_cast<std::uint32_t>(other), lengths_[k]);
    }
  }

 private:
  void fill(std::vector<char>& inside) const;
  void bridge(std::vector<char>& inside) const;
  void measure_depth(const std::vector<char>& inside);

  std::unique_ptr<const SolidDomain> domain_;
  double cell_ = 0;
  Vec3d origin_ = Vec3d::Zero();  // centre of cell (0, 0, 0)
  int size_[3] = {0, 0, 0};
  std::int64_t offsets_[26];
  double lengths_[26];
  std::vector<std::int32_t> voxel_of_;  // per cell, -1 outside
  std::vector<std::int64_t> cell_of_;   // per voxel
  std::vector<Vec3d> positions_;
  std::vector<double> depth_;
  AABBd box_;
};

}  // namespace sinew
