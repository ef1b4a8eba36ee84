// SPDX-License-Identifier: Apache-2.0
// What an optimizer's call does to the weights that it writes: updates that are lost beside their weight.

#include <ATen/ATen.h>

#include <algorithm>
#include <span>

#include "precision/formats/types/number_format.h"
#include "precision/replay/reference/reference.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/weight_change.h"
#include "profiler/calls/call.h"
#include "profiler/calls/pending_call.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {
namespace {

class UpdateStage : public Stage {
 public:
  explicit UpdateStage(const StageContext& context) : context_(context) {}

  bool wants(const OpInfo& info) const override { return info.writes_first; }

  void before(Call& call) override {
    if (call.phase != Phase::Optimizer || !call.sampled) return;
    std::vector<at::Tensor> written = reference::tensors_in(reference::written_arguments(call.op, call.arguments()));
    if (std::ranges::none_of(written, [&](const at::Tensor& tensor) { return is_weight(tensor); })) return;
    call.weights = std::move(written);
    call.weights_kept = reference::save_call(call.op, call.stack, reference::CopyWritten::Always);
  }

  void after(Call& call) override {
    if (call.weights.empty()) return;
    const auto returned = std::vector<c10::IValue>(call.weights.begin(), call.weights.end());
    const auto exact = [](const c10::Argument& argument, const c10::IValue& value) {
      return reference::in_precision(argument, value, at::kDouble);
    };
    const std::vector<at::Tensor> before =
        reference::tensors_in(reference::written_arguments(call.op, call.weights_kept.arguments));
    const reference::Replay rerun = reference::replay(call.op, call.weights_kept, returned, exact);
    if (rerun.outcome != reference::ReplayOutcome::Ran) return;
    for (std::size_t i = 0; i < call.weights.size() && i < rerun.outputs.size(); ++i) {
      if (!rerun.outputs[i].defined() || !is_weight(call.weights[i])) continue;
      compare(call, before[i], call.weights[i], rerun.outputs[i]);
    }
  }

  void completed(std::span<PendingCall> calls) override {
    for (const PendingCall& call : calls) {
      for (const PendingUpdate& update : call.updates) record(update.row, *update.change);
    }
  }

 private:
  bool is_weight(const at::Tensor& tensor) const {
    return tensors::is_measurable(tensor) && !context_.parameters.name_of(tensor).empty();
  }

  void compare(Call& call, const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact) {
    const auto what_if = error::what_if_type(context_.options.what_if);
    const error::Spacing spacing =
        what_if ? error::format_of(*what_if).spacing() : error::spacing_of(tensors::dtype_of(after));
    const WeightUpdate row{.substep = call.record.substep,
                           .call_site = call.record.call_site,
                           .parameter = context_.parameters.name_of(after),
                           .dtype = tensors::dtype_of(after),
                           .lost = {}};
    if (tensors::DeferredReductions* const later = context_.results_of(after)) {
      call.updates.push_back({row, tensors::weight_change_later(before, after, exact, spacing, *later)});
    } else {
      record(row, tensors::weight_change(before, after, exact, spacing));
    }
  }

  void record(WeightUpdate row, const tensors::WeightChange& change) {
    row.count = change.count;
    row.lost = change.lost;
    row.below_half_ulp = change.below_half_ulp;
    row.sum_ulp = change.sum_ulp;
    context_.recorder.add([&](Batch& batch) { batch.updates.push_back(row); });
  }

  const StageContext context_;
};

}  // namespace

std::unique_ptr<Stage> make_update_stage(const StageContext& context) { return std::make_unique<UpdateStage>(context); }

}  // namespace ampprof::profiler
