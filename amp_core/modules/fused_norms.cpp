// SPDX-License-Identifier: Apache-2.0
#include "amp_core/modules/fused_norms.h"

#include <ATen/Functions.h>
#include <c10/core/ScalarType.h>

#include <ostream>

namespace amp {
namespace {

at::Tensor cast(const at::Tensor& tensor, at::ScalarType type) { return tensor.defined() ? tensor.to(type) : tensor; }

/// Returns the wider type of input and weight: the norm is computed in it.
at::ScalarType wider(const at::Tensor& input, const at::Tensor& weight) {
  return weight.defined() ? c10::promoteTypes(input.scalar_type(), weight.scalar_type()) : input.scalar_type();
}

at::Tensor to_type_of(const at::Tensor& output, const at::Tensor& weight) {
  return weight.defined() ? output.to(weight.scalar_type()) : output;
}

void print(std::ostream& stream, const char* name, const torch::nn::LayerNormOptions& options) {
  stream << name << "(" << at::IntArrayRef(options.normalized_shape()) << ", eps=" << options.eps()
         << ", elementwise_affine=" << options.elementwise_affine() << ")";
}

}  // namespace

FusedLayerNormImpl::FusedLayerNormImpl(std::vector<std::int64_t> normalized_shape)
    : FusedLayerNormImpl(torch::nn::LayerNormOptions(std::move(normalized_shape))) {}

FusedLayerNormImpl::FusedLayerNormImpl(torch::nn::LayerNormOptions options) : options(std::move(options)) {
  FusedLayerNormImpl::reset();
}

void FusedLayerNormImpl::reset() {
  if (!options.elementwise_affine()) return;
  weight = register_parameter("weight", at::ones(options.normalized_shape()));
  bias = register_parameter("bias", at::zeros(options.normalized_shape()));
}

void FusedLayerNormImpl::pretty_print(std::ostream& stream) const { print(stream, "amp::FusedLayerNorm", options); }

at::Tensor FusedLayerNormImpl::forward(const at::Tensor& input) {
  const auto type = wider(input, weight);
  const at::Tensor output =
      at::layer_norm(input.to(type), options.normalized_shape(), cast(weight, type), cast(bias, type), options.eps());
  return to_type_of(output, weight);
}

FusedRMSNormImpl::FusedRMSNormImpl(std::vector<std::int64_t> normalized_shape)
    : FusedRMSNormImpl(torch::nn::LayerNormOptions(std::move(normalized_shape))) {}

FusedRMSNormImpl::FusedRMSNormImpl(torch::nn::LayerNormOptions options) : options(std::move(options)) {
  FusedRMSNormImpl::reset();
}

void FusedRMSNormImpl::reset() {
  if (options.elementwise_affine()) weight = register_parameter("weight", at::ones(options.normalized_shape()));
}

void FusedRMSNormImpl::pretty_print(std::ostream& stream) const { print(stream, "amp::FusedRMSNorm", options); }

at::Tensor FusedRMSNormImpl::forward(const at::Tensor& input) {
  const auto type = wider(input, weight);
  const auto scale = weight.defined() ? std::optional(cast(weight, type)) : std::nullopt;
  return to_type_of(at::rms_norm(input.to(type), options.normalized_shape(), scale, options.eps()), weight);
}

}  // namespace amp
