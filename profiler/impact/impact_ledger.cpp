// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ampprof::profiler {
namespace {

ImpactSquares divided(ImpactSquares squares, double divisor) {
  for (const auto part : {&ImpactSquares::activation, &ImpactSquares::weight, &ImpactSquares::output}) {
    if (squares.*part) *(squares.*part) /= divisor;
  }
  return squares;
}

}  // namespace

void ImpactLedger::add(const Error& error, int loss_id, LateEffect effect, const Pass& pass, std::uint64_t function) {
  sums_[{error, loss_id}].parts[function].push_back({std::move(effect), pass});
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
    for (auto& [function, parts] : sum.parts) {
      for (Part& part : parts) {
        if (part.pass.id == pass && !part.pass.scale) part.pass.scale = scale;
      }
    }
  }
}

std::size_t ImpactLedger::Sum::waiting() const {
  std::size_t count = 0;
  for (const auto& [function, of_function] : parts) {
    count +=
        static_cast<std::size_t>(std::ranges::count_if(of_function, [](const Part& part) { return !*part.effect; }));
  }
  return count;
}

void ImpactLedger::Sum::add_to(LossImpact& impact) const {
  double total = 0.0;
  ImpactSquares squares;
  bool has_scales = true;
  impact.gap = gap;
  for (const auto& [function, of_function] : parts) {
    for (const auto& [late, pass] : of_function) {
      const Effect& effect = late->value();
      if (effect.gap != ImpactGap::None) impact.gap = effect.gap;
      has_scales = has_scales && pass.scale;
      if (!pass.scale) continue;
      total += effect.gradient_times_error / *pass.scale;
      squares.add(divided(effect.squares, *pass.scale * *pass.scale));
      if (effect.gradient != ImpactGradient::Run) impact.gradient = effect.gradient;
    }
  }
  if (impact.gap == ImpactGap::None && !has_scales) impact.gap = ImpactGap::ScaleUnknown;
  if (impact.gap != ImpactGap::None) return;
  impact.impact = total;
  impact.squares = squares;
}

std::size_t ImpactLedger::waiting() const {
  std::size_t count = 0;
  for (const auto& [key, sum] : sums_) count += sum.waiting();
  return count;
}

std::vector<LossImpact> ImpactLedger::take(std::size_t run) {
  std::vector<LossImpact> impacts;
  std::erase_if(sums_, [&](const auto& entry) {
    const auto& [key, sum] = entry;
    const auto& [error, loss_id] = key;
    if (error.run != run || sum.waiting() > 0) return false;
    LossImpact& impact = impacts.emplace_back();
    impact.segment = error.segment;
    impact.loss_id = loss_id;
    impact.source = error.source;
    impact.call_site = error.call_site;
    impact.name = error.name;
    sum.add_to(impact);
    return true;
  });
  return impacts;
}

}  // namespace ampprof::profiler
