// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "profiler/overflow/overflow_event.h"

namespace ampprof::profiler {

/// Takes a GradScaler's actions, read from its ops. Thread-safe.
class ScalerEvents {
 public:
  /// Returns whether the program has an AMP engine, which reports its own actions.
  virtual bool has_engine() const = 0;
  /// Notes that an optimizer's gradients were divided by the scale. `scale` is empty if the optimizer's kernel divides
  /// them.
  virtual void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) = 0;
  /// Returns the values of tensors of one element. Fetches them together with all waiting figures of the device, so the
  /// end of the step waits for nothing more.
  virtual std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) = 0;
  /// Returns a new event with the facts that are known of this backward pass. Waits for figures on a device.
  virtual OverflowEventBuilder begin_event() = 0;
  /// Takes the scaler's decision on an overflow. Fills in the segment of `decision`.
  virtual void overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) = 0;
  /// Takes the end of a GradScaler's step. The scaler is known by its scale tensor. `overflow`: it skipped updates.
  virtual void scaler_decided(const void* scaler, double before, double after, bool overflow) = 0;
  /// Takes an update of the loss scale. `skipped`: the optimizer did not update.
  virtual void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) = 0;

 protected:
  ~ScalerEvents() = default;
};

}  // namespace ampprof::profiler
