// What a character's surface looks like: materials, textures and shape keys of the file it came from.
//
// One model for pictures (draw/paint.h) and for writers of other formats. Images come as they lie in the file: decoding
// them is the caller's (draw/image.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/character.h"

namespace sinew {

// A picture on a surface.
struct Texture {
  int image = -1;                                             // index into Materials::images; -1: none
  Eigen::Matrix3f uv_to_image = Eigen::Matrix3f::Identity();  // on (u, v, 1); the image repeats outside 0…1
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

// As in glTF: factors multiply textures, colours are linear, colour textures sRGB.
struct Material {
  std::string name;
  Vec3f base_color{1, 1, 1};  // multiplies the texture and the vertex colours
  float alpha = 1;
  Vec3f emissive{0, 0, 0};
  float metallic = 1, roughness = 1;
  AlphaMode alpha_mode = AlphaMode::opaque;
  Texture base, normal, glow, metal_rough, occlusion;
};

struct MaterialImage {
  std::string name;              // without extension; may be empty
  std::vector<std::byte> bytes;  // PNG, JPEG, …
};

struct Materials {
  std::vector<Material> materials;
  std::vector<MaterialImage> images;
  std::vector<int> of_part;  // per part of the character: its material, or -1
  Warnings warnings;         // what cannot be read; it counts as absent
};

// Empty for a character that has no materials or does not come from a file that says some.
Materials read_materials(const Character& character);

// A shape that vertices can be blended towards: glTF's morph target, FBX's blend shape.
struct ShapeKey {
  std::string name;
  double value = 0;                     // how much of it the file shows, 0 … 1
  std::vector<std::uint32_t> vertices;  // of the character that move, ascending
  std::vector<Vec3f> offsets;           // of their positions, in character space
  std::vector<Vec3f> normals;           // what is added to their normals; empty: not said
};

struct ShapeKeys {
  std::vector<ShapeKey> keys;
  std::size_t lost = 0;  // that are in the file but no longer fit: their vertices changed
};

ShapeKeys read_shape_keys(const Character& character);

// What is kept of a file that is not glTF: its looks, which fit the character as long as parts and vertices stay.
struct LookSource : SourceDocument {
  Materials materials;
  std::vector<ShapeKey> shape_keys;
  std::size_t vertex_count = 0;
};

// The kind of picture by its first bytes: ".png", ".jpg", ".webp", ".ktx2", ".dds", ".bmp", ".gif", or "".
std::string image_extension(std::span<const std::byte> bytes);

}  // namespace sinew
