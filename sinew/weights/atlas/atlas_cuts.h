// Where a joint cuts the skin: the shortest closed curve that a plane through the joint leaves around it.
//
// Section 3.1 of the atlas paper (see atlas.h). Planes are turned about the normal of the plane that the joint's two
// bones span. Going further: every piece of the mesh gets its own curve (a sleeve and the arm under it), open pieces
// get an open one, and bones in one line, which span no plane, are tried in two.
#pragma once

#include <vector>

#include "sinew/weights/bind_input.h"

namespace sinew {

struct CutCrossing {
  std::uint32_t parent_vertex, child_vertex;  // the two ends of an edge that the curve crosses
  Vec3f point;                                // where
};

struct AtlasCut {
  int joint = 0;   // the joint that is cut at; its bone lies on the child's side
  int parent = 0;  // the joint whose region lies on the other side
  std::uint32_t component = 0;
  Vec3d normal = Vec3d::UnitX();  // unit, towards the child's side
  double length = 0;              // of the curve, normalised space; of an open one with its gap
  bool closed = true;
  std::vector<CutCrossing> crossings;
};

// Per joint: the joint whose bone it continues, or -1. The nearest ancestor that takes weight; for a second root (a
// foot that hangs on nothing but its control), the joint whose bone comes nearest.
std::vector<int> atlas_parents(const BindInput& input);

// `planes` per joint, >= 1. A joint that no curve goes around has no cut.
std::vector<AtlasCut> find_cuts(const BindInput& input, const std::vector<int>& parents, int planes);

}  // namespace sinew
