// Where a triangle mesh passes through itself.
//
// Two triangles intersect when an edge of one passes through the other from one side of its plane to the other. Pairs
// that share a vertex are left out, and so are triangles that only touch or overlap within one plane. Signs of volumes
// are taken in double precision with an error bound: what is too close to call counts as touching.
//
// Weld the mesh first (weld.h): triangles on the two sides of a seam share vertices only then. Triangles with a corner
// that is not finite intersect nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

// Per triangle: 1 when it intersects another one. Stops looking at the first, so that tangled meshes cost little.
std::vector<std::uint8_t> self_intersecting_triangles(const std::vector<Vec3f>& positions,
                                                      const std::vector<Triangle>& triangles);

std::size_t count_self_intersecting_triangles(const std::vector<Vec3f>& positions,
                                              const std::vector<Triangle>& triangles);

// All pairs, the smaller triangle index first, sorted. May be long: up to the square of the number of triangles.
std::vector<std::array<std::uint32_t, 2>> self_intersection_pairs(const std::vector<Vec3f>& positions,
                                                                  const std::vector<Triangle>& triangles);

}  // namespace sinew
