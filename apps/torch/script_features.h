// Runs any TorchScript network that turns pictures into dense features: DINO, a diffusion model's, or your own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace sinew::torch_program {

// `pictures`: the bytes of a network file (sinew/learn/network_file.h) with the array "pictures", views × 3 × height ×
// width, 0 … 1. Returns the bytes of one with the array "maps", views × channels × h × w. Throws Error(bad_input) when
// the model cannot be read or run, or gives anything but such maps.
std::vector<std::byte> script_features(const std::filesystem::path& model, std::span<const std::byte> pictures);

}  // namespace sinew::torch_program
