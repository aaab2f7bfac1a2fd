// glTF animations as motions at a uniform frame rate.
//
// A motion holds the local transforms of the skeleton's nodes; nodes that an animation leaves alone keep the node's own
// transform. Frame 0 is the first key of the animation. The rate is the file's own when its keys are evenly spaced or
// fall on the frames of a common rate, else 30 per second. Animations that move no node of the skeleton (cameras, morph
// weights) are no motions; they stay in the file.
#pragma once

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_rig.h"

namespace sinew::gltf {

// Appends to character.motions and document.motions.
void read_motions(Document& document, const Scene& scene, const Rig& rig, Character& character);

// The rate (frames per second) on whose frames all key times fall, counted from the earliest; 30 when there is none.
// Every vector is one sampler's ascending key times, in seconds.
double frame_rate_of(const std::vector<std::vector<float>>& key_times);

}  // namespace sinew::gltf
