// A curve skeleton taken apart into a spine and limbs.
//
// The spine is the thickest way through the core: of a symmetric body, in its mirror plane. Every branch that leaves it
// is a limb, which runs on along its longest continuation; what branches off a limb is a limb of its own.
#pragma once

#include "sinew/body_frame.h"
#include "sinew/fit/curve_skeleton.h"

namespace sinew {

struct CurvePath {
  std::vector<int> nodes;     // of the curve, in order. A limb begins with the node where it leaves its parent path
  std::vector<double> along;  // per node: length from the first
  int parent = -1;            // path that it leaves; -1 for the spine
  int at = 0;                 // index into the parent's nodes
  int mirror = -1;            // path on the other side; itself on the mirror plane; -1 where there is none
  double outside = 0;         // `along` where it leaves the ball around the parent's curve: the limb that can be seen

  double length() const { return along.back(); }
  double free_length() const { return along.back() - outside; }
};

struct CurvePaths {
  std::vector<CurvePath> paths;  // the spine is the first; parents precede what leaves them
  int core = 0;                  // index of the curve's core in the spine's nodes

  // Place and thickness after a length from a path's first node.
  Vec3d at(const CurveSkeleton& curve, int path, double along) const;
  double radius_at(const CurveSkeleton& curve, int path, double along) const;
};

// The spine runs from tail to head. `frame.forward` and `frame.left` are set so that it does; `frame.up` is kept, and
// the mirror plane's normal is level where there is one. `forward_given`: frame.forward is kept too.
CurvePaths take_apart(const CurveSkeleton& curve, BodyFrame& frame, bool forward_given);

}  // namespace sinew
