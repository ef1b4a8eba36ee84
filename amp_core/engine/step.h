// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <optional>
#include <vector>

#include "amp_core/casts/casts.h"

namespace amp {

struct OptimizerState;

/// Runs the optimizer's step with casts off, then copies masters to the model; or does neither when a backward pass
/// overflowed, and prints a line that says so. Returns whether the optimizer stepped.
///
/// Where a Fused* optimizer runs on CUDA and no listener is there, the step is queued without waiting to learn whether
/// it will be skipped, and true is returned; the line then comes with the next scale_loss(), or whenever the scale is
/// asked for.
bool step(torch::optim::Optimizer& optimizer);

/// Runs the optimizer's step with a closure, as torch::optim::LBFGS needs one; returns its loss. Refused where there
/// are masters, a dynamic scale or O1's casts: an optimizer that evaluates the closure several times in a step would
/// use gradients that nobody has unscaled or checked.
at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure);

/// One call of step() in two halves. The caller runs the optimizer's own step between them, if it may.
class [[nodiscard]] StepCall {
 public:
  enum class Closure { None, Called };  ///< which form of step() this is

  explicit StepCall(torch::optim::Optimizer& optimizer, Closure closure = Closure::None);
  ~StepCall();
  StepCall(const StepCall&) = delete;
  StepCall& operator=(const StepCall&) = delete;

  /// False where a backward pass overflowed; the line that says so is printed then.
  bool may_step() const { return may_step_; }
  /// Copies masters to the model, after the optimizer's own step.
  void finish();

 private:
  torch::optim::Optimizer* optimizer_;
  OptimizerState* state_ = nullptr;  ///< null where amp is disabled
  bool may_step_ = true;
  bool is_skipped_ = false;  ///< as listeners are told, on the device too
  std::optional<DisableCasts> casts_off_;
};

/// Returns the parameters that the optimizer updates, FP32 masters where there are any, in order: what to clip.
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

}  // namespace amp
