#include "learner.h"

#include <cmath>

#include "sinew/error.h"

namespace sinew::torch_program {
namespace {

NetworkArray to_array(const at::Tensor& tensor) {
  NetworkArray array;
  for (const std::int64_t size : tensor.sizes()) array.shape.push_back(static_cast<std::uint32_t>(size));
  const at::Tensor flat = tensor.detach().contiguous();
  array.values.assign(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
  return array;
}

void copy_from(const NetworkFile& file, const std::string& name, at::Tensor& tensor) {
  std::vector<std::uint32_t> shape;
  for (const std::int64_t size : tensor.sizes()) shape.push_back(static_cast<std::uint32_t>(size));
  const NetworkArray& array = file.array(name, shape);
  std::copy(array.values.begin(), array.values.end(), tensor.data_ptr<float>());
}

}  // namespace

at::Tensor to_tensor(const NetMatrix& matrix) {
  at::Tensor result = at::empty({matrix.rows(), matrix.cols()});
  std::copy(matrix.data(), matrix.data() + matrix.size(), result.data_ptr<float>());
  return result;
}

at::Tensor to_tensor(const std::vector<int>& values) {
  at::Tensor result = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), result.data_ptr<std::int64_t>());
  return result;
}

void Learner::add(const std::string& name, const std::vector<std::int64_t>& shape, double deviation, double constant) {
  at::Tensor value = at::full(shape, constant);
  float* data = value.data_ptr<float>();
  for (std::int64_t i = 0; deviation > 0 && i < value.numel(); ++i) {
    data[i] = static_cast<float>(deviation * random_.normal());
  }
  means_[name] = value.clone();
  first_[name] = at::zeros_like(value);
  second_[name] = at::zeros_like(value);
  values_[name] = value.set_requires_grad(true);
}

void Learner::add_linear(const std::string& name, int inputs, int outputs) {
  add(name + ".w", {inputs, outputs}, std::sqrt(1.5 / inputs));
  add(name + ".b", {outputs}, 0);
}

void Learner::add_conv(const std::string& name, int inputs, int outputs) {
  add(name + ".w", {outputs, inputs, 3, 3}, std::sqrt(2.0 / (9 * inputs)));
  add(name + ".b", {outputs}, 0);
}

void Learner::add_norm(const std::string& name, int size) {
  add(name + ".w", {size}, 0, 1);
  add(name + ".b", {size}, 0);
}

void Learner::step(double rate, double count) {
  at::NoGradGuard guard;
  ++steps_;
  const double first_correction = 1 - std::pow(0.9, static_cast<double>(steps_));
  const double second_correction = 1 - std::pow(0.99, static_cast<double>(steps_));
  const double keep = std::min(0.998, 1 - 1 / (1 + 0.1 * static_cast<double>(steps_)));
  // One length for all gradients together, so that a rare bad lesson does no harm.
  double length = 0;
  for (auto& [name, value] : values_) {
    if (!value.grad().defined()) continue;
    value.mutable_grad().div_(count);
    length += value.grad().square().sum().item<double>();
  }
  const double shorten = std::min(1.0, 2.0 / (std::sqrt(length) + 1e-12));
  for (auto& [name, value] : values_) {
    if (!value.grad().defined()) continue;
    at::Tensor gradient = value.grad() * shorten;
    first_[name].mul_(0.9).add_(gradient, 0.1);
    second_[name].mul_(0.99).addcmul_(gradient, gradient, 0.01);
    value.addcdiv_(first_[name], (second_[name] / second_correction).sqrt_().add_(1e-8), -rate / first_correction);
    value.mutable_grad().zero_();
    means_[name].mul_(keep).add_(value, 1 - keep);
  }
}

void Learner::write(NetworkFile& file) const {
  for (const auto& [name, mean] : means_) file.arrays[name] = to_array(mean);
}

void Learner::swap_means() {
  at::NoGradGuard guard;
  for (auto& [name, value] : values_) {
    const at::Tensor kept = value.clone();
    value.copy_(means_[name]);
    means_[name].copy_(kept);
  }
}

void Learner::write_checkpoint(NetworkFile& file, const std::string& prefix) const {
  for (const auto& [name, value] : values_) {
    file.arrays[prefix + "value/" + name] = to_array(value);
    file.arrays[prefix + "mean/" + name] = to_array(means_.at(name));
    file.arrays[prefix + "first/" + name] = to_array(first_.at(name));
    file.arrays[prefix + "second/" + name] = to_array(second_.at(name));
  }
  file.arrays[prefix + "steps"] = {{1}, {static_cast<float>(steps_)}};
}

bool Learner::read_checkpoint(const NetworkFile& file, const std::string& prefix) {
  if (!file.arrays.contains(prefix + "steps")) return false;
  at::NoGradGuard guard;
  for (auto& [name, value] : values_) {
    copy_from(file, prefix + "value/" + name, value);
    copy_from(file, prefix + "mean/" + name, means_[name]);
    copy_from(file, prefix + "first/" + name, first_[name]);
    copy_from(file, prefix + "second/" + name, second_[name]);
  }
  steps_ = static_cast<std::int64_t>(file.array(prefix + "steps", {1}).values[0]);
  return true;
}

}  // namespace sinew::torch_program
