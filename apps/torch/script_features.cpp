#include "script_features.h"

#include <torch/script.h>

#include "sinew/error.h"
#include "sinew/learn/network_file.h"

namespace sinew::torch_program {

std::vector<std::byte> script_features(const std::filesystem::path& model, std::span<const std::byte> pictures) {
  NetworkFile file = parse_network_file(pictures);
  NetworkArray& input = file.arrays["pictures"];
  if (input.shape.size() != 4 || input.shape[1] != 3)
    throw Error(ErrorCode::file_damaged, "there are no pictures on standard input");
  torch::Tensor output;
  try {
    torch::NoGradGuard guard;
    torch::jit::Module module = torch::jit::load(model.string());
    module.eval();
    std::vector<std::int64_t> shape(input.shape.begin(), input.shape.end());
    output = module.forward({torch::from_blob(input.values.data(), shape)}).toTensor().to(torch::kFloat).contiguous();
  } catch (const c10::Error& problem) {
    throw Error(ErrorCode::network_invalid,
                "the network '" + model.string() + "' does not run: " + problem.what_without_backtrace(),
                "it must be TorchScript that maps N×3×H×W pictures to N×C×h×w features");
  }
  if (output.dim() != 4 || output.size(0) != input.shape[0] || output.size(1) < 1) {
    throw Error(ErrorCode::network_invalid,
                "the network '" + model.string() + "' does not give one map of features per picture");
  }
  NetworkFile result;
  NetworkArray& array = result.arrays["maps"];
  for (const std::int64_t size : output.sizes()) array.shape.push_back(static_cast<std::uint32_t>(size));
  array.values.assign(output.data_ptr<float>(), output.data_ptr<float>() + output.numel());
  return to_bytes(result);
}

}  // namespace sinew::torch_program
