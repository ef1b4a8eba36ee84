// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

namespace ampprof::profiler {

void ImpactLedger::add(const Error& error, int loss_id, double gradient_times_error, const Pass& pass) {
  Sum& sum = sums_[{error, loss_id}];
  if (sum.is_recomputed && !pass.is_recomputed) return;
  if (pass.is_recomputed && !sum.is_recomputed) sum = {.is_recomputed = true};
  if (pass.scale) {
    sum.impact += gradient_times_error / *pass.scale;
  } else {
    sum.unscaled[pass.id] += gradient_times_error;
  }
}

void ImpactLedger::add_gap(const Error& error, int loss_id, ImpactGap gap) { sums_[{error, loss_id}].gap = gap; }

void ImpactLedger::scale_was(std::int64_t pass, double scale) {
  for (auto& [key, sum] : sums_) {
    const auto found = sum.unscaled.find(pass);
    if (found == sum.unscaled.end()) continue;
    sum.impact += found->second / scale;
    sum.unscaled.erase(found);
  }
}

void ImpactLedger::scale_was(double scale) {
  for (auto& [key, sum] : sums_) {
    for (const auto& [pass, unscaled] : sum.unscaled) sum.impact += unscaled / scale;
    sum.unscaled.clear();
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
    impact.gap = sum.gap != ImpactGap::None || sum.unscaled.empty() ? sum.gap : ImpactGap::ScaleUnknown;
    if (impact.gap == ImpactGap::None) impact.impact = sum.impact;
  }
  sums_.clear();
  return impacts;
}

}  // namespace ampprof::profiler
