// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/bucket.h"

#include <ATen/Functions.h>

#include <sstream>

#include "amp_core/base/scalar_types.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/levels/properties.h"
#include "amp_core/multi_tensor/flat_copy.h"
#include "amp_core/multi_tensor/tensor_groups.h"

namespace amp {
namespace {

bool same_layout(const at::Tensor& a, const at::Tensor& b) {
  return a.strides() == b.strides() || (a.is_contiguous() && b.is_contiguous());
}

/// Returns "decoder.weight", or "a parameter of sizes [4, 2]" if no model with it was passed to initialize().
std::string described(const at::Tensor& parameter) {
  const std::string name = parameter_name(parameter);
  if (!name.empty()) return name;
  std::ostringstream sizes;
  sizes << parameter.sizes();
  return "a parameter of sizes " + sizes.str();
}

void check(const at::Tensor& parameter) {
  const auto type = parameter.scalar_type();
  if (type != at::kFloat && type != at::kDouble && !is_reduced(type)) {
    throw Error("A fused optimizer got a parameter of type " + std::string(toString(type)) +
                ". It updates FP32, FP64, FP16 and BF16 parameters; give parameters of other types to an optimizer of "
                "LibTorch.");
  }
  if (parameter.grad().layout() != at::kStrided) {
    throw Error(
        "A fused optimizer got a sparse gradient for " + described(parameter) +
        ". Use dense gradients (sparse(false) in EmbeddingOptions), or give this parameter to torch::optim::SGD or "
        "Adagrad.");
  }
}

/// Tells whether kernels can work on the parameter's own memory.
bool is_updated_in_place(const at::Tensor& parameter) {
  return !is_reduced(parameter.scalar_type()) && parameter.is_non_overlapping_and_dense();
}

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const at::Tensor& parameter : parameters) {
    Bucket::lay_out_like(parameter, gradients.emplace_back(parameter.grad()));
  }
  return gradients;
}

Bucket in_place(const std::vector<at::Tensor>& parameters) {
  Bucket bucket;
  bucket.parameters = parameters;
  bucket.gradients = gradients_of(parameters);
  return bucket;
}

Bucket with_copies(const std::vector<at::Tensor>& originals) {
  const auto type = originals.front().scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  Bucket bucket;
  bucket.originals = originals;
  bucket.parameters = flat_copy(originals, type).tensors;
  bucket.gradients = flat_like(originals, type).tensors;
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& original : originals) gradients.push_back(original.grad());
  at::_foreach_copy_(bucket.gradients, gradients);
  return bucket;
}

std::optional<at::Tensor> on(at::Device device, const at::Tensor& scalar) {
  if (!scalar.defined()) return std::nullopt;
  return scalar.to(device, at::kFloat, /*non_blocking=*/true).reshape({1});
}

}  // namespace

void Bucket::lay_out_like(const at::Tensor& model, at::Tensor& tensor) {
  if (same_layout(model, tensor)) return;
  at::Tensor laid_out = at::empty_like(model, tensor.options());
  laid_out.copy_(tensor);
  tensor = laid_out;
}

void Bucket::count_step(at::TensorList steps) const {
  if (found_inf) {
    at::_foreach_add_(steps, (1 - *found_inf).squeeze());
  } else {
    at::_foreach_add_(steps, 1);
  }
}

void Bucket::unscale() {
  if (!grad_scale) return;
  at::_foreach_div_(gradients, grad_scale->squeeze());
  grad_scale.reset();
}

void Bucket::finish() const {
  if (!originals.empty()) at::_foreach_copy_(originals, parameters);
}

std::vector<Bucket> buckets_of(const std::vector<at::Tensor>& parameters, const StepFlags& flags) {
  std::vector<at::Tensor> in_place_ones;
  std::vector<at::Tensor> others;
  for (const at::Tensor& parameter : parameters) {
    if (!parameter.grad().defined() || parameter.numel() == 0) continue;
    check(parameter);
    (is_updated_in_place(parameter) ? in_place_ones : others).push_back(parameter);
  }
  std::vector<Bucket> buckets;
  for (const TensorGroup& group : group_by_device_and_type(in_place_ones)) buckets.push_back(in_place(group.tensors));
  for (const TensorGroup& group : group_by_device_and_type(others)) buckets.push_back(with_copies(group.tensors));
  for (Bucket& bucket : buckets) {
    const at::Device device = bucket.parameters.front().device();
    bucket.found_inf = on(device, flags.found_inf);
    // Fused kernels skip only if the flag is exactly 1.
    if (bucket.found_inf) bucket.found_inf = bucket.found_inf->ne(0).to(at::kFloat);
    bucket.grad_scale = on(device, flags.grad_scale);
  }
  return buckets;
}

}  // namespace amp
