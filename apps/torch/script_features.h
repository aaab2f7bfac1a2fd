// Runs any TorchScript network that turns pictures into dense features: DINO, a diffusion model's, or your own.
#pragma once

#include <filesystem>

namespace sinew::torch_program {

// `pictures`: a network file (sinew/learn/network_file.h) with the array "pictures", views × 3 × height × width, 0
// … 1. `maps` is written likewise with the array "maps", views × channels × h × w. Throws Error(bad_input) when the
// model cannot be read or run, or gives anything but such maps.
void run_script_features(const std::filesystem::path& model, const std::filesystem::path& pictures,
                         const std::filesystem::path& maps);

}  // namespace sinew::torch_program
