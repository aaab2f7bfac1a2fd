// Solids and flat shapes for the tests of the biharmonic weights.
#pragma once

#include "sinew/mesh.h"
#include "sinew/weights/biharmonic/biharmonic.h"

namespace sinew::test {

// A closed box, every face cut into `cuts` × `cuts` squares.
TriangleMesh solid_box(const Vec3f& low, const Vec3f& high, int cuts = 1);

// A flat rectangle in the plane z = 0, cut into cells × cells squares.
TriangleMesh flat_rectangle(float width, float height, int cells);

// Two long prongs along x, joined at x = 0, with a gap between them: a tuning fork. Closed.
TriangleMesh fork(float length, float thickness, float gap);

// A handle that fills the rectangle x = place, |y - middle|, |z - middle| <= half with parallel bones.
BiharmonicHandle wall_handle(float place, const Vec3f& middle, float half_y, float half_z, int lines);

inline BiharmonicHandle bone(const Vec3f& a, const Vec3f& b) { return {{{0, a.cast<double>(), b.cast<double>()}}}; }

}  // namespace sinew::test
