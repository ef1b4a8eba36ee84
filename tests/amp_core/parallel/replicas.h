// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include <string>
#include <vector>

#include "amp_core/amp.h"
#include "amp_core/parallel/distributed_data_parallel.h"

namespace amp::parallel {

inline at::Tensor random_tensor(at::IntArrayRef sizes, std::uint64_t seed) {
  return at::randn(sizes, at::make_generator<at::CPUGeneratorImpl>(seed));
}

/// Two layers, and a side layer that a pass may leave out.
struct NetImpl : torch::nn::Module {
  explicit NetImpl(std::uint64_t seed) {
    const torch::NoGradGuard no_grad;
    for (at::Tensor& parameter : parameters()) parameter.copy_(random_tensor(parameter.sizes(), ++seed) * 0.25);
  }
  at::Tensor forward(const at::Tensor& x, bool uses_side = true) {
    const at::Tensor hidden = torch::relu(in->forward(x));
    return out->forward(uses_side ? hidden + side->forward(hidden) : hidden);
  }

  torch::nn::Linear in = register_module("in", torch::nn::Linear(6, 16));
  torch::nn::Linear side = register_module("side", torch::nn::Linear(16, 16));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(16, 4));
};
TORCH_MODULE(Net);

inline std::vector<at::Tensor> copies(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copied;
  for (const at::Tensor& tensor : tensors) copied.push_back(tensor.defined() ? tensor.detach().clone() : tensor);
  return copied;
}

inline std::vector<at::Tensor> gradients_of(const torch::nn::Module& model) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : model.parameters()) gradients.push_back(parameter.grad());
  return gradients;
}

inline bool same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const at::Tensor& left, const at::Tensor& right) {
    return left.defined() == right.defined() && (!left.defined() || left.equal(right));
  });
}

}  // namespace amp::parallel
