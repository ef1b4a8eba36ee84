// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/custom_class.h>
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace apex {

using Tensors = std::vector<at::Tensor>;

/// A Python model as amp_core sees it: a tree of modules with the names, parameters and buffers of the original. The
/// tree shares the original's tensors, so casting the tree casts the original.
class Model : public torch::CustomClassHolder {
 public:
  /// Adds a module. Add the root, whose path is "", first, and parents before their children. O2 keeps a batch norm
  /// layer in FP32. `names`: the names of the parameters, then those of the buffers.
  void add(const std::string& path, const std::string& class_name, bool is_batch_norm,
           const std::vector<std::string>& names, const Tensors& parameters, const Tensors& buffers);

  torch::nn::Module& root() const { return *root_; }

 private:
  std::shared_ptr<torch::nn::Module> root_;
  std::unordered_map<std::string, torch::nn::Module*> by_path_;
};

}  // namespace apex
