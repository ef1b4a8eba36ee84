// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/model_cast.h"

#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/rnn.h>
#include <torch/utils.h>

#include "amp_core/base/batch_norm_layer.h"
#include "amp_core/base/module_name.h"
#include "amp_core/base/scalar_types.h"

namespace amp {
namespace {

template <class... Layers>
bool is_one_of(const torch::nn::Module& module) {
  return ((module.as<Layers>() != nullptr) || ...);
}

bool is_batch_norm(const torch::nn::Module& module) {
  return dynamic_cast<const BatchNormLayer*>(&module) != nullptr ||
         is_one_of<torch::nn::BatchNorm1dImpl, torch::nn::BatchNorm2dImpl, torch::nn::BatchNorm3dImpl>(module);
}

/// Packs the weights of a recurrent layer into one buffer, which cuDNN's fast path needs.
template <class... Layers>
void flatten_if(torch::nn::Module& module) {
  const auto flatten = [](auto* layer) {
    if (layer != nullptr) layer->flatten_parameters();
  };
  (flatten(module.as<Layers>()), ...);
}

void refuse_reduced(const std::string& kind, const std::string& name, const at::Tensor& tensor) {
  if (!is_reduced(tensor.scalar_type())) return;
  throw Error("amp::initialize got a model whose " + kind + " " + name + " is " +
              std::string(toString(tensor.scalar_type())) +
              ". Pass the model in FP32: the opt level decides what becomes half. Or set cast_model_type = Unchanged, "
              "if the program itself chooses the types. (Do not pass a model to initialize() twice.)");
}

/// Casts an FP32 tensor in place and drops its gradient. Stores the original values if the tensor requires a gradient.
void cast_tensor(at::Tensor& tensor, at::ScalarType type, Originals& originals) {
  if (tensor.scalar_type() != at::kFloat) return;
  if (tensor.grad().defined()) tensor.mutable_grad() = at::Tensor();  // the gradient has the old type
  const at::Tensor original = tensor.detach();
  tensor.set_data(original.to(type));
  if (tensor.requires_grad()) originals.emplace(tensor.unsafeGetTensorImpl(), original);
}

}  // namespace

void refuse_data_parallel(const torch::nn::Module& model) {
  model.apply([](const torch::nn::Module& module) {  // not modules(), which fails for a model that no shared_ptr owns
    const std::string name = short_class_name(module.name());
    if (name != "DistributedDataParallel" && name != "DataParallel") return;
    throw Error("amp::initialize got a model that is already wrapped for data parallelism (" + name +
                "). Pass the bare model to initialize() and wrap it afterwards: the wrapper must see the parameters' "
                "final types.");
  });
}

void refuse_reduced(const torch::nn::Module& model) {
  for (const auto& item : model.named_parameters()) refuse_reduced("parameter", item.key(), item.value());
  for (const auto& item : model.named_buffers()) refuse_reduced("buffer", item.key(), item.value());
}

Originals cast_model(torch::nn::Module& model, at::ScalarType type, bool keep_batchnorm) {
  const torch::NoGradGuard no_grad;
  Originals originals;
  model.apply([&](torch::nn::Module& module) {
    if (keep_batchnorm && is_batch_norm(module)) return;
    for (at::Tensor& parameter : module.parameters(/*recurse=*/false)) cast_tensor(parameter, type, originals);
    for (at::Tensor& buffer : module.buffers(/*recurse=*/false)) cast_tensor(buffer, type, originals);
    flatten_if<torch::nn::RNNImpl, torch::nn::LSTMImpl, torch::nn::GRUImpl>(module);
  });
  return originals;
}

}  // namespace amp
