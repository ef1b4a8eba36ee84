// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "reports/records/event.h"

namespace ampprof::profiler {

/// A gradient that a loss scaler looked at.
struct ScaledGradient {
  at::Tensor gradient;
  double factor = 1.0;     ///< takes it back to what the backward pass made of it: the loss scale, once it was unscaled
  at::Tensor parameter{};  ///< undefined where only the gradient is known
};

/// Gathers what a loss scaler, an engine's or a GradScaler, saw of gradients that are not finite.
class OverflowEventBuilder {
 public:
  using NameOf = std::function<std::string(const ScaledGradient&)>;

  /// Asks `trace` and `memory` what they know now. Both outlive this.
  OverflowEventBuilder(NonfiniteTrace& trace, const NonfiniteMemory& memory) : trace_(&trace), memory_(&memory) {}

  /// Adds those of the gradients that are not finite, and asks for their names. Waits for the device.
  void add(const std::vector<ScaledGradient>& gradients, const NameOf& name_of);

  /// Tells the trace of the decision.
  void finish(const NonfiniteTrace::Decision& decision) &&;

 private:
  NonfiniteTrace* trace_;
  const NonfiniteMemory* memory_;
  NonfiniteTrace::Id id_ = NonfiniteTrace::kOutside;  ///< that the gradients descend from
  std::optional<NonfiniteTrace::SafeScale> safe_scale_;
  std::vector<EventParameter> parameters_;
};

}  // namespace ampprof::profiler
