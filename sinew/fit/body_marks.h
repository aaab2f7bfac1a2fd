// Places of a body that a person pointed at (FitMarker): which joints they are, and whether they can all be meant.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/fit.h"

namespace sinew {

class SolidDomain;

// By part of the body. Shoulder, elbow, wrist and fingertip (of an animal, of its front legs); hip, knee, ankle, and
// where the toes begin. The first index is 0 for left, 1 for right.
struct BodyMarks {
  using Limb = std::array<std::optional<Vec3d>, 4>;
  std::array<Limb, 2> arms, legs;
  // No joints, but places that tell where the head and the hips are.
  std::optional<Vec3d> chin, groin;
  std::optional<Vec3d> head, neck, chest, pelvis;
  // Joints of the skeleton by name, which say nothing about how the mesh is read.
  std::vector<HeldJoint> joints;

  bool has_sides() const;  // whether left or right of anything is marked
  // Whether anything tells how the mesh is read.
  bool any() const;
  // Places high in a body that stands on two legs, and low ones.
  std::vector<Vec3d> upper() const, lower() const;
};

// Looks the names up and finds what lies behind places on the skin. Throws Error(usage) for names that are neither
// markers nor joints, the same one twice, two joints at one place, and places outside the mesh.
BodyMarks sort_markers(const std::vector<FitMarker>& markers, const TriangleMesh& mesh, const Skeleton& skeleton);

// The joints that stand on marks. `without`: receives the names of marked joints that the skeleton does not have.
std::vector<HeldJoint> held_by_marks(const BodyMarks& marks, const Skeleton& skeleton,
                                     const std::vector<JointIdentity>& joints, std::vector<std::string>& without);

// Adds to every limb what only the other one has, mirrored at a plane. `normal`: unit length.
BodyMarks with_mirrored_limbs(BodyMarks marks, const Vec3d& point, const Vec3d& normal);

// Which axis is up in a body that has its head above its legs; zero where the marks do not tell.
Vec3d up_of_marks(const BodyMarks& marks);
// From right to left, across `up`, unit length; zero where no part of the body is marked on both sides. Throws
// Error(usage) when left and right of one part are the other way round than those of another one.
Vec3d left_of_marks(const BodyMarks& marks, const Vec3d& up);
// Names the mark when left or right of a body lie on its other side. Wrists and fingertips may where the rest of the arm
// is marked: arms can be crossed.
std::optional<Error> swapped_side(const BodyMarks& marks, const Vec3d& middle, const BodyFrame& frame, double height);

// "wrist.L".
std::string mark_name(bool leg, int part, int side);

}  // namespace sinew
