// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gradient_impacts.h"

#include <cmath>
#include <map>
#include <tuple>

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

const std::string kGradientImpacts =
    "SELECT coalesce(s.position, 0), d.loss_before - d.loss_after, " + store::columns_of(store::kGradientImpact, "i.") +
    " FROM gradient_impact i LEFT JOIN segment s ON s.run = i.run AND s.id = i.segment "
    "LEFT JOIN step_decrease d ON d.run = i.run AND d.segment = i.segment WHERE i.run = ? ORDER BY i.segment";

using Source = std::tuple<GradientImpactSource, SiteInStep, Matmul>;

/// Sums the impacts of one source over steps.
class DecreasePool {
 public:
  void add(std::optional<double> decrease, const GradientImpact& read) {
    no_cotangents_ += read.no_cotangents;
    is_ranking_only_ = is_ranking_only_ || read.is_ranking_only;
    if (!read.impact) {
      if (gaps_++ == 0) gap_ = read.gap;
      return;
    }
    ++steps_;
    sum_ += *read.impact;
    sum_of_squares_ += *read.impact * *read.impact;
    decrease_ += decrease.value_or(0.0);
    if (read.square) ++squared_, squares_ += *read.square;
  }

  void put(GradientImpactRow& row) const {
    row.steps = steps_;
    row.gaps = gaps_;
    row.gap = gap_;
    row.no_cotangents = no_cotangents_;
    row.is_ranking_only = is_ranking_only_;
    if (steps_ == 0) return;
    const auto n = static_cast<double>(steps_);
    row.impact = sum_ / n;
    row.impact_rms = std::sqrt(sum_of_squares_ / n);
    if (squared_ > 0) row.estimate = std::sqrt(squares_ / static_cast<double>(squared_));
    if (!is_ranking_only_ && decrease_ != 0.0) row.share = sum_ / decrease_;
    if (steps_ < 2) return;
    const double variance = std::max(sum_of_squares_ - sum_ * sum_ / n, 0.0) / (n - 1.0);
    row.standard_error = std::sqrt(variance / n);
  }

 private:
  std::int64_t steps_ = 0;
  std::int64_t gaps_ = 0;
  GradientImpactGap gap_ = GradientImpactGap::None;
  std::int64_t no_cotangents_ = 0;
  std::int64_t squared_ = 0;  ///< number of steps with an expected square
  double squares_ = 0.0;
  double sum_ = 0.0;
  double sum_of_squares_ = 0.0;
  double decrease_ = 0.0;
  bool is_ranking_only_ = false;
};

std::map<Source, DecreasePool> decrease_pools_of(const Report& report, std::int64_t run) {
  std::map<Source, DecreasePool> pools;
  store::Statement rows(report, kGradientImpacts, run);
  while (rows.next()) {
    const auto position = static_cast<std::int32_t>(rows.integer());
    const std::optional<double> decrease = rows.optional_real();
    const GradientImpact read = store::take(rows, store::kGradientImpact);
    pools[{read.source, {read.call_site, position}, read.matmul}].add(decrease, read);
  }
  return pools;
}

void add_gradient_impacts_of(const Report& report, const RunName& run, std::vector<GradientImpactRow>& rows) {
  const auto pools = decrease_pools_of(report, run.id);
  if (pools.empty()) return;
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  for (const auto& [key, pool] : pools) {
    const auto& [source, place, matmul] = key;
    GradientImpactRow& row = rows.emplace_back();
    row.run = run.id;
    row.level = run.level;
    row.source = source;
    row.call_site_id = place.first;
    row.position = place.second;
    row.matmul = matmul;
    row.name = source == GradientImpactSource::OpCall ? names.name(place) : "forward errors";
    if (matmul != Matmul::None) row.name.append(" (").append(name_of(matmul)).append(")");
    pool.put(row);
    const auto site = sites.find(place.first);
    if (source != GradientImpactSource::OpCall || site == sites.end()) continue;
    row.module = site->second.module;
    row.op = site->second.op;
    row.site_source = site->second.source;
  }
}

/// Sums the errors of one parameter's gradient over steps.
struct ErrorPool {
  double error = 0.0, reference = 0.0, change = 0.0, changed = 0.0, cosines = 0.0;
  std::int64_t steps = 0, changes = 0, with_cosine = 0, elements = 0, flushed = 0;

  void add(const GradientError& read) {
    ++steps;
    error += read.sum_sq_error;
    reference += read.sum_sq_reference;
    elements += read.elements;
    flushed += read.flushed;
    if (read.sum_sq_change) ++changes, change += *read.sum_sq_change, changed += read.sum_sq_reference;
    const double norms = std::sqrt(read.sum_sq_reference) * std::sqrt(read.sum_sq_run);
    if (norms > 0.0) ++with_cosine, cosines += read.product / norms;
  }

  /// Fills in a row. `all` is the squared error of all gradients of the run.
  void put(GradientErrorRow& row, double all) const {
    row.steps = steps;
    if (all > 0.0) row.share = error / all;
    if (reference > 0.0) row.relative = std::sqrt(error / reference);
    if (with_cosine > 0) row.cosine = cosines / static_cast<double>(with_cosine);
    if (elements > 0) row.flushed = static_cast<double>(flushed) / static_cast<double>(elements);
    if (changes > 0 && changed > 0.0) row.noise = std::sqrt(change / 2.0 / changed);
  }
};

void add_gradient_errors_of(const Report& report, const RunName& run, std::vector<GradientErrorRow>& rows) {
  std::map<std::string, ErrorPool> pools;
  for (const GradientError& read : store::records_of(report, store::kGradientError, run.id, "ORDER BY segment")) {
    pools[read.parameter].add(read);
  }
  double all = 0.0;
  for (const auto& [parameter, pool] : pools) all += pool.error;
  for (const auto& [parameter, pool] : pools) {
    GradientErrorRow& row = rows.emplace_back();
    row.run = run.id;
    row.level = run.level;
    row.parameter = parameter;
    pool.put(row, all);
  }
}

}  // namespace

std::vector<GradientImpactRow> gradient_impacts(const Report& report, RunFilter run) {
  return rows_of_runs<GradientImpactRow>(report, run, add_gradient_impacts_of);
}

std::vector<GradientErrorRow> gradient_errors(const Report& report, RunFilter run) {
  return rows_of_runs<GradientErrorRow>(report, run, add_gradient_errors_of);
}

}  // namespace ampprof::queries
