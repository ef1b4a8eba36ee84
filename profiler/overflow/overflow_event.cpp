// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/overflow_event.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {
namespace {

/// Counts NaN and inf in a gradient. Leaves the parameter's name empty. Returns empty if the gradient is finite.
std::optional<EventParameter> nonfinite_in(const ScaledGradient& scaled) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor nan = at::isnan(scaled.gradient);
  const at::Tensor inf = at::isinf(scaled.gradient);
  EventParameter parameter;
  parameter.nan = nan.sum().item<std::int64_t>();
  parameter.inf = inf.sum().item<std::int64_t>();
  if (parameter.nan + parameter.inf == 0) return std::nullopt;
  if (parameter.nan + parameter.inf < scaled.gradient.numel()) {
    const at::Tensor finite = scaled.gradient.to(at::kDouble).abs().masked_fill(at::logical_or(nan, inf), 0.0);
    parameter.finite_amax = finite.max().item<double>() * scaled.factor;
  }
  return parameter;
}

}  // namespace

void OverflowEventBuilder::add(const std::vector<ScaledGradient>& gradients, const NameOf& name_of) {
  std::vector<NonfiniteTrace::Id> ids{id_};
  bool is_known = id_ != NonfiniteTrace::kOutside;
  for (const ScaledGradient& scaled : gradients) {
    auto bad = scaled.gradient.defined() ? nonfinite_in(scaled) : std::nullopt;
    if (!bad) continue;
    bad->name = name_of(scaled);
    parameters_.push_back(*std::move(bad));
    const auto id = memory_->id_of(NonfiniteMemory::of(*scaled.gradient.unsafeGetTensorImpl()));
    if (id) ids.push_back(*id);
    is_known = is_known || id;
  }
  id_ = trace_->joined(ids);
  if (!is_known) id_ = trace_->likely_id();
  safe_scale_ = trace_->largest_safe_scale(id_);
  trace_->gradients.sort(parameters_, trace_->first_gradient(id_));
}

void OverflowEventBuilder::finish(const NonfiniteTrace::Decision& decision) && {
  trace_->decided(id_, decision, std::move(parameters_), safe_scale_);
}

}  // namespace ampprof::profiler
