// The body under a garment, posed once for every pose of a problem, so that a garment can be kept outside it.
//
// Internal to the skincells method.
#pragma once

#include <memory>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/skincells_loss.h"

namespace sinew::skincells {

// Depth is measured against the plane of the nearest body vertex, which is exact enough at a garment's scale and has a
// simple derivative.
class PosedBody final : public Body {
 public:
  // `poses` belong to input.skeleton; the body's joints are found there by name. `to_loss`: loss units per unit of the
  // input. Throws Error(bad_input) for a body without weights, or with a joint that the garment's skeleton lacks.
  PosedBody(const Character& body, const BindInput& input, const std::vector<Pose>& poses, double to_loss);

  double penalty(int pose, const Vec3f& point, Vec3f& by_position) const override;

 private:
  struct Skin {
    std::vector<Vec3f> positions, normals;
    NearestPoints tree;
  };
  std::vector<Skin> skins_;  // per pose
};

}  // namespace sinew::skincells
