// The body under a garment, posed once for every pose of a problem, so that a garment can be kept outside it.
//
// Internal to the skincells method.
#pragma once

#include <vector>

#include "sinew/character.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/skincells/skincells_loss.h"

namespace sinew::skincells {

// Every point of the garment belongs to the spot of skin that is nearest to it at rest, and must stay on the outer side
// of that spot's tangent plane. The nearest spot in the pose itself would not do: cloth that a leg has gone through is
// pushed further, out at the back. No weights can change what is inside at rest already, a waistband in a fold or a hem
// under a shirt: a point is only kept from coming nearer than it is at rest,
// or than a small margin where it is further.
class PosedBody final : public Body {
 public:
  // `poses` belong to input.skeleton; the body's joints are found there by name. `rest`: the garment's points, loss
  // units, of which there are `to_loss` per unit of the input. Throws Error(bad_input) for a body without weights, or
  // with a joint that the garment's skeleton lacks.
  PosedBody(const Character& body, const BindInput& input, const std::vector<Pose>& poses,
            const std::vector<Vec3f>& rest, double to_loss);

  double penalty(int pose, std::size_t point, const Vec3f& position, Vec3f& by_position) const override;
  // The body's vertex that each point belongs to.
  const std::vector<std::uint32_t>& spots() const { return spot_; }

 private:
  struct Plane {
    Vec3f normal;
    float offset;
    float height(const Vec3f& position) const { return normal.dot(position) - offset; }
  };
  std::vector<std::uint32_t> spot_;
  std::vector<Plane> planes_;     // [pose][point]
  std::vector<float> clearance_;  // per point: the height that it must keep
};

// What a garment's field is fitted to when there is a body: `own` weights (per vertex of the input) where they keep the
// garment outside, the weights of the skin below where the body would come through, and a smooth passage between the
// two. Only joints that take weight in the input; a body's joint that does not hands its share to its parents.
SkinWeights follow_body(const Character& body, const BindInput& input, const std::vector<Pose>& poses, double to_loss,
                        const SkinWeights& own);

}  // namespace sinew::skincells
