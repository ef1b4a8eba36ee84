// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <functional>
#include <memory>

#include "amp_core/base/models.h"

namespace amp {

struct ScaledPass;

struct ScaleLossOptions {
  int loss_id = 0;  ///< which of `num_losses` scalers
  /// Gradients stay scaled and add up, until a call without it unscales them all. For all but the last of several
  /// backward passes before a step; saves time, and lets gradients of half parameters add up in half.
  bool delay_unscale = false;
  /// The scale is not updated by this call. An overflow is not forgotten (in Apex it is): the optimizers of this call
  /// skip their next step, and the scale falls once for it, at the next call for this loss without the flag or at that
  /// step, whichever comes first. A clean pass is not counted.
  bool delay_overflow_check = false;
};

/// Scales the loss, calls `backward` with it, and leaves unscaled gradients behind: in the masters of half parameters,
/// in the parameters otherwise. Where a gradient is not finite and the scale is dynamic, the scale falls, the
/// gradients are dropped and the next step() of each of these optimizers is skipped; optimizers that are not passed
/// step all the same. `.grad` of a half parameter stays scaled: clip by master_params(). If `backward` throws,
/// gradients are as they were before the call, and nothing is counted.
///
/// For a gradient penalty, take gradients of the scaled loss inside `backward` with create_graph, divide them by
/// loss_scale(), and call backward on scaled loss plus penalty times loss_scale().
void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor& scaled)>& backward, const ScaleLossOptions& options = {});

/// One call of scale_loss() in two halves. The caller runs backward between them, as the `with` block of a Python
/// script does.
class [[nodiscard]] ScaleLossCall {
 public:
  ScaleLossCall(const at::Tensor& loss, const Optimizers& optimizers, const ScaleLossOptions& options = {});
  /// Leaves gradients as they were before the call, unless finish() returned.
  ~ScaleLossCall();
  ScaleLossCall(const ScaleLossCall&) = delete;
  ScaleLossCall& operator=(const ScaleLossCall&) = delete;

  /// The loss to call backward with: FP32, multiplied by the scale.
  const at::Tensor& scaled() const { return scaled_; }
  /// Throws Error if backward failed because a rank was lost.
  void explain(const std::exception& error) const;
  /// Unscales, checks and counts the gradients that backward made.
  void finish();

 private:
  at::Tensor scaled_;
  std::unique_ptr<ScaledPass> pass_;  ///< null where amp is disabled, and once the call is finished
};

/// Returns the scale of a loss now; 1 where amp is disabled.
double loss_scale(int loss_id = 0);

}  // namespace amp
