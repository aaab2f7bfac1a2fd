// From functions of space to a mesh: a body, a shirt or an eye is described once, then meshed at any resolution.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/progress.h"
#include "sinew/skin_weights.h"

namespace sinew::builtin {

// One component of a character, as functions on its left half (x >= 0). Called from several threads.
struct SurfacePart {
  std::string name, material;
  AABBd box;  // holds the left half; its lower x is 0 when the part meets its mirror image there
  std::function<double(const Vec3d&)> field;        // surface at 0
  std::function<double(const Vec3d&)> edge_length;  // wished, relative: 1 on the trunk
  std::function<std::vector<Influence>(const Vec3d&)> weights;
  std::function<Vec4f(const Vec3d&)> colour;
  std::function<Vec2f(const Vec3d&)> uv;
  bool simple = false;  // should be one piece without handles: where it is not, cells shrink below largest_cell_at
  // Instead of a field: an open sheet made directly with about this many vertices.
  std::function<TriangleMesh(std::size_t vertices)> sheet;
  double cell = 0.02;                                        // metres: octree cell where edge_length is 1
  std::function<double(const Vec3d&)> largest_cell_at = {};  // metres: where the shape needs finer cells than that
};

// Meshes both halves of every part with about `vertex_budget` vertices together and fills mesh, parts and weights of
// `character`, whose skeleton must be there already. Parts get what their size asks for; the first (the body) takes
// what the others leave.
void mesh_parts(const std::vector<SurfacePart>& parts, std::size_t vertex_budget, Character& character,
                const Progress& progress);

}  // namespace sinew::builtin
