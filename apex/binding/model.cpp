// SPDX-License-Identifier: Apache-2.0
#include "apex/binding/model.h"

#include "amp_core/base/batch_norm_layer.h"

namespace apex {
namespace {

class BatchNorm : public torch::nn::Module, public amp::BatchNormLayer {
 public:
  using Module::Module;
};

}  // namespace

void Model::add(const std::string& path, const std::string& class_name, bool is_batch_norm,
                const std::vector<std::string>& names, const Tensors& parameters, const Tensors& buffers) {
  auto module =
      is_batch_norm ? std::make_shared<BatchNorm>(class_name) : std::make_shared<torch::nn::Module>(class_name);
  std::size_t name = 0;
  for (const at::Tensor& parameter : parameters) {
    module->register_parameter(names.at(name++), parameter, parameter.requires_grad());
  }
  for (const at::Tensor& buffer : buffers) module->register_buffer(names.at(name++), buffer);
  by_path_[path] = module.get();
  if (path.empty()) {
    root_ = std::move(module);
    return;
  }
  const auto dot = path.rfind('.');
  const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot);
  by_path_.at(parent)->register_module(path.substr(dot + 1), std::move(module));  // without a dot, npos + 1 is 0
}

}  // namespace apex
