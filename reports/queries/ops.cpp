// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/ops.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>

#include "reports/queries/gpu_activities.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/lookups.h"
#include "reports/records/in_quadrature.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

/// Returns the most frequent variant with known shapes; among equally frequent ones, the one that was interned first.
OpVariant most_frequent(const OpTotal& total) {
  const auto is_before = [](const VariantCalls& a, const VariantCalls& b) {
    const bool is_known = a.variant.signature != kOtherShapes;
    if (is_known != (b.variant.signature != kOtherShapes)) return is_known;
    return a.calls != b.calls ? a.calls > b.calls : a.variant < b.variant;
  };
  if (total.variants.empty()) return {};
  return std::ranges::min_element(total.variants, is_before)->variant;
}

using Texts = std::unordered_map<std::int64_t, std::string>;

std::vector<GpuActivityUse> activities_of(const OpTotal& total, const Texts& names) {
  std::vector<GpuActivityUse> activities;
  for (const GpuActivityTotal& activity : total.activities) activities.push_back(gpu_activity_use(activity, names));
  std::ranges::stable_sort(activities, std::greater(), &GpuActivityUse::gpu_us);
  return activities;
}

double total_us(const std::vector<GpuActivityUse>& activities) {
  double sum = 0.0;
  for (const GpuActivityUse& activity : activities) sum += activity.gpu_us;
  return sum;
}

/// Makes a row of the sums over all variants. Its shapes and types are those of the most frequent variant.
OpRow row_of(const OpTotal& unscaled, const Texts& signatures) {
  const OpTotal total = unscaled.at_its_scale();
  const auto [signature, in, out] = most_frequent(total);
  const auto text = signatures.find(signature);
  OpRow row;
  row.calls = total.calls;
  row.signature = text == signatures.end() ? "" : text->second;
  row.dtype_in = in;
  row.dtype_out = out;
  row.cpu_us = static_cast<double>(total.duration_ns) / 1e3;
  row.cast_bytes = total.cast_bytes;
  row.local = total.local;
  row.ranges = total.ranges;
  row.scale = total.scale;
  row.inherited = total.inherited;
  row.exponents = total.exponents;
  row.inherited_exponents = total.inherited_exponents;
  row.nonfinite_expected = total.expected_calls > 0 && total.nonfinite_calls == 0;
  return row;
}

/// Adds the impact of a place on one loss to the row of that place. The row sums the impacts over losses.
void add_impact(OpRow& row, const ImpactRow& impact) {
  if (!impact.impact) return;
  const bool is_first = !row.loss_impact;
  if (is_first) row.impact_by_step = impact.by_step;
  if (!is_first) add_steps(row.impact_by_step, impact.by_step);
  row.loss_impact_size = in_quadrature(row.loss_impact_size.value_or(0.0), impact.size().value_or(0.0));
  row.loss_impact_is_signed = row.loss_impact_is_signed || impact.is_signed;
  row.impact_squares.add(impact.squares);
  row.loss_impact = row.loss_impact.value_or(0.0) + *impact.impact;
  row.loss_impact_rms = in_quadrature(row.loss_impact_rms.value_or(0.0), impact.impact_rms.value_or(0.0));
}

/// Adds an impact to the row of its call site. A call site may have several: a recipe has one for each of its matmuls.
void add_gradient_impact(OpRow& row, const GradientImpactRow& impact) {
  const auto add = [](std::optional<double>& sum, const std::optional<double>& part) {
    if (part) sum = sum.value_or(0.0) + *part;
  };
  add(row.gradient_impact, impact.impact);
  add(row.gradient_impact_share, impact.share);
  if (const auto size = impact.size()) {
    row.gradient_impact_size = row.gradient_impact_size ? in_quadrature(*row.gradient_impact_size, *size) : *size;
  }
  row.gradient_impact_is_ranking_only = row.gradient_impact_is_ranking_only || impact.is_ranking_only;
}

/// Adds the rows of a run's call sites, without impacts.
void add_ops_of(const Report& report, const RunName& run, const StepFilter& steps, std::vector<OpRow>& rows) {
  const auto [totals, places] = totals_of(report, run.id, steps);
  const CallSites sites = call_sites_of(report, run.id);
  const Texts signatures = signatures_of(report, run.id);
  const Texts activity_names = activity_names_of(report, run.id);
  const CallSiteNames names(sites, places);
  const bool saw_gpu = std::ranges::any_of(totals, [](const auto& entry) { return !entry.second.activities.empty(); });
  for (const auto& [place, total] : totals) {
    if (total.calls == 0) continue;
    OpRow& row = rows.emplace_back(row_of(total, signatures));
    row.activities = activities_of(total, activity_names);
    if (saw_gpu) row.gpu_us = total_us(row.activities);
    put_place(row, run, place, sites, names);
    if (const auto site = sites.find(place.first); site != sites.end()) row.ordinal = site->second.ordinal;
  }
}

void add_impacts_to(const Report& report, const RunName& run, std::span<OpRow> rows) {
  std::map<SiteInStep, std::vector<ImpactRow>> impacts;
  std::map<SiteInStep, std::vector<GradientImpactRow>> gradient_impacts;
  for (GradientImpactRow& impact : queries::gradient_impacts(report, run.id)) {
    if (impact.source != GradientImpactSource::OpCall) continue;
    gradient_impacts[{impact.call_site_id, impact.position}].push_back(std::move(impact));
  }
  for (ImpactRow& impact : queries::impacts(report, run.id)) {
    impacts[{impact.call_site_id, impact.position}].push_back(std::move(impact));
  }
  for (OpRow& row : rows) {
    for (const ImpactRow& impact : impacts[{row.call_site_id, row.position}]) add_impact(row, impact);
    for (const GradientImpactRow& impact : gradient_impacts[{row.call_site_id, row.position}]) {
      add_gradient_impact(row, impact);
    }
  }
}

}  // namespace

std::vector<OpRow> ops(const Report& report, RunFilter run, const StepFilter& steps) {
  const store::Snapshot snapshot(report);
  std::vector<OpRow> rows;
  for (const RunName& name : runs_named(report, run)) {
    const std::size_t before = rows.size();
    add_ops_of(report, name, steps, rows);
    if (!steps) add_impacts_to(report, name, std::span(rows).subspan(before));
  }
  return rows;
}

namespace {

bool diverges(const OpRow& op, double threshold) { return op.inherited && !(op.inherited->relative_l2() < threshold); }

// Call sites are numbered in the order of their first calls. A call site that first runs in a later step has a higher
// number than all call sites of the first step, so phases are compared before numbers.
auto place_in_step(const OpRow& op) {
  return std::tuple(op.phase == Phase::Inference, op.position, op.phase, op.call_site_id);
}

}  // namespace

std::optional<OpRow> first_to_diverge(const std::vector<OpRow>& ops, std::int64_t run, double threshold) {
  const OpRow* first = nullptr;
  for (const OpRow& op : ops) {
    if (op.run != run || !diverges(op, threshold)) continue;
    if (first == nullptr || place_in_step(op) < place_in_step(*first)) first = &op;
  }
  return first == nullptr ? std::nullopt : std::optional(*first);
}

}  // namespace ampprof::queries
