// What parts of a mesh are bound to, after their weights came or went.
#pragma once

#include <vector>

#include "sinew/character.h"

namespace sinew::binding {

// Attached parts stay so while one joint moves them whole; the others are skinned where they have weights.
void bind_parts(std::vector<Part>& parts, const SkinWeights& weights);

// What is attached waits for the joint that new weights name.
void unbind_parts(std::vector<Part>& parts);

}  // namespace sinew::binding
