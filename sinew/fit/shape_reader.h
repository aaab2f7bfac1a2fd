// How body_shape.h reads a body: what two-legged and four-legged ones share, and the one reader of each. Internal.
#pragma once

#include <limits>
#include <map>

#include "sinew/fit/body_shape.h"

namespace sinew {

struct BodyMarks;

struct TipPair {
  int a = 0, b = 0;  // indices of tips
  double height = 0, prominence = 0;
};

struct MirrorCandidate {
  Vec3d up = Vec3d::Zero(), across = Vec3d::Zero();  // unit length
  Vec3d middle = Vec3d::Zero();                      // a point of the plane
  double symmetry = 0;
};

class ShapeReader {
 public:
  ShapeReader(const VoxelSolid& solid, const BodyShapeOptions& options);

  // The axes that may be up, the usual one first.
  std::vector<Vec3d> possible_ups() const;
  // Every way to read the mesh as a body that stands along `up`: which pairs of tips are hands and feet, which end of an
  // animal is its head. The likeliest first; a two-legged body faces as its feet tell. Throws Error(bad_input) saying
  // what was not found when there is none.
  std::vector<BodyShape> readings_along(const Vec3d& up);
  // How much of a body the last call found: 0 none, 1 a body that stands, 2 its legs, 3 arms too.
  int limbs_found() const { return limbs_found_; }
  // All prominent ends of the mesh.
  std::vector<BodyTip> tips() const;
  BodyShape run();
  // A two-legged body of what a person marked, with the proportions of most people where neither marks nor mesh tell.
  // Throws Error(bad_input) when neither elbow nor wrist of an arm are marked, Error(usage) when a side is swapped.
  BodyShape two_legged_by_marks(const Vec3d& up, const BodyMarks& marks, bool symmetric);

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  Vec3d tip(int i) const { return solid_.position(tips_[i].voxel); }
  double height_of(const Vec3d& p) const { return (p - frame_.middle).dot(frame_.up); }
  double side_of(const Vec3d& p) const { return (p - frame_.middle).dot(frame_.across); }

  // A deep voxel near the centre of mass.
  void choose_core();
  void choose_mirror(const Vec3d& up);
  double symmetry(const MirrorCandidate& candidate) const;
  // Limbs that touch (heels, a hand on a hip) show one tip or none of two: where the mirror image of a tip is as far
  // from the core, there is the other one.
  void add_mirrored_tips();
  std::vector<TipPair> mirrored_pairs() const;
  LimbCurve way_from(std::uint32_t voxel) const;
  // The part of a way between two distances along it, seen from the trunk: root first.
  static LimbCurve outer_part(const LimbCurve& way, double length);
  // How far from its tip a limb ends: where the front of equal distance from the tip suddenly grows. `growth`: factor
  // over the limb's usual cross-section. Returns 0 when it never does.
  double limb_length(std::uint32_t tip_voxel, double growth, double* contrast);
  double measure_limb(std::uint32_t tip_voxel, double growth, double* contrast) const;
  // Middle of the body's slice at a height, on the mirror plane.
  Vec3d trunk_centre(double height) const;
  static void smooth(LimbCurve& curve);

  // Two legs: body_shape_two_legs.cpp.
  std::vector<BodyShape> read_two_legged();
  BodyShape two_legged_of(const TipPair& feet, const TipPair& hands, const BodyShape& facing);
  // Feet point forwards: from the leg just above the ankle to the whole foot.
  void find_facing(BodyShape& shape);
  void read_arms(const std::array<int, 2>& hand, BodyShape& shape);
  // A shoulder that stands too far out beside the chest, moved along its arm by at most `most`.
  Vec3d not_beside_the_chest(const Vec3d& shoulder, const Vec3d& inwards, double most) const;
  // How far the trunk reaches from the mirror plane to the nearer side at a height; arms that touch it count too.
  double half_width(double height) const;
  // The curve with its first 45 % replaced by the straight way from a shoulder.
  static std::vector<Vec3d> straightened(const LimbCurve& arm, const Vec3d& shoulder);
  // Lowest place where both halves of the body are one; looked for between the voxels, because thighs nearly touch.
  double crotch_height(double shoulder, bool& found) const;
  void read_legs(const std::array<int, 2>& foot, double shoulder, BodyShape& shape);
  void read_trunk(double shoulder, BodyShape& shape);

  // Four legs: body_shape_four_legs.cpp.
  std::vector<BodyShape> read_four_legged();
  BodyShape four_legged_of(const TipPair& front, const TipPair& back, int head, const Vec3d& forward, double split);
  // The tip at the other end of the trunk than the head, or -1.
  int find_tail(int head, const Vec3d& forward, double split) const;
  // How thick the end of the body is that a tip stands on.
  double thickness_at(std::uint32_t voxel) const;
  void read_animal_trunk(int head, int tail, BodyShape& shape);
  std::array<double, 2> belly_and_back(Vec3d place) const;

  // By marks: body_shape_marked.cpp.
  void centre_mirror_on(const BodyMarks& marks);
  void face_as_marked(const BodyMarks& marks, BodyShape& shape) const;
  double marked_groin(const BodyMarks& marks) const;
  void read_marked_legs(const BodyMarks& marks, double groin, double trunk, BodyShape& shape) const;
  void read_marked_arms(const BodyMarks& marks, double groin, double trunk, BodyShape& shape) const;
  // Of the mesh, within `most`; -1 when there is none.
  int tip_near(const Vec3d& place, double most) const;
  // Through the middle of the body; straight where there is no way inside.
  LimbCurve way_between(const Vec3d& from, const Vec3d& to) const;

  const VoxelSolid& solid_;
  BodyShapeOptions options_;
  Vec3d centroid_ = Vec3d::Zero();
  double diagonal_ = 0, height_ = 0;
  std::uint32_t core_ = 0;
  std::vector<double> from_core_, centred_;
  std::vector<std::uint32_t> came_from_;
  std::vector<VoxelSolid::Tip> tips_;  // those found, then mirror images
  std::size_t found_tips_ = 0;
  int limbs_found_ = 0;  // along the present up axis
  MirrorCandidate frame_;
  std::vector<std::vector<std::uint32_t>> slices_;  // voxels by their height along the present up axis, in cells
  struct MeasuredLimb {
    double length = 0, contrast = 0;
  };
  std::map<std::pair<std::uint32_t, double>, MeasuredLimb> measured_;  // by tip and growth
};

}  // namespace sinew
