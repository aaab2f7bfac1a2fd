// What a character's surface looks like, for pictures: base colours and textures of the file it came from.
//
// Only glTF files are asked (character.source); what they say beyond base colour (metalness, normal maps, …) is left to
// real renderers. Images come as they lie in the file: decoding them is the caller's (draw/image.h).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/character.h"

namespace sinew {

struct Material {
  Vec3f base_color{1, 1, 1};  // linear RGB; multiplies the texture and the vertex colours
  int image = -1;             // index into Materials::images, sRGB; -1: none
  Eigen::Matrix3f uv_to_image = Eigen::Matrix3f::Identity();  // on (u, v, 1); the image repeats outside 0…1
};

struct Materials {
  std::vector<Material> materials;
  std::vector<std::vector<std::byte>> images;  // PNG or JPEG files
  std::vector<int> of_part;                    // per part of the character: its material, or -1
  Warnings warnings;                           // images that cannot be read; they count as absent
};

// Empty for a character that has no materials or does not come from a glTF file, and where parts were added or removed
// since it was read.
Materials read_materials(const Character& character);

}  // namespace sinew
