// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/model_cast.h"

#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/utils.h>

#include "amp_core/levels/properties.h"

namespace amp {
namespace {

bool is_batch_norm(const torch::nn::Module& module) {
  return module.as<torch::nn::BatchNorm1dImpl>() != nullptr || module.as<torch::nn::BatchNorm2dImpl>() != nullptr ||
         module.as<torch::nn::BatchNorm3dImpl>() != nullptr;
}

void refuse_reduced(const std::string& kind, const std::string& name, const at::Tensor& tensor) {
  const auto type = tensor.scalar_type();
  if (type != at::kHalf && type != at::kBFloat16) return;
  throw Error("amp::initialize got a model whose " + kind + " " + name + " is " + std::string(toString(type)) +
              ". Pass the model in FP32: the opt level decides what becomes half. (A model that went through "
              "initialize() once must not go again.)");
}

void make_half(at::Tensor& tensor) {
  if (tensor.scalar_type() != at::kFloat) return;
  if (tensor.grad().defined()) tensor.mutable_grad() = at::Tensor();  // of the old type; a new pass makes a new one
  tensor.set_data(tensor.detach().to(at::kHalf));
}

}  // namespace

void check_incoming_model(const torch::nn::Module& model) {
  for (const auto& item : model.named_parameters()) refuse_reduced("parameter", item.key(), item.value());
  for (const auto& item : model.named_buffers()) refuse_reduced("buffer", item.key(), item.value());
}

void make_half(torch::nn::Module& model, bool keep_batchnorm) {
  const torch::NoGradGuard no_grad;
  model.apply([&](torch::nn::Module& module) {
    if (keep_batchnorm && is_batch_norm(module)) return;
    for (at::Tensor& parameter : module.parameters(/*recurse=*/false)) make_half(parameter);
    for (at::Tensor& buffer : module.buffers(/*recurse=*/false)) make_half(buffer);
  });
}

}  // namespace amp
