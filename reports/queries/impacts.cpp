// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/impacts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

const std::string kImpacts =
    "SELECT coalesce(s.position, 0), coalesce(s.step, i.segment), " + store::columns_of(store::kLossImpact, "i.") +
    " FROM loss_impact i LEFT JOIN segment s ON s.run = i.run AND s.id = i.segment WHERE i.run = ? ORDER BY i.rowid";

/// Key of a row: loss, source, call site and position in the step, parameter.
using Key = std::tuple<std::int32_t, ImpactSource, SiteInStep, std::string>;

/// Collects the impacts of one key by step.
class Pool {
 public:
  void add(std::int64_t step, const LossImpact& read) {
    seen_.insert(step);
    if (!read.impact) {
      if (gaps_++ == 0) gap_ = read.gap;
      return;
    }
    ++steps_;
    sum_ += *read.impact;
    sum_of_squares_ += *read.impact * *read.impact;
    gradient_ = read.gradient;
    const auto square = read.squares.sum();
    if (square) {
      ++squared_;
      squares_.add(read.squares);
    }
    StepImpact& known = by_step_.try_emplace(step, StepImpact{.step = step, .square = 0.0}).first->second;
    known.change += *read.impact;
    known.square = known.square && square ? std::optional(*known.square + *square) : std::nullopt;
  }

  /// Adds an impact of 0 for each of `steps` that has no entry.
  void fill(const std::set<std::int64_t>& steps) {
    for (const std::int64_t step : steps) {
      if (seen_.contains(step)) continue;
      add(step, {.name = "", .impact = 0.0, .squares = {.output = 0.0}, .gradient = gradient_});
    }
  }

  /// Makes the row. `calls` is the number of calls from this call site and position, sampled or not.
  ImpactRow row(std::int64_t calls, std::int64_t recorded_steps) const {
    ImpactRow row;
    row.calls = std::max(calls, steps_ + gaps_);
    row.called_steps = std::max(std::min(calls, recorded_steps), steps_ + gaps_);
    row.steps = steps_;
    row.gaps = gaps_;
    row.gap = gap_;
    if (steps_ == 0) return row;
    const auto n = static_cast<double>(steps_);
    row.impact = sum_ / n;
    row.impact_rms = std::sqrt(sum_of_squares_ / n);
    row.standard_error = standard_error(row);
    row.gradient = gradient_;
    for (const auto& [step, impact] : by_step_) row.by_step.push_back(impact);
    put_estimate(row);
    return row;
  }

 private:
  // Returns the standard error of a mean of steps sampled without replacement from the steps that call the call site.
  // Empty for a single step.
  std::optional<double> standard_error(const ImpactRow& row) const {
    const auto n = static_cast<double>(steps_);
    const double share_left_out = 1.0 - static_cast<double>(steps_ + gaps_) / static_cast<double>(row.called_steps);
    if (share_left_out <= 0.0) return 0.0;
    if (steps_ < 2) return std::nullopt;
    const double variance = std::max(sum_of_squares_ - n * *row.impact * *row.impact, 0.0) / (n - 1.0);
    return std::sqrt(variance / n * share_left_out);
  }

  void put_estimate(ImpactRow& row) const {
    if (squared_ == 0) return;
    for (const auto part : {&ImpactSquares::activation, &ImpactSquares::weight, &ImpactSquares::output}) {
      if (squares_.*part) row.squares.*part = *(squares_.*part) / static_cast<double>(squared_);
    }
    row.self_check = self_check_of(row.by_step);
    // An error whose roundings are all 0 should not change the loss. If the loss changes, not all roundings are known.
    const double check = row.self_check.value_or(*row.impact_rms > 0.0 ? kLargestSelfCheck + 1.0 : 0.0);
    row.is_signed = !(check <= kLargestSelfCheck);
  }

  std::int64_t steps_ = 0;
  std::int64_t squared_ = 0;  ///< steps with known roundings
  ImpactSquares squares_ = {};
  ImpactGradient gradient_ = ImpactGradient::Run;
  std::map<std::int64_t, StepImpact> by_step_ = {};
  std::set<std::int64_t> seen_ = {};  ///< steps with an entry, including gaps
  std::int64_t gaps_ = 0;
  ImpactGap gap_ = ImpactGap::None;
  double sum_ = 0.0;
  double sum_of_squares_ = 0.0;
};

/// Returns the call site and position that an impact counts for. A parameter has position 0, whatever the segment of
/// its gradient. If the call site has no call at `position`, uses its first position: an error that no gradient reaches
/// may be measured in another segment than that of its call.
SiteInStep place_of(const LossImpact& impact, std::int32_t position, const OpTotals& calls) {
  if (impact.source == ImpactSource::Parameter) return {impact.call_site, 0};
  const SiteInStep place{impact.call_site, position};
  if (calls.contains(place)) return place;
  const auto first = calls.lower_bound({impact.call_site, 0});
  return first != calls.end() && first->first.first == impact.call_site ? first->first : place;
}

/// Returns whether some errors did not fit into memory. Then a missing entry of a step does not mean that the impact is
/// 0.
bool are_left_out(const Report& report, std::int64_t run) {
  store::Statement found(report, "SELECT 1 FROM missing WHERE run = ? AND what = 'loss impact of op calls'", run);
  return found.next();
}

/// Fills in impacts of 0 for calls that no gradient reaches. The recorder writes no entry for a step in which such a
/// call rounds nothing or changes no decision.
void fill_steps(const Report& report, std::int64_t run, std::map<Key, Pool>& pools,
                const std::map<std::int32_t, std::set<std::int64_t>>& steps_of_losses) {
  std::optional<bool> left_out;
  for (auto& [key, pool] : pools) {
    const ImpactSource source = std::get<ImpactSource>(key);
    if (source != ImpactSource::BeforeGradients && source != ImpactSource::Decision) continue;
    if (!left_out) left_out = are_left_out(report, run);
    if (!*left_out) pool.fill(steps_of_losses.at(std::get<0>(key)));
  }
}

std::map<Key, Pool> pools_of(const Report& report, std::int64_t run, const OpTotals& calls) {
  std::map<Key, Pool> pools;
  std::map<std::int32_t, std::set<std::int64_t>> steps_of_losses;
  store::Statement rows(report, kImpacts, run);
  while (rows.next()) {
    const auto position = static_cast<std::int32_t>(rows.integer());
    const std::int64_t step = rows.integer();
    const LossImpact read = store::take(rows, store::kLossImpact);
    pools[{read.loss_id, read.source, place_of(read, position, calls), read.name}].add(step, read);
    steps_of_losses[read.loss_id].insert(step);
  }
  fill_steps(report, run, pools, steps_of_losses);
  return pools;
}

std::int64_t recorded_steps(const Report& report, std::int64_t run) {
  store::Statement steps(report, "SELECT count(DISTINCT step) FROM segment WHERE run = ? AND step > 0 AND recorded",
                         run);
  steps.next();
  return steps.integer();
}

void add_impacts_of(const Report& report, const RunName& run, std::vector<ImpactRow>& rows) {
  const OpTotals calls = store::read_counts(report, run.id);
  const auto pools = pools_of(report, run.id, calls);
  if (pools.empty()) return;
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_in(calls));
  const std::int64_t steps = recorded_steps(report, run.id);
  for (const auto& [key, pool] : pools) {
    const auto& [loss_id, source, place, parameter] = key;
    const auto reached = calls.find(place);
    ImpactRow& row = rows.emplace_back(pool.row(reached == calls.end() ? 0 : reached->second.calls, steps));
    row.run = run.id;
    row.level = run.level;
    row.loss_id = loss_id;
    row.source = source;
    row.call_site_id = place.first;
    row.position = place.second;
    row.name = source == ImpactSource::Parameter ? parameter : names.name(place);
    if (const auto site = sites.find(place.first); site != sites.end()) {
      row.module = site->second.module;
      row.op = site->second.op;
      row.site_source = site->second.source;
    }
  }
}

}  // namespace

std::vector<ImpactRow> impacts(const Report& report, RunFilter run) {
  return rows_of_runs<ImpactRow>(report, run, add_impacts_of);
}

}  // namespace ampprof::queries
