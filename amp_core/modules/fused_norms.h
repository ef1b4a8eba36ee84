// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/options/normalization.h>
#include <torch/nn/pimpl.h>

#include <vector>

namespace amp {

/// Layer norm over the trailing dimensions in one kernel, with statistics in FP32 for any input.
///
/// Input: any shape that ends with `normalized_shape`. If input and weight differ in type ("mixed": half activations,
/// FP32 parameters), the norm is computed in the wider type and the output has the weight's type. Otherwise, also
/// without affine parameters, the output has the input's type. The options are those of torch::nn::LayerNorm (eps 1e-5,
/// affine).
class FusedLayerNormImpl : public torch::nn::Cloneable<FusedLayerNormImpl> {
 public:
  explicit FusedLayerNormImpl(std::vector<std::int64_t> normalized_shape);
  explicit FusedLayerNormImpl(torch::nn::LayerNormOptions options);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input);

  torch::nn::LayerNormOptions options;
  at::Tensor weight;  ///< initially ones; undefined without affine parameters
  at::Tensor bias;    ///< initially zeros
};
/// Holds a FusedLayerNormImpl, like LibTorch's module holders.
TORCH_MODULE(FusedLayerNorm);

/// x / sqrt(mean(x²) + eps) * weight over the trailing dimensions (Zhang and Sennrich, arXiv:1910.07467). Types follow
/// the rules of FusedLayerNorm.
class FusedRMSNormImpl : public torch::nn::Cloneable<FusedRMSNormImpl> {
 public:
  explicit FusedRMSNormImpl(std::vector<std::int64_t> normalized_shape);
  explicit FusedRMSNormImpl(torch::nn::LayerNormOptions options);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input);

  torch::nn::LayerNormOptions options;
  at::Tensor weight;  ///< initially ones; undefined without affine parameters
};
/// Holds a FusedRMSNormImpl.
TORCH_MODULE(FusedRMSNorm);

}  // namespace amp
