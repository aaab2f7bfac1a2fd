// Features of a body's vertices from pictures of it: by the project's own image network, or by any TorchScript network.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/learn/image_network.h"

namespace sinew {

class BodyFeatures {
 public:
  explicit BodyFeatures(ImageNetwork network);

  // A TorchScript network: pictures N×3×H×W in 0 … 1 to features N×C×h×w. Runs in the program sinew-torch, which must
  // lie beside this one. `size`: pixels along each side of the pictures.
  explicit BodyFeatures(const std::filesystem::path& script, int size = 224);

  bool is_own() const { return network_.has_value(); }

  // One row per vertex of a mesh in body space (body_space.h); last column: how much of it was seen, 0 … 1.
  // Throws Error(bad_input) when a TorchScript network cannot be run.
  NetMatrix of_vertices(const TriangleMesh& body) const;

 private:
  std::optional<ImageNetwork> network_;
  std::filesystem::path script_;
  int size_ = 80;
};

// Where sinew-torch is: beside the running program. Throws Error(failed) when it was not built.
std::filesystem::path torch_program_path();

// Runs it and waits. Its messages go to this program's stderr. Throws Error with the kind its exit code stands for.
void run_torch_program(const std::vector<std::string>& arguments);
// The same with `input` on its standard input; returns what it wrote to its standard output.
std::vector<std::byte> run_torch_program(const std::vector<std::string>& arguments, std::span<const std::byte> input);

}  // namespace sinew
