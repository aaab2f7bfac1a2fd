#include "sinew/fit/marked_shape.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double height_in(const BodyShape& shape, const Vec3d& p) { return (p - shape.middle).dot(shape.frame.up); }

// The first N joints of a limb and their marks.
template <std::size_t N>
double furthest_in_limb(const std::array<Vec3d, N>& joints, const BodyMarks::Limb& marks) {
  double furthest = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i]) furthest = std::max(furthest, (joints[i] - *marks[i]).norm());
  }
  return furthest;
}

double distance_to_curve(const Vec3d& place, const LimbCurve& curve) {
  double nearest = 1e300;
  for (int i = 0; i <= 50; ++i) nearest = std::min(nearest, (curve.at(0.02 * i) - place).norm());
  return nearest;
}

template <std::size_t N>
void put_limb(const BodyMarks::Limb& marks, std::array<Vec3d, N>& joints, std::array<double, N>& confidence) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) continue;
    joints[i] = *marks[i];
    confidence[i] = 1;
  }
}

// The middle joint of three follows those beside it by half, unless it is marked itself.
template <std::size_t N>
void move_limb(const BodyMarks::Limb& marks, const VoxelSolid& solid, std::array<Vec3d, N>& joints) {
  Vec3d shift = Vec3d::Zero();
  for (const std::size_t i : {0u, 2u}) {
    if (marks[i]) shift += 0.5 * (*marks[i] - joints[i]);
  }
  if (!marks[1] && shift.norm() > 0) {
    const Vec3d moved = joints[1] + shift;
    const Vec3d along = (marks[2] ? *marks[2] : joints[2]) - (marks[0] ? *marks[0] : joints[0]);
    joints[1] = along.norm() > 0 ? solid.centre_of_slice(moved, along.normalized()) : moved;
  }
}

// Moves a curve's ends and everything between them accordingly.
void shift_ends(LimbCurve& curve, const Vec3d& first, const Vec3d& last) {
  const double count = std::max<double>(1, static_cast<double>(curve.points.size()) - 1);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double share = static_cast<double>(i) / count;
    curve.points[i] += (1 - share) * first + share * last;
  }
}

void move_trunk(const BodyMarks& marks, BodyShape& shape) {
  const Vec3d& up = shape.frame.up;
  Vec3d bottom = Vec3d::Zero(), base = Vec3d::Zero(), skull = Vec3d::Zero();
  if (marks.groin && !marks.legs[0][0] && !marks.legs[1][0]) {
    // Hips stand a fifth of its height above the crotch.
    for (std::array<Vec3d, 5>& leg : shape.leg_joints) {
      const double wanted = 1.12 * height_in(shape, *marks.groin);
      leg[0] += (wanted - height_in(shape, leg[0])) * up;
    }
  }
  const double hips = 0.5 * (height_in(shape, shape.leg_joints[0][0]) + height_in(shape, shape.leg_joints[1][0]));
  if (!shape.trunk.points.empty() && (marks.groin || marks.legs[0][0] || marks.legs[1][0])) {
    bottom = (1.03 * hips - height_in(shape, shape.trunk.points.front())) * up;
  }
  if (marks.head) {
    skull = *marks.head - shape.head.points[1];
  } else if (marks.chin) {
    skull = (height_in(shape, *marks.chin) - height_in(shape, shape.head.points[1])) * up;
  }
  base = marks.neck ? Vec3d(*marks.neck - shape.head.points[0]) : Vec3d(0.5 * skull);
  shift_ends(shape.trunk, bottom, base);
  shape.head.points[0] += base;
  shape.head.points[1] += skull;
}

// An animal's leg runs from where it leaves the trunk through its marks to the ground.
void bend_through(const BodyMarks::Limb& marks, const BodyShape& shape, LimbCurve& curve) {
  std::vector<Vec3d> corners{marks[0].value_or(curve.at(0))};
  for (const std::size_t i : {1u, 2u}) {
    if (marks[i]) corners.push_back(*marks[i]);
  }
  if (corners.size() == 1 && !marks[0]) return;
  if (!marks[1] && !marks[2]) {
    shift_ends(curve, *marks[0] - curve.at(0), Vec3d::Zero());
    return;
  }
  Vec3d end = curve.points.back();
  if (marks[3]) {
    end = *marks[3];
  } else if ((end - corners.back()).norm() > 0.5 * shape.height) {
    end = corners.back() - height_in(shape, corners.back()) * shape.frame.up;
  }
  corners.push_back(end);
  const LimbCurve through{corners};
  curve.points.clear();
  for (int i = 0; i <= 40; ++i) curve.points.push_back(through.at(i / 40.0));
}

}  // namespace

double distance_to_marks(const BodyShape& shape, const BodyMarks& marks) {
  double furthest = 0;
  const auto see = [&](double distance) { furthest = std::max(furthest, distance); };
  for (std::size_t s = 0; s < 2; ++s) {
    if (shape.on_all_fours) {
      for (const auto& [curve, limb] : {std::pair{&shape.arms[s], &marks.arms[s]}, {&shape.legs[s], &marks.legs[s]}}) {
        for (const std::optional<Vec3d>& mark : *limb) {
          if (mark) see(distance_to_curve(*mark, *curve));
        }
      }
      continue;
    }
    see(furthest_in_limb(shape.arm_joints[s], marks.arms[s]));
    see(furthest_in_limb(shape.leg_joints[s], marks.legs[s]));
  }
  const auto see_end = [&](const std::optional<Vec3d>& mark, const LimbCurve& curve, std::size_t i) {
    if (mark && i < curve.points.size()) see((*mark - curve.points[i]).norm());
  };
  if (!shape.on_all_fours) {
    see_end(marks.neck, shape.head, 0);
    see_end(marks.head, shape.head, 1);
    see_end(marks.pelvis, shape.trunk, 0);
    if (marks.chin) see(std::abs(height_in(shape, *marks.chin) - height_in(shape, shape.head.points[1])));
    const double hips = 0.5 * (height_in(shape, shape.leg_joints[0][0]) + height_in(shape, shape.leg_joints[1][0]));
    if (marks.groin) see(std::abs(1.12 * height_in(shape, *marks.groin) - hips));
  } else {
    for (const auto& mark : {marks.head, marks.chin}) {
      if (mark && !shape.head.points.empty()) see(distance_to_curve(*mark, shape.head));
    }
  }
  return furthest / std::max(shape.height, 1e-300);
}

void put_on_marks(const BodyMarks& marks, BodyShape& shape) {
  if (shape.on_all_fours) return;
  for (std::size_t s = 0; s < 2; ++s) {
    put_limb(marks.arms[s], shape.arm_joints[s], shape.arm_confidence[s]);
    put_limb(marks.legs[s], shape.leg_joints[s], shape.leg_confidence[s]);
  }
  if (marks.neck) shape.head.points[0] = *marks.neck;
  if (marks.head) shape.head.points[1] = *marks.head;
}

void move_onto_marks(const BodyMarks& marks, const VoxelSolid& solid, BodyShape& shape) {
  if (shape.on_all_fours) {
    for (std::size_t s = 0; s < 2; ++s) {
      bend_through(marks.arms[s], shape, shape.arms[s]);
      bend_through(marks.legs[s], shape, shape.legs[s]);
    }
    return;
  }
  for (std::size_t s = 0; s < 2; ++s) {
    move_limb(marks.arms[s], solid, shape.arm_joints[s]);
    move_limb(marks.legs[s], solid, shape.leg_joints[s]);
  }
  put_on_marks(marks, shape);
  move_trunk(marks, shape);
  put_on_marks(marks, shape);
  for (std::size_t s = 0; s < 2; ++s) {
    const auto marked = [](const BodyMarks::Limb& limb) {
      return std::any_of(limb.begin(), limb.end(), [](const std::optional<Vec3d>& place) { return place.has_value(); });
    };
    if (marked(marks.arms[s])) shape.arms[s].points.assign(shape.arm_joints[s].begin(), shape.arm_joints[s].end());
    shape.legs[s].points.assign(shape.leg_joints[s].begin(), shape.leg_joints[s].end());
  }
}

}  // namespace sinew
