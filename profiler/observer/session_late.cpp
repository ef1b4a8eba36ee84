// SPDX-License-Identifier: Apache-2.0
// Figures that are still on a device when their call ends.

#include <torch/types.h>

#include "profiler/calls/call.h"
#include "profiler/observer/session.h"

namespace ampprof::profiler {

DeviceResults* Session::results_of(const at::Tensor& tensor) {
  const bool is_late =
      DeviceResults::serves(tensor) || (options_.pending_on_cpu && tensor.defined() && tensor.is_cpu());
  return is_late ? &results_ : nullptr;
}

void Session::record(const BareCall& call) { recorder_.add_call(call.record); }

void Session::record(Call& call) {
  if (call.local.is_complete() && call.inherited.is_complete()) return recorder_.add_call(call.record);
  const auto lock = locked();
  late_calls_.push_back({.record = std::move(call.record),
                         .phase = call.phase,
                         .local = std::move(call.local),
                         .inherited = std::move(call.inherited),
                         .tensors = std::move(call.tensors)});
}

void Session::complete_late_calls() {
  if (late_calls_.empty()) return;
  const LaunchScope own(gpu(), LaunchedBy::ampprof());
  for (LateCall& call : late_calls_) {
    if (call.phase == Phase::Backward && !call.record.scale) call.record.scale = unscaled_by_;
    call.local.complete(results_);
    call.inherited.complete(results_);
  }
  for (const auto& stage : stages_) stage->completed(late_calls_);
  for (const LateCall& call : late_calls_) recorder_.add_call(call.record);
  late_calls_.clear();
}

}  // namespace ampprof::profiler
