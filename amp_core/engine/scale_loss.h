// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <functional>
#include <memory>

#include "amp_core/base/models.h"

namespace amp {

struct ScaledPass;

/// Holds the options of one scale_loss() call.
struct ScaleLossOptions {
  int loss_id = 0;  ///< index of the scaler, below `num_losses`
  /// Keeps gradients scaled, so that gradients of several calls add up until a call without this option unscales their
  /// sum. Set it for all but the last of several backward passes before a step. The option saves time, and lets
  /// gradients of half parameters add up in half.
  bool delay_unscale = false;
  /// Does not update the scale. An overflow is not forgotten (in Apex it is): the optimizers of this call skip their
  /// next step, and the scale falls once for this overflow, at that step or at the next call for this loss without this
  /// option, whichever comes first. A clean pass is not counted.
  bool delay_overflow_check = false;
};

/// Scales the loss, calls `backward` with it, and leaves unscaled gradients behind: in the masters of half parameters,
/// in the parameters otherwise. `.grad` of a half parameter stays scaled: clip by master_params().
///
/// If a gradient is not finite and the scale is dynamic, the scale falls, the gradients are dropped and the next step()
/// of each of these optimizers is skipped. Optimizers that were not passed still step. If `backward` throws, gradients
/// are as they were before the call, and nothing is counted.
///
/// For a gradient penalty, compute gradients of the scaled loss inside `backward` with create_graph, divide them by
/// loss_scale(), and call backward on the scaled loss plus the penalty times loss_scale().
void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor& scaled)>& backward, const ScaleLossOptions& options = {});

/// One call of scale_loss() in two halves. The caller runs backward between the halves, like the `with` block of a
/// Python script.
class [[nodiscard]] ScaleLossCall {
 public:
  ScaleLossCall(const at::Tensor& loss, const Optimizers& optimizers, const ScaleLossOptions& options = {});
  /// Restores the gradients from before the call, unless finish() returned.
  ~ScaleLossCall();
  ScaleLossCall(const ScaleLossCall&) = delete;
  ScaleLossCall& operator=(const ScaleLossCall&) = delete;

  /// Returns the loss for backward: FP32, multiplied by the scale.
  const at::Tensor& scaled() const { return scaled_; }
  /// Throws Error if backward failed because a rank was lost.
  void explain(const std::exception& error) const;
  /// Unscales, checks and counts the gradients that backward made.
  void finish();

 private:
  at::Tensor scaled_;
  std::unique_ptr<ScaledPass> pass_;  ///< null if amp is disabled, and after finish()
};

/// Returns the current scale of a loss; 1 if amp is disabled.
double loss_scale(int loss_id = 0);

}  // namespace amp
