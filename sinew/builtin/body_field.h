// The shape of a built-in character: a few hand-made solids, melted into one another where flesh would be.
//
// Lofts (a limb, a torso, a head: cross-sections along an axis), ellipsoids (muscles) and round cones (fingers) are put
// together in groups. Inside a group and between groups a smooth union with its own radius decides how softly they
// meet, so that fingers stay apart while an arm flows into a chest. Lengths in metres.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew::builtin {

// One cross-section of a loft. Half-widths along the loft's x axis and along ±z, and where its middle lies.
struct LoftStation {
  double along;  // position on the axis, increasing
  double half_width;
  double front, back;               // along +z and -z
  double shift_x = 0, shift_z = 0;  // of the section's middle, off the axis
};

// Cross-sections along the y axis of a frame, joined by monotone cubics, closed by half-ellipsoids at both ends.
struct Loft {
  Affine3d frame = Affine3d::Identity();  // loft space → character space; rigid
  std::vector<LoftStation> stations;      // at least two
  double squareness = 2.0;                // exponent of the super-ellipse: 2 ellipse, 4 almost a box
  double start_cap = 0.01, end_cap = 0.01;
};

// The frame of a solid that is not turned.
inline Affine3d at(const Vec3d& place) { return Affine3d(Eigen::Translation3d(place)); }

struct Ellipsoid {
  Affine3d frame = Affine3d::Identity();
  Vec3d radii{1, 1, 1};
};

// A tapered capsule.
struct RoundCone {
  Vec3d a{0, 0, 0}, b{0, 0, 0};
  double radius_a = 1, radius_b = 1;
};

using Solid = std::variant<Loft, Ellipsoid, RoundCone>;

class BodyField {
 public:
  // Opens a group; later solids belong to it. `blend`: radius of its union with the groups before it.
  // Returns the group's index.
  int begin_group(double blend);
  // Adds a solid that melts with radius `blend` into its group so far.
  void add(const Solid& solid, double blend);
  // The same, but takes the solid away.
  void carve(const Solid& solid, double blend);

  // Negative inside; close to the distance near the surface, and never less than the distance outside.
  double value(const Vec3d& point) const { return value(point, ~0u); }
  // Of some groups only: bit i of `groups` stands for group i (at most 32).
  double value(const Vec3d& point, std::uint32_t groups) const;
  double group_value(int group, const Vec3d& point) const;
  AABBd bounds() const;

 private:
  struct Item {
    Solid solid;
    std::vector<double> tangents;  // of a loft: 5 per station
    double blend;
    bool carve;
    Vec3d centre;  // bounding ball
    double radius;
  };
  struct Group {
    double blend;
    Vec3d centre{0, 0, 0};
    double radius = 0;
    std::vector<Item> items;
  };
  static double distance(const Item& item, const Vec3d& point);
  void add_item(const Solid& solid, double blend, bool carve);

  std::vector<Group> groups_;
};

// Nearest point of the surface field = 0, by Newton steps along the gradient. `stay_in_plane`: x does not change.
Vec3d project_to_surface(const std::function<double(const Vec3d&)>& field, Vec3d point, bool stay_in_plane, int steps);

// Smooth minimum: equal to the smaller where they differ by more than `blend`.
double smooth_min(double a, double b, double blend);
inline double smooth_max(double a, double b, double blend) { return -smooth_min(-a, -b, blend); }
// 0 below `low`, 1 above `high`, smooth between.
double smooth_step(double low, double high, double x);

}  // namespace sinew::builtin
