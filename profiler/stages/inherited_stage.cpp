// SPDX-License-Identifier: Apache-2.0
// Inherited error: compares the outputs of a call with their counterparts in the shadow, which has followed the call.

#include <ATen/ATen.h>

#include "precision/replay/variant/shadow.h"
#include "profiler/calls/call.h"
#include "profiler/calls/pending_call.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class InheritedStage : public Stage {
 public:
  explicit InheritedStage(const StageContext& context) : context_(context) {}

  /// Ops that return nothing (`_fused_sgd_`) are judged by what they wrote.
  void before(Call& call) override {
    if (call.is_followed && call.op.schema().returns().empty()) {
      call.written = reference::written_arguments(call.op, call.arguments());
    }
  }

  /// A call in which nothing was computed on the shadow is a view, or FP32 throughout: it inherits what its input did.
  void after(Call& call) override {
    if (call.leaves_followed == 0) return;
    const auto outputs = call.op.schema().returns().empty() ? c10::ArrayRef<c10::IValue>(call.written) : call.results();
    for (const at::Tensor& output : reference::tensors_in(outputs)) {
      if (!output.defined()) continue;
      const at::Tensor counterpart = context_.shadow->memory().of(output);
      if (!counterpart.defined()) continue;
      call.inherited.add(output, counterpart, context_.results_of(output));
    }
    if (call.inherited.is_complete()) put(call.record, call.phase, call.inherited);
  }

  void completed(std::span<PendingCall> calls) override {
    for (PendingCall& call : calls) put(call.record, call.phase, call.inherited);
  }

 private:
  void put(OpCall& record, Phase phase, const CallStatistics& inherited) {
    put_inherited(record, inherited.value());
    if (phase == Phase::Backward && record.inherited && record.scale) {
      context_.trace.gradient_without_rounding(inherited.value()->ranges.reference_amax, *record.scale);
    }
  }

  const StageContext context_;
};

}  // namespace

std::unique_ptr<Stage> make_inherited_stage(const StageContext& context) {
  return std::make_unique<InheritedStage>(context);
}

}  // namespace ampprof::profiler
