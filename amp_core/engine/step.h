// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <optional>
#include <vector>

#include "amp_core/casts/casts.h"

namespace amp {

struct OptimizerState;

/// Runs the optimizer's step with casts off, then copies masters to the model. If a backward pass overflowed, skips
/// both and prints a line about the overflow. Returns whether the optimizer stepped.
///
/// With a Fused* optimizer on CUDA and no listener, the step is queued without waiting to learn whether it will be
/// skipped, and the result is true. The line is then printed by the next scale_loss() or loss_scale().
bool step(torch::optim::Optimizer& optimizer);

/// Runs the optimizer's step with a closure, as torch::optim::LBFGS needs; returns the closure's loss. Throws Error
/// with masters, a dynamic scale or O1's casts: an optimizer that evaluates the closure several times per step would
/// use gradients that were neither unscaled nor checked.
at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure);

/// One call of step() in two halves. The caller runs the optimizer's own step between the halves if may_step().
class [[nodiscard]] StepCall {
 public:
  enum class Closure { None, Called };  ///< whether step() was given a closure

  explicit StepCall(torch::optim::Optimizer& optimizer, Closure closure = Closure::None);
  ~StepCall();
  StepCall(const StepCall&) = delete;
  StepCall& operator=(const StepCall&) = delete;

  /// Returns false if a backward pass overflowed; the constructor has printed a line about the overflow.
  bool may_step() const { return may_step_; }
  /// Copies masters to the model after the optimizer's own step.
  void finish();

 private:
  torch::optim::Optimizer* optimizer_;
  OptimizerState* state_ = nullptr;  ///< null if amp is disabled
  bool may_step_ = true;
  bool is_skipped_ = false;  ///< for listeners; also true for a skip on the device
  std::optional<DisableCasts> casts_off_;
};

/// Returns the parameters that the optimizer updates, in order, with FP32 masters in place of half ones. Clip the
/// gradients of these.
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

}  // namespace amp
