// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/intrusive_ptr.h>
#include <torch/arg.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/common.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <optional>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "amp_core/base/batch_norm_layer.h"

namespace amp::parallel {

/// Holds the options of SyncBatchNorm: those of torch::nn::BatchNorm2d, a process group, and Apex's fused ReLU.
struct SyncBatchNormOptions {
  SyncBatchNormOptions(std::int64_t num_features)  // NOLINT(google-explicit-constructor)
      : num_features_(num_features) {}

  using Group = c10::intrusive_ptr<c10d::ProcessGroup>;
  TORCH_ARG(std::int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(std::optional<double>, momentum) = 0.1;  ///< empty: running statistics are averages of all batches
  TORCH_ARG(bool, affine) = true;
  TORCH_ARG(bool, track_running_stats) = true;
  TORCH_ARG(bool, fuse_relu) = false;
  TORCH_ARG(Group, process_group);  ///< the ranks that share statistics; null: default_group(), read at each forward
};

/// Batch norm with the statistics of all ranks' batches, for inputs (N, C, ...) of two or more dimensions.
///
/// While the layer trains, all ranks of the group must run its forward and backward at the same time, in the same
/// order. N may differ between ranks and be 0. Gradients of weight and bias come from the rank's own values; average
/// them over the ranks like all other gradients. In eval mode, and in a group of one rank, the layer equals
/// torch::nn::BatchNorm2d. Parameters and buffers have the names of BatchNorm2d, so checkpoints fit. Statistics are
/// FP32 for half inputs, whatever the parameters are; O2 keeps them FP32. While it trains on CUDA, forward waits for
/// the device. It has no second derivative.
class SyncBatchNormImpl : public torch::nn::Cloneable<SyncBatchNormImpl>, public BatchNormLayer {
 public:
  explicit SyncBatchNormImpl(SyncBatchNormOptions options);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  /// Returns the normalized input, plus `addend` (of the input's shape) if defined. With `fuse_relu`, applies ReLU to
  /// the sum. Throws Error for other shapes, and in training mode for fewer than two values per channel.
  at::Tensor forward(const at::Tensor& input, const at::Tensor& addend = {});

  SyncBatchNormOptions options;
  at::Tensor weight;               ///< (C), initially ones; undefined without affine parameters
  at::Tensor bias;                 ///< (C), initially zeros
  at::Tensor running_mean;         ///< (C), initially zeros; undefined without running statistics
  at::Tensor running_var;          ///< (C), initially ones
  at::Tensor num_batches_tracked;  ///< int64

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, torch::nn::AnyValue(at::Tensor())})

 private:
  bool counts_batches() const;
  double momentum_of_next_batch() const;
  at::Tensor normalized(const at::Tensor& input, const at::Tensor& addend) const;
  at::Tensor normalized_alone(const at::Tensor& input, const at::Tensor& addend) const;
};
/// Holds a SyncBatchNormImpl.
TORCH_MODULE(SyncBatchNorm);

}  // namespace amp::parallel
