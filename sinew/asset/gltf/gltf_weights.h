// JOINTS_n and WEIGHTS_n of a glTF file as SkinWeights.
#pragma once

#include <vector>

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_rig.h"

namespace sinew::gltf {

// Fills character.weights (left empty when no part is skinned or attached), moves the vertices of inexact skins to
// character space, and warns of what had to be repaired. `attached_to`: joint per part, or -1.
void read_weights(const Document& document, const Rig& rig, const std::vector<int>& attached_to, Character& character);

}  // namespace sinew::gltf
