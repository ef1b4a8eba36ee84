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

/// A model of Python as amp_core sees it: a tree of modules with the names, parameters and buffers of the original. The
/// tensors are the original's own, so a cast here is a cast there.
class Model : public torch::CustomClassHolder {
 public:
  /// Adds a module; the root, whose path is "", comes first, and parents come before their children. A batch norm layer
  /// is one that O2 keeps in FP32. `names` are those of the parameters, then those of the buffers.
  void add(const std::string& path, const std::string& class_name, bool is_batch_norm,
           const std::vector<std::string>& names, const Tensors& parameters, const Tensors& buffers);

  torch::nn::Module& root() const { return *root_; }

 private:
  std::shared_ptr<torch::nn::Module> root_;
  std::unordered_map<std::string, torch::nn::Module*> by_path_;
};

}  // namespace apex
