// A skeleton as geometry for Scene::overlay: spheres at the joints, slim octahedra along the bones.
#pragma once

#include <vector>

#include "sinew/draw/color.h"
#include "sinew/mesh.h"
#include "sinew/skeleton.h"

namespace sinew {

struct SkeletonStyle {  // orange on clay; on a painted surface white shows better
  Color bone{0.93f, 0.42f, 0.07f};
  Color joint{0.75f, 0.22f, 0.03f};
  int highlighted = -1;  // a joint drawn larger and in `highlight`
  Color highlight{0.02f, 0.30f, 0.85f};
  bool helpers = false;  // whether helper nodes are drawn as well
};

// `transforms`: joint space → character space, one per joint (Skeleton::rest or global_transforms).
// `size`: of the character, its bounding diagonal; bones get no thicker than a share of it.
TriangleMesh skeleton_overlay(const Skeleton& skeleton, const std::vector<Affine3d>& transforms, double size,
                              const SkeletonStyle& style = {});

}  // namespace sinew
