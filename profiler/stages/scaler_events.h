// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "profiler/overflow/overflow_event.h"

namespace ampprof::profiler {

/// Takes what a GradScaler does, as its ops tell. Thread-safe.
class ScalerEvents {
 public:
  /// Returns whether the program has an AMP engine, which tells its own.
  virtual bool has_engine() const = 0;
  /// Takes the scale off these gradients of one optimizer. `scale` is empty where that is left to the optimizer's
  /// kernel.
  virtual void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) = 0;
  /// Returns the values of tensors of one element. Those on devices come with all other figures that wait there: the
  /// step's are in then, and its end waits for no more.
  virtual std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) = 0;
  /// Returns the beginning of an event, with what is known of this backward. Waits for figures that are on a device.
  virtual OverflowEventBuilder begin_event() = 0;
  /// The scaler has decided. The segment of `decision` is filled in here.
  virtual void overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) = 0;
  /// A GradScaler, known by its scale tensor, is done with a step. `overflow`: it left updates out.
  virtual void scaler_decided(const void* scaler, double before, double after, bool overflow) = 0;
  /// `skipped`: the optimizer did not update.
  virtual void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) = 0;

 protected:
  ~ScalerEvents() = default;
};

}  // namespace ampprof::profiler
