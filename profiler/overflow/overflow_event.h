// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "profiler/overflow/nonfinite_trace.h"
#include "reports/records/event.h"

namespace ampprof::profiler {

/// A gradient that a loss scaler looked at.
struct ScaledGradient {
  at::Tensor gradient;
  double factor = 1.0;     ///< takes it back to what the backward pass made of it: the loss scale, once it was unscaled
  at::Tensor parameter{};  ///< undefined where only the gradient is known
};

/// Tells what a loss scaler did because of it.
struct ScalerDecision {
  int loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
};

/// Builds the event of a loss scaler, an engine's or a GradScaler, that saw gradients which are not finite.
class OverflowEventBuilder {
 public:
  using NameOf = std::function<std::string(const ScaledGradient&)>;

  /// Takes the origin, the chain and the largest safe scale that `trace` knows now. It outlives this.
  explicit OverflowEventBuilder(const NonfiniteTrace& trace) : trace_(&trace), event_(trace.event()) {}

  /// Adds those of the gradients that are not finite, and asks for their names. Waits for the device.
  void add(const std::vector<ScaledGradient>& gradients, const NameOf& name_of);

  OverflowEvent finish(const ScalerDecision& decision) &&;

 private:
  const NonfiniteTrace* trace_;
  OverflowEvent event_;
};

}  // namespace ampprof::profiler
