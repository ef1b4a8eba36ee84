// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace amp {

/// An optimizer whose step can be called off, and its gradients unscaled, by tensors that the host never reads. All
/// Fused* optimizers are.
///
///     auto* on_device = dynamic_cast<amp::SkipsOnDevice*>(&optimizer);
///     on_device->skip_if(found_inf);
///     optimizer.step();  // queued without waiting for the flag
///
/// Both settings hold for the next step() alone; an undefined tensor takes one back.
class SkipsOnDevice {
 public:
  virtual ~SkipsOnDevice() = default;

  /// Where this one-element floating tensor is not zero when the step runs, parameters, state and step counts stay as
  /// they are, bit for bit, whatever the gradients hold. State of parameters that had none is made nevertheless, as
  /// before a first step.
  virtual void skip_if(at::Tensor found_inf) = 0;

  /// Gradients are divided by this one-element floating tensor first: the loss scale. After the step, the values of
  /// `grad()` are the scaled or the unscaled ones, as is cheaper.
  virtual void unscale_by(at::Tensor loss_scale) = 0;
};

}  // namespace amp
