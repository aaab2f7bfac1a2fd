// Parameters of a network and how they are learned: Adam, and a running mean of the parameters that is what gets used.
//
// Only ATen is included: the rest of libtorch's headers take far longer to compile.
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <string>
#include <vector>

#include "sinew/base/random.h"
#include "sinew/learn/dense_layers.h"

namespace sinew::torch_program {

at::Tensor to_tensor(const NetMatrix& matrix);
at::Tensor to_tensor(const std::vector<int>& values);

class Learner {
 public:
  explicit Learner(std::uint64_t seed) : random_(seed) {}

  // Adds an array with normally distributed values of this deviation (0: all `constant`).
  void add(const std::string& name, const std::vector<std::int64_t>& shape, double deviation, double constant = 0);
  void add_linear(const std::string& name, int inputs, int outputs);
  void add_conv(const std::string& name, int inputs, int outputs);
  void add_norm(const std::string& name, int size);

  const at::Tensor& operator[](const std::string& name) const { return values_.at(name); }

  // One step of Adam down the gradients summed up since the last, each divided by `count`; then they are zero again.
  void step(double rate, double count);
  std::int64_t steps() const { return steps_; }

  // The running means, as the library reads them.
  void write(NetworkFile& file) const;
  // Changes the running means and the parameters over: for measuring the means, and back.
  void swap_means();

  // Everything needed to go on later.
  void write_checkpoint(NetworkFile& file, const std::string& prefix) const;
  // Returns false when the file has none of this learner.
  bool read_checkpoint(const NetworkFile& file, const std::string& prefix);

 private:
  std::map<std::string, at::Tensor> values_, means_, first_, second_;
  std::int64_t steps_ = 0;
  Random random_;
};

}  // namespace sinew::torch_program
