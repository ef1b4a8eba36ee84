// SPDX-License-Identifier: Apache-2.0
// Inherited error: compares the outputs of a call with their counterparts in the shadow, the same step in exact
// arithmetic.
#include <ATen/ATen.h>

#include <utility>

#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/replays/step_replays.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class InheritedStage : public Stage {
 public:
  InheritedStage(const StepReplays& steps, NonfiniteTrace& trace, tensors::DeferredReductions& results)
      : exact_(steps.step(0)->memory()), trace_(trace), results_(results) {}

  std::unique_ptr<StageCall> begin(Call& call) override;

  void put(OpCall& record, Phase phase, const CallStatistics& inherited) const {
    const auto& measured = inherited.value();
    if (!measured || !measured->local) return;
    record.inherited = measured->local;
    record.inherited_exponents = encode(measured->exponents);
    if (measured->local->excluded > 0) {
      trace_.compared_with_shadow(record.call_site, record.segment, measured->local->infinite > 0);
    }
    if (phase == Phase::Backward && record.scale) {
      trace_.gradients.without_rounding(measured->ranges.reference_amax, *record.scale);
    }
  }

  StepReplays::Counterparts& exact_;
  NonfiniteTrace& trace_;
  tensors::DeferredReductions& results_;
};

class InheritedCall : public StageCall {
 public:
  InheritedCall(const InheritedStage& stage, std::vector<c10::IValue> written)
      : stage_(stage), written_(std::move(written)) {}

  /// Skips a call in which nothing was replayed (a view, or a call in FP32 throughout), whose outputs have the errors
  /// of the inputs.
  void after(Call& call) override {
    const std::vector<c10::IValue> written = std::exchange(written_, {});
    if (call.replayed_leaves == 0) return;
    const auto outputs = call.op.schema().returns().empty() ? c10::ArrayRef<c10::IValue>(written) : call.results();
    for (const at::Tensor& output : reference::tensors_in(outputs)) {
      if (!reference::is_floating(output)) continue;
      const at::Tensor counterpart = stage_.exact_.of(output);
      if (counterpart.defined()) inherited_.add(output, counterpart, stage_.results_.if_deferred(output));
    }
    if (is_complete()) stage_.put(call.record, call.phase, inherited_);
  }

  bool is_complete() const override { return inherited_.is_complete(); }

  void complete(PendingCall& call) override {
    inherited_.complete(stage_.results_);
    stage_.put(call.record, call.phase, inherited_);
  }

 private:
  const InheritedStage& stage_;
  std::vector<c10::IValue> written_;  ///< arguments that an op without results (`_fused_sgd_`) writes
  CallStatistics inherited_;
};

std::unique_ptr<StageCall> InheritedStage::begin(Call& call) {
  if (!call.has_replays) return nullptr;
  const bool returns_nothing = call.op.schema().returns().empty();
  return std::make_unique<InheritedCall>(
      *this, returns_nothing ? reference::written_arguments(call.op, call.arguments()) : std::vector<c10::IValue>{});
}

}  // namespace

std::unique_ptr<Stage> make_inherited_stage(const StepReplays& steps, NonfiniteTrace& trace,
                                            tensors::DeferredReductions& results) {
  return std::make_unique<InheritedStage>(steps, trace, results);
}

}  // namespace ampprof::profiler
