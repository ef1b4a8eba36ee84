// SPDX-License-Identifier: Apache-2.0
// Weight updates: finds updates that an optimizer loses to rounding because they are small relative to their weight.

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "precision/replay/reference/arithmetic.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/weight_change.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

/// An optimizer's update of a weight whose statistics are still on a device.
struct PendingUpdate {
  WeightUpdate row;
  tensors::PendingChange change;
};

class UpdateStage : public Stage {
 public:
  UpdateStage(std::optional<error::Spacing> spacing, Recorder& recorder, ParameterFacts& parameters,
              tensors::DeferredReductions& results)
      : spacing_(spacing), recorder_(recorder), parameters_(parameters), results_(results) {}

  bool wants(const OpInfo& info) const override { return info.writes_first; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  bool is_weight(const at::Tensor& tensor) const {
    return tensors::is_measurable(tensor) && !parameters_.name_of(tensor).empty();
  }

  /// Compares and records an update. If its statistics are still on a device, returns the update instead of recording
  /// it.
  std::optional<PendingUpdate> compare(const Call& call, const at::Tensor& before, const at::Tensor& after,
                                       const at::Tensor& exact) const {
    const error::Spacing spacing = spacing_.value_or(error::spacing_of(tensors::dtype_of(after)));
    const WeightUpdate row{.segment = call.record.segment,
                           .call_site = call.record.call_site,
                           .parameter = parameters_.name_of(after),
                           .dtype = tensors::dtype_of(after),
                           .lost = {}};
    if (tensors::DeferredReductions* const later = results_.if_deferred(after)) {
      return PendingUpdate{row, tensors::weight_change_later(before, after, exact, spacing, *later)};
    }
    record(row, tensors::weight_change(before, after, exact, spacing));
    return std::nullopt;
  }

  void record(WeightUpdate row, const tensors::WeightChange& change) const {
    row.count = change.count;
    row.lost = change.lost;
    row.below_half_ulp = change.below_half_ulp;
    row.sum_ulp = change.sum_ulp;
    recorder_.add([&](Batch& batch) { batch.updates.push_back(row); });
  }

 private:
  const std::optional<error::Spacing> spacing_;
  Recorder& recorder_;
  ParameterFacts& parameters_;
  tensors::DeferredReductions& results_;
};

/// A call of an optimizer that writes a weight.
class UpdateCall : public StageCall {
 public:
  UpdateCall(const UpdateStage& stage, std::vector<at::Tensor> written, reference::SavedCall saved)
      : stage_(stage), written_(std::move(written)), saved_(std::move(saved)) {}

  void after(Call& call) override {
    // Frees the tensors at once, since this object may live until the end of the step.
    const std::vector<at::Tensor> weights = std::exchange(written_, {});
    const reference::SavedCall saved = std::exchange(saved_, {});
    const auto returned = std::vector<c10::IValue>(weights.begin(), weights.end());
    const std::vector<at::Tensor> before =
        reference::tensors_in(reference::written_arguments(call.op, saved.arguments));
    const reference::Replay exact = reference::replay(call.op, saved, returned, reference::Exact(at::kDouble));
    if (exact.outcome != reference::ReplayOutcome::Ran) return;
    for (std::size_t i = 0; i < weights.size() && i < exact.outputs.size(); ++i) {
      if (!exact.outputs[i].defined() || !stage_.is_weight(weights[i])) continue;
      if (auto pending = stage_.compare(call, before[i], weights[i], exact.outputs[i])) {
        updates_.push_back(*std::move(pending));
      }
    }
  }

  bool is_complete() const override { return updates_.empty(); }

  void complete(PendingCall& /*call*/) override {
    for (const PendingUpdate& update : updates_) stage_.record(update.row, *update.change);
  }

 private:
  const UpdateStage& stage_;
  std::vector<at::Tensor> written_;
  reference::SavedCall saved_;
  std::vector<PendingUpdate> updates_;  ///< updates whose statistics are still on a device
};

// Saves a copy of the old weight, on which after() repeats the update in FP64. Only in steps recorded in full, since
// this is much of the cost of an FP32 recording.
std::unique_ptr<StageCall> UpdateStage::begin(Call& call) {
  if (call.phase != Phase::Optimizer || !call.sampled || !call.in_full) return nullptr;
  std::vector<at::Tensor> written = reference::tensors_in(reference::written_arguments(call.op, call.arguments()));
  if (std::ranges::none_of(written, [&](const at::Tensor& tensor) { return is_weight(tensor); })) return nullptr;
  return std::make_unique<UpdateCall>(*this, std::move(written),
                                      reference::save_call(call.op, call.stack, reference::CopyWritten::Always));
}

}  // namespace

std::unique_ptr<Stage> make_update_stage(std::optional<error::Spacing> spacing, Recorder& recorder,
                                         ParameterFacts& parameters, tensors::DeferredReductions& results) {
  return std::make_unique<UpdateStage>(spacing, recorder, parameters, results);
}

}  // namespace ampprof::profiler
