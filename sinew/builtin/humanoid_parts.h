// The components of a built-in human: body, eyes, hair and clothes, ready to be meshed (surface_part.h).
#pragma once

#include <vector>

#include "sinew/builtin/humanoid_weights.h"
#include "sinew/builtin/look.h"
#include "sinew/builtin/surface_part.h"

namespace sinew::builtin {

// Everything passed in must outlive the returned parts, which only refer to it. The body comes first.
std::vector<SurfacePart> humanoid_parts(const HumanoidPlan& plan, const HumanoidField& body,
                                        const HumanoidWeights& weights, const Look& look);

// Clothes over the body: part of humanoid_parts, in a file of its own.
void add_clothes(const HumanoidPlan& plan, const HumanoidField& body, const HumanoidWeights& weights, const Look& look,
                 std::vector<SurfacePart>& parts);

// A part with the body's weights, one colour and simple texture coordinates; field, box and cell are still missing.
SurfacePart dressed_part(const HumanoidPlan& plan, const HumanoidWeights& weights, const char* name,
                         const char* material, const Vec3f& colour);

// Wished edge length on a human, relative to the trunk: fingers and faces need smaller triangles.
double humanoid_edge_length(const HumanoidPlan& plan, const Vec3d& point);

}  // namespace sinew::builtin
