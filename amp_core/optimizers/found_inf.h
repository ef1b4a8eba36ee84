// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace amp {

/// An optimizer that can skip its step and unscale its gradients by tensors on the device, which the host never reads.
/// All Fused* optimizers implement it.
///
///     auto* on_device = dynamic_cast<amp::SkipsOnDevice*>(&optimizer);
///     on_device->skip_if(found_inf);
///     optimizer.step();  // queued without waiting for the flag
///
/// Both settings apply only to the next step(). An undefined tensor cancels a setting.
class SkipsOnDevice {
 public:
  virtual ~SkipsOnDevice() = default;

  /// If this one-element floating tensor is not zero when the step runs, parameters, state and step counts stay
  /// unchanged, bit for bit, whatever the gradients contain. Parameters without state still get their initial state.
  virtual void skip_if(at::Tensor found_inf) = 0;

  /// The next step first divides gradients by this one-element floating tensor, the loss scale. After the step,
  /// `grad()` may have the scaled or the unscaled values.
  virtual void unscale_by(at::Tensor loss_scale) = 0;
};

}  // namespace amp
