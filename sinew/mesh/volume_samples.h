// Points spread evenly inside a shape, closer together where it is thin.
//
// The spacing follows the local thickness, so that a finger gets as many points across as a trunk does (within limits)
// instead of being starved by it. Points keep their distance from each other (Poisson disc sampling by dart throwing)
// and line the surface from inside first. Depends on the surface only as a set of points: not on its triangulation.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/solid_domain.h"

namespace sinew {

struct VolumeSampleOptions {
  int target = 16384;         // about how many points
  double across = 6.0;        // points wanted across the local thickness, where the widest spacing gives fewer
  double finest = 1.0 / 5.0;  // narrowest spacing, relative to the widest
  std::uint64_t seed = 1;
};

// How far apart points should be, as a function of place: an octree over the inside of a domain.
class SpacingField {
 public:
  // `widest`: spacing where the domain is thick.
  SpacingField(const SolidDomain& domain, const VolumeSampleOptions& options, double widest);

  // About how many points another widest spacing would give.
  double predicted_count(double widest) const;

  // Spacing at a point; the widest spacing outside the octree.
  double at(const Vec3f& point) const;
  double widest() const { return widest_; }

  struct Leaf {
    Vec3f centre;
    float size;  // edge length, not above `spacing`
    float spacing;
    bool on_boundary;  // the surface may pass through it
    float filled;      // estimated share of the cell that is inside
    int level;         // in the octree
    std::uint64_t cell;
  };
  const std::vector<Leaf>& leaves() const { return leaves_; }

 private:
  void limit_gradient();
  std::int64_t leaf_at(const Vec3f& point) const;

  double wanted_spacing(double thickness, double widest) const;

  Vec3d origin_ = Vec3d::Zero();
  VolumeSampleOptions options_;
  int dimension_ = 3;
  double root_size_ = 0, widest_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<float> thickness_;                                             // per leaf, before the limits
  std::vector<std::vector<std::pair<std::uint64_t, std::uint32_t>>> index_;  // per level: (cell, leaf), sorted
};

// One field per domain, with one widest spacing for all of them such that together they get the wanted count.
std::vector<SpacingField> make_spacing_fields(const std::vector<SolidDomain>& domains,
                                              const VolumeSampleOptions& options);

// Fields for `factor` times as many points as `fields` give: what sampling itself, at the edges and where spacings
// change, makes of a prediction is known only afterwards.
std::vector<SpacingField> rescaled_spacing_fields(const std::vector<SolidDomain>& domains,
                                                  const VolumeSampleOptions& options,
                                                  const std::vector<SpacingField>& fields, double factor);

struct VolumeSamples {
  std::vector<Vec3f> positions;
  std::vector<float> spacing;     // of each point
  std::vector<float> volume;      // that each point stands for (area in a planar domain)
  std::vector<bool> on_boundary;  // lines the surface
};

// `fixed` come first in the result, whatever their distance; the others keep clear of them.
VolumeSamples sample_volume(const SolidDomain& domain, const SpacingField& spacing, const std::vector<Vec3f>& fixed,
                            std::uint64_t seed);

}  // namespace sinew
