// Small characters with known answers, and what tests ask of characters.
#pragma once

#include <set>
#include <string>

#include "sinew/base/random.h"
#include "sinew/character.h"

namespace sinew::test {

// A closed tube along x from 0 to `length`, `rings` rings of `sides` vertices and two end caps.
TriangleMesh tube(double length, double radius, int rings, int sides);

// Joints along x at the given places; each is the parent of the next. The last is an end marker.
Skeleton chain(const std::vector<double>& places);

// A tube from 0 to `length` bound by nothing yet, with joints at 0, length/bones, …, length.
Character bar(double length = 4, double radius = 0.25, int rings = 81, int sides = 16, int bones = 2);

// The same triangles with a copy of every vertex per triangle: seams everywhere.
Character with_seams(const Character& character);

void append(TriangleMesh& mesh, const TriangleMesh& other, const Vec3f& offset = Vec3f::Zero());

void scale(Character& character, double factor);

// The built-in adult with about so many vertices.
Character person(std::size_t vertices);
// The mesh of a character alone, without joints, weights and materials.
Character bare(const Character& character);
// The skeleton of a character and its first motion.
Character clip_of(const Character& character);

// The codes of these warnings.
std::set<std::string> codes(const Warnings& warnings);

}  // namespace sinew::test
