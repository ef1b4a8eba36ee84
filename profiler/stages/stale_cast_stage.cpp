// SPDX-License-Identifier: Apache-2.0
// Stale casts: finds calls that compute with a cached cast of torch.autocast whose parameter has since been written.

#include <ATen/ATen.h>

#include <utility>
#include <vector>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/autocast_cache.h"
#include "reports/records/call_facts.h"

namespace ampprof::profiler {
namespace {

/// The comparison of a cached copy with a new cast of the parameter. On a GPU, its results come later.
struct Comparison {
  StaleCast row;
  CallStatistics change{};     ///< the cached copy compared with the new cast
  CallStatistics differing{};  ///< a tensor of 1 where they differ and 0 elsewhere, compared with zeros
};

/// Makes the call's replay take `computed_with` instead of the operand, so that a stale copy does not count as an error
/// of the op.
void replace(Call& call, const at::Tensor& operand, const at::Tensor& computed_with) {
  if (!call.with_stale_casts) call.with_stale_casts = call.saved;
  for (c10::IValue& argument : call.with_stale_casts->arguments) {
    argument = reference::change_tensors(
        argument, [&](const at::Tensor& tensor) { return tensor.is_same(operand) ? computed_with : tensor; });
  }
}

class StaleCastStage : public Stage {
 public:
  StaleCastStage(Recorder& recorder, ParameterFacts& parameters, tensors::DeferredReductions& results)
      : recorder_(recorder), parameters_(parameters), results_(results) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  /// Records a stale cast if copy and cast differ.
  void record(Comparison& compared) const {
    const auto& change = compared.change.value();
    const auto& differing = compared.differing.value();
    if (!change || !change->local || !differing || !differing->local) return;
    StaleCast& row = compared.row;
    row.differing = static_cast<std::int64_t>(differing->local->sum_sq_error);
    row.sum_sq_change = change->local->sum_sq_error;
    row.sum_sq_cast = change->local->sum_sq_reference;
    if (row.differing > 0) record(row);
  }
  void record(const StaleCast& row) const {
    recorder_.add([&](Batch& batch) { batch.stale_casts.push_back(row); });
  }

  Recorder& recorder_;
  ParameterFacts& parameters_;
  tensors::DeferredReductions& results_;
};

/// A call under autocast.
class StaleCastCall : public StageCall {
 public:
  explicit StaleCastCall(const StaleCastStage& stage) : stage_(stage) {}

  void after(Call& call) override {
    if (!call.access.has_memory_budget) return;
    for (const CacheHit& hit : take_cache_hits()) {
      if (tensors::is_measurable(hit.operand) && tensors::is_measurable(hit.copy)) judge(call, hit);
    }
  }

  bool is_complete() const override { return pending_.empty(); }

  void complete(PendingCall& /*call*/) override {
    for (Comparison& compared : pending_) {
      compared.change.complete(stage_.results_);
      compared.differing.complete(stage_.results_);
      stage_.record(compared);
    }
  }

 private:
  void judge(Call& call, const CacheHit& hit) {
    const bool is_comparable = hit.operand.sizes() == hit.copy.sizes() && hit.operand.device() == hit.copy.device();
    if (is_comparable) return compare(call, hit);
    StaleCast row = row_of(call, hit);
    row.differing = row.elements;
    stage_.record(row);
    replace(call, hit.operand, hit.copy);
  }

  void compare(Call& call, const CacheHit& hit) {
    const at::Tensor cast = hit.operand.to(hit.copy.scalar_type());
    tensors::DeferredReductions* const later = stage_.results_.if_deferred(hit.copy);
    if (later == nullptr && at::equal(hit.copy, cast)) return;
    const at::Tensor are_nan = at::logical_and(at::isnan(hit.copy), at::isnan(cast));
    const at::Tensor are_same = at::logical_or(at::eq(hit.copy, cast), are_nan);
    replace(call, hit.operand, at::where(are_same, hit.operand, hit.copy.to(hit.operand.scalar_type())));
    const at::Tensor differing = at::logical_not(are_same).to(at::kFloat);
    Comparison compared{row_of(call, hit)};
    compared.change.add(hit.copy, cast, later);
    compared.differing.add(differing, at::zeros_like(differing), later);
    if (later != nullptr) {
      pending_.push_back(std::move(compared));
    } else {
      stage_.record(compared);
    }
  }

  StaleCast row_of(const Call& call, const CacheHit& hit) const {
    return {.segment = call.record.segment,
            .call_site = call.record.call_site,
            .parameter = stage_.parameters_.name_of(hit.operand),
            .dtype = tensors::dtype_of(hit.copy),
            .cast_segment = hit.cast_segment,
            .elements = hit.copy.numel()};
  }

  const StaleCastStage& stage_;
  std::vector<Comparison> pending_;  ///< comparisons whose results are still on a device
};

std::unique_ptr<StageCall> StaleCastStage::begin(Call& call) {
  if (!has_cached_copies()) return nullptr;
  (void)take_cache_hits();                             // drops the hits of earlier calls that the stage skipped
  if (call.phase == Phase::Recompute) return nullptr;  // the forward was already checked
  return std::make_unique<StaleCastCall>(*this);
}

}  // namespace

std::unique_ptr<Stage> make_stale_cast_stage(Recorder& recorder, ParameterFacts& parameters,
                                             tensors::DeferredReductions& results) {
  return std::make_unique<StaleCastStage>(recorder, parameters, results);
}

}  // namespace ampprof::profiler
