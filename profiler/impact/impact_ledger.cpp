// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

namespace ampprof::profiler {

void ImpactLedger::add(const Error& error, int loss_id, double gradient_times_error, std::optional<double> scale) {
  Sum& sum = sums_[{error, loss_id}];
  if (scale) {
    sum.impact += gradient_times_error / *scale;
  } else {
    sum.unscaled += gradient_times_error;
    sum.has_unscaled = true;
  }
}

void ImpactLedger::add_gap(const Error& error, int loss_id, ImpactGap gap) { sums_[{error, loss_id}].gap = gap; }

void ImpactLedger::scale_was(double scale) {
  for (auto& [key, sum] : sums_) {
    sum.impact += sum.unscaled / scale;
    sum.unscaled = 0.0;
    sum.has_unscaled = false;
  }
}

std::vector<LossImpact> ImpactLedger::take() {
  std::vector<LossImpact> impacts;
  for (const auto& [key, sum] : sums_) {
    const auto& [error, loss_id] = key;
    LossImpact& impact = impacts.emplace_back();
    impact.segment = error.segment;
    impact.loss_id = loss_id;
    impact.source = error.source;
    impact.call_site = error.call_site;
    impact.name = error.name;
    impact.gap = sum.gap != ImpactGap::None || !sum.has_unscaled ? sum.gap : ImpactGap::ScaleUnknown;
    if (impact.gap == ImpactGap::None) impact.impact = sum.impact;
  }
  sums_.clear();
  return impacts;
}

}  // namespace ampprof::profiler
