// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

#include <iterator>

namespace ampprof::profiler {

void ImpactLedger::add(const Error& error, int loss_id, double gradient_times_error, const Pass& pass,
                       std::uint64_t function) {
  Sum& sum = sums_[{error, loss_id}];
  Part& part = sum.parts[function];
  if (pass.scale) {
    part.impact += gradient_times_error / *pass.scale;
  } else {
    part.unscaled[pass.id] += gradient_times_error;
  }
}

void ImpactLedger::drop(std::uint64_t function) {
  for (auto place = sums_.begin(); place != sums_.end();) {
    Sum& sum = place->second;
    const bool is_left = sum.parts.erase(function) == 0 || !sum.parts.empty() || sum.gap != ImpactGap::None;
    place = is_left ? std::next(place) : sums_.erase(place);
  }
}

void ImpactLedger::add_gap(const Error& error, int loss_id, ImpactGap gap) { sums_[{error, loss_id}].gap = gap; }

void ImpactLedger::scale_was(std::int64_t pass, double scale) {
  for (auto& [key, sum] : sums_) {
    for (auto& [function, part] : sum.parts) {
      const auto found = part.unscaled.find(pass);
      if (found == part.unscaled.end()) continue;
      part.impact += found->second / scale;
      part.unscaled.erase(found);
    }
  }
}

std::vector<LossImpact> ImpactLedger::take() {
  std::vector<LossImpact> impacts;
  for (const auto& [key, sum] : sums_) {
    const auto& [error, loss_id] = key;
    LossImpact& impact = impacts.emplace_back();
    impact.substep = error.substep;
    impact.loss_id = loss_id;
    impact.source = error.source;
    impact.call_site = error.call_site;
    impact.name = error.name;
    impact.gap = sum.gap;
    double total = 0.0;
    for (const auto& [function, part] : sum.parts) {
      total += part.impact;
      if (!part.unscaled.empty() && impact.gap == ImpactGap::None) impact.gap = ImpactGap::ScaleUnknown;
    }
    if (impact.gap == ImpactGap::None) impact.impact = total;
  }
  sums_.clear();
  return impacts;
}

}  // namespace ampprof::profiler
