// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "profiler/overflow/overflow_event.h"

namespace ampprof::profiler {

/// Receives the actions of a GradScaler, which the stage reads from the scaler's ops. Thread-safe.
class ScalerEvents {
 public:
  /// Returns whether the program has an AMP engine, which reports its own actions.
  virtual bool has_engine() const = 0;
  /// Notes that an optimizer's gradients were divided by `scale`. Empty if the optimizer's own kernel divides them.
  virtual void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) = 0;
  /// Returns the values of one-element tensors. Fetches all pending results of the device at the same time, so that the
  /// end of the step need not wait.
  virtual std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) = 0;
  /// Returns a new event with the recorded facts of this backward pass. Waits for pending results of a device.
  virtual OverflowEventBuilder begin_event() = 0;
  /// Records an overflow and the scaler's decision. Fills in the segment of `decision`.
  virtual void overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) = 0;
  /// Ends a GradScaler's step. `scaler` is the address of its scale tensor, as an id. `overflow`: updates were skipped.
  virtual void scaler_decided(const void* scaler, double before, double after, bool overflow) = 0;
  /// Records an update of the loss scale. `skipped`: the optimizer did not update.
  virtual void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) = 0;

 protected:
  ~ScalerEvents() = default;
};

}  // namespace ampprof::profiler
