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

/// A gradient that a loss scaler has checked.
struct ScaledGradient {
  at::Tensor gradient;
  double factor = 1.0;     ///< `gradient` times this is its value in backward: the loss scale if unscaled, else 1
  at::Tensor parameter{};  ///< undefined if only the gradient is known
};

/// Gathers the nonfinite gradients that a loss scaler has found: an AMP engine's or a GradScaler.
class OverflowEventBuilder {
 public:
  using NameOf = std::function<std::string(const ScaledGradient&)>;

  /// `trace` and `memory` must outlive this object.
  OverflowEventBuilder(NonfiniteTrace& trace, const NonfiniteMemory& memory) : trace_(&trace), memory_(&memory) {}

  /// Adds the gradients that are not finite, with the names of their parameters. Waits for the device.
  void add(const std::vector<ScaledGradient>& gradients, const NameOf& name_of);

  /// Passes the decision to the trace.
  void finish(const NonfiniteTrace::Decision& decision) &&;

 private:
  NonfiniteTrace* trace_;
  const NonfiniteMemory* memory_;
  NonfiniteTrace::Id id_ = NonfiniteTrace::kOutside;  ///< event from which the gradients descend
  std::optional<NonfiniteTrace::SafeScale> safe_scale_;
  std::vector<EventParameter> parameters_;
};

}  // namespace ampprof::profiler
