// Which vertex and which joint is the mirror image of which, where a character has a left and a right.
#pragma once

#include <optional>

#include "sinew/check/checked_skin.h"

namespace sinew {

struct MirroredSkin {
  std::vector<int> joints;              // per joint: its image, itself in the middle; -1: none
  std::vector<std::uint32_t> vertices;  // per vertex: its image; no_image: none
  Vec3d normal = Vec3d::UnitX();        // of the plane between the sides, to the left
  double offset = 0;
  static constexpr std::uint32_t no_image = ~0u;
};

// Nothing when the skeleton or the mesh is not the same on both sides.
std::optional<MirroredSkin> find_mirrored_skin(const CheckedSkin& skin);

// The weights that the image of a vertex suggests for it; joints without image leave them empty.
WeightList image_weights(const CheckedSkin& skin, const MirroredSkin& mirrored, std::uint32_t vertex);

}  // namespace sinew
