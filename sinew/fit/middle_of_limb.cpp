// The middle of a limb behind a place on the skin, as a click gives it. The line from there through the limb is halved;
// then the limb's own direction is the longest way through that point, and the middle is that of the slice across it.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/fit.h"
#include "sinew/mesh/solid_domain.h"

namespace sinew {
namespace {

class LimbProbe {
 public:
  explicit LimbProbe(const TriangleMesh& mesh) : domain_(mesh), step_(0.004 * domain_.diagonal()) {}

  Vec3d middle_behind(const Vec3d& place) const {
    ClosestPoint skin;
    Vec3f inside;
    if (!domain_.closest_point(place.cast<float>(), skin, static_cast<float>(0.05 * domain_.diagonal()))) refuse();
    bool found = false;
    for (const double depth : {0.002, 0.0005, 0.0001}) {
      found = domain_.point_under_surface(skin.position, static_cast<float>(0.01 * domain_.diagonal()),
                                          static_cast<float>(depth * domain_.diagonal()), inside);
      if (found) break;
    }
    if (!found) refuse();
    const Vec3d start = inside.cast<double>(), inwards = (inside - skin.position).cast<double>().normalized();
    const double thickness = reach(start, inwards, 0.6 * domain_.diagonal());
    Vec3d middle = start + 0.5 * thickness * inwards;
    for (int round = 0; round < 2; ++round) {
      const Vec3d better = slice_centre(middle, longest_way(middle, 3 * thickness), 1.5 * thickness);
      if (!contains(better)) break;
      middle = better;
    }
    return middle;
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::option_out_of_range, "there is no limb behind a marker on the skin",
                "mark a place on the surface of the mesh, or the joint itself inside it")
        .about("markers");
  }

  bool contains(const Vec3d& p) const { return domain_.contains(p.cast<float>()); }

  // How far a line from an inside point stays inside, at most `most`.
  double reach(const Vec3d& from, const Vec3d& direction, double most) const {
    double inside = 0, outside = step_;
    while (outside < most && contains(from + outside * direction)) inside = outside, outside += step_;
    if (outside >= most) return most;
    for (int halving = 0; halving < 6; ++halving) {
      const double between = 0.5 * (inside + outside);
      (contains(from + between * direction) ? inside : outside) = between;
    }
    return inside;
  }

  Vec3d longest_way(const Vec3d& middle, double most) const {
    constexpr int count = 60;
    Vec3d best = Vec3d::UnitY();
    double longest = -1;
    for (int i = 0; i < count; ++i) {
      // Evenly over half of a sphere.
      const double z = (i + 0.5) / count, around = i * std::numbers::pi * (3 - std::sqrt(5.0));
      const double flat = std::sqrt(1 - z * z);
      const Vec3d direction(flat * std::cos(around), flat * std::sin(around), z);
      const double length = reach(middle, direction, most) + reach(middle, -direction, most);
      if (length > longest) longest = length, best = direction;
    }
    return best;
  }

  // Of the star of what is seen inside the slice.
  Vec3d slice_centre(const Vec3d& middle, const Vec3d& axis, double most) const {
    constexpr int count = 32;
    const Vec3d a = axis.unitOrthogonal(), b = axis.cross(a);
    std::array<Vec3d, count> ring;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * i / count;
      const Vec3d direction = std::cos(angle) * a + std::sin(angle) * b;
      ring[static_cast<std::size_t>(i)] = reach(middle, direction, most) * direction;
    }
    Vec3d sum = Vec3d::Zero();
    double area = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d &p = ring[i], &q = ring[(i + 1) % count];
      const double triangle = p.cross(q).dot(axis);
      sum += triangle * (p + q) / 3;
      area += triangle;
    }
    return area > 0 ? Vec3d(middle + sum / area) : middle;
  }

  SolidDomain domain_;
  double step_;
};

}  // namespace

Vec3d middle_of_limb(const TriangleMesh& mesh, const Vec3d& on_surface) {
  if (!on_surface.allFinite()) throw Error(ErrorCode::argument_invalid, "the place on the skin is not finite");
  return LimbProbe(mesh).middle_behind(on_surface);
}

}  // namespace sinew
