// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/recipes.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "reports/queries/impacts.h"
#include "reports/queries/lookups.h"
#include "reports/records/in_quadrature.h"
#include "reports/store/tables.h"

namespace ampprof::queries {
namespace {

const std::string kRecipeMatmuls = "SELECT coalesce(s.position, 0), " + store::columns_of(store::kRecipeMatmul, "m.") +
                                   " FROM recipe_matmul m LEFT JOIN segment s ON s.run = m.run AND s.id = m.segment "
                                   "WHERE m.run = ? AND m.matmul <> 0 ORDER BY m.segment";

const std::string kImpactsOfMatmuls =
    "SELECT coalesce(s.position, 0), coalesce(s.step, i.segment), d.loss_before - d.loss_after, " +
    store::columns_of(store::kGradientImpact, "i.") +
    " FROM gradient_impact i LEFT JOIN segment s ON s.run = i.run AND s.id = i.segment "
    "LEFT JOIN step_decrease d ON d.run = i.run AND d.segment = i.segment "
    "WHERE i.run = ? AND i.source = 0 AND i.matmul <> 0 ORDER BY i.segment";

/// Key of a row: recipe, place, matmul.
using Key = std::tuple<std::string, SiteInStep, Matmul>;
/// A backward call site and a matmul that it computes.
using Place = std::pair<SiteInStep, Matmul>;

/// Collects the records of one row over steps.
struct Pool {
  RecipeMatmul whole = {};  ///< sizes are those of the last call
  std::set<std::int64_t> segments = {};
  std::set<std::int64_t> computed_by = {};

  void add(const RecipeMatmul& read) {
    RecipeMatmul so_far = read;
    if (!segments.empty()) so_far.merge(whole);
    whole = std::move(so_far);
    segments.insert(read.segment);
    computed_by.insert(read.computed_by);
  }

  void put(RecipeMatmulRow& row) const {
    row.is_quantized = whole.is_quantized;
    row.has_hardware = whole.has_hardware;
    row.reason = whole.reason;
    row.rows = whole.rows;
    row.columns = whole.columns;
    row.leading = whole.leading;
    row.groups = whole.groups;
    row.calls = whole.calls;
    row.steps = static_cast<std::int64_t>(segments.size());
    row.computed_by.assign(computed_by.begin(), computed_by.end());
    row.first = whole.first;
    row.second = whole.second;
    row.sum_sq_error = whole.sum_sq_error;
    row.sum_sq_exact = whole.sum_sq_exact;
  }
};

/// Collects the impacts of one place by step.
struct Impacts {
  std::map<std::int64_t, StepImpact> by_step = {};
  std::int64_t gaps = 0;
  std::string gap_reason = {};
  double decrease = 0.0;
  std::int64_t decreases = 0;
  bool is_ranking_only = false;

  void add(const StepImpact& read) {
    StepImpact& known = by_step.try_emplace(read.step, StepImpact{.step = read.step, .square = 0.0}).first->second;
    known.change += read.change;
    known.square = known.square && read.square ? std::optional(*known.square + *read.square) : std::nullopt;
  }

  void add_gap(std::string_view reason) {
    if (gaps++ == 0) gap_reason = reason;
  }

  void put(RecipeMatmulRow& row) const {
    row.has_impact = row.has_impact || !by_step.empty();
    if (row.by_step.empty()) {
      for (const auto& [step, impact] : by_step) row.by_step.push_back(impact);
    } else {
      std::vector<StepImpact> steps;
      for (const auto& [step, impact] : by_step) steps.push_back(impact);
      add_steps(row.by_step, steps);
    }
    row.gaps += gaps;
    if (row.gap_reason.empty()) row.gap_reason = gap_reason;
    if (decreases > 0) row.decrease = decrease / static_cast<double>(decreases);
    row.is_ranking_only = row.is_ranking_only || is_ranking_only;
  }
};

std::map<Key, Pool> pools_of(const Report& report, std::int64_t run) {
  std::map<Key, Pool> pools;
  store::Statement rows(report, kRecipeMatmuls, run);
  while (rows.next()) {
    const auto position = static_cast<std::int32_t>(rows.integer());
    const RecipeMatmul read = store::take(rows, store::kRecipeMatmul);
    pools[{read.recipe, {read.call_site, position}, read.matmul}].add(read);
  }
  return pools;
}

std::map<Place, Impacts> impacts_on_gradients(const Report& report, std::int64_t run) {
  std::map<Place, Impacts> impacts;
  store::Statement rows(report, kImpactsOfMatmuls, run);
  while (rows.next()) {
    const auto position = static_cast<std::int32_t>(rows.integer());
    const std::int64_t step = rows.integer();
    const std::optional<double> decrease = rows.optional_real();
    const GradientImpact read = store::take(rows, store::kGradientImpact);
    Impacts& known = impacts[{{read.call_site, position}, read.matmul}];
    known.is_ranking_only = known.is_ranking_only || read.is_ranking_only;
    if (!read.impact) {
      known.add_gap(reason_of(read.gap));
      continue;
    }
    known.add({.step = step, .change = *read.impact, .square = read.square});
    if (decrease) ++known.decreases, known.decrease += *decrease;
  }
  return impacts;
}

std::map<SiteInStep, Impacts> impacts_on_losses(const Report& report, std::int64_t run) {
  std::map<SiteInStep, Impacts> impacts;
  for (const ImpactRow& row : queries::impacts(report, run)) {
    if (row.source != ImpactSource::OpCall) continue;
    Impacts& known = impacts[{row.call_site_id, row.position}];
    for (const StepImpact& step : row.by_step) known.add(step);
    for (std::int64_t gap = 0; gap < row.gaps; ++gap) known.add_gap(reason_of(row.gap));
  }
  return impacts;
}

/// Returns whether roundings are not independent; see ImpactRow::is_signed.
bool is_signed(const RecipeMatmulRow& row) {
  const auto check = self_check_of(row.by_step);
  return check && !(*check <= kLargestSelfCheck);
}

void add_recipes_of(const Report& report, const RunName& run, std::vector<RecipeMatmulRow>& rows) {
  const auto pools = pools_of(report, run.id);
  if (pools.empty()) return;
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  const auto on_losses = impacts_on_losses(report, run.id);
  const auto on_gradients = impacts_on_gradients(report, run.id);
  for (const auto& [key, pool] : pools) {
    const auto& [recipe, place, matmul] = key;
    RecipeMatmulRow& row = rows.emplace_back();
    put_place(row, run, place, sites, names);
    row.recipe = recipe;
    row.matmul = matmul;
    pool.put(row);
    if (!row.is_quantized) continue;
    if (matmul == Matmul::Fprop) {
      const auto known = on_losses.find(place);
      if (known != on_losses.end()) known->second.put(row);
    } else {
      for (const std::int64_t site : pool.computed_by) {
        const auto known = on_gradients.find({{site, place.second}, matmul});
        if (known != on_gradients.end()) known->second.put(row);
      }
    }
    row.is_signed = is_signed(row);
  }
}

}  // namespace

double RecipeMatmulRow::flops() const {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(leading) *
         static_cast<double>(groups);
}

std::optional<double> RecipeMatmulRow::relative_error() const {
  if (!is_quantized || !(sum_sq_exact > 0.0)) return std::nullopt;
  return std::sqrt(sum_sq_error / sum_sq_exact);
}

std::optional<double> RecipeMatmulRow::impact() const {
  if (by_step.empty()) return std::nullopt;
  double sum = 0.0;
  for (const StepImpact& step : by_step) sum += step.change;
  return sum / static_cast<double>(by_step.size());
}

std::optional<double> RecipeMatmulRow::standard_error() const {
  if (by_step.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(by_step.size());
  const double mean = *impact();
  double squares = 0.0;
  for (const StepImpact& step : by_step) squares += (step.change - mean) * (step.change - mean);
  return std::sqrt(squares / (n - 1.0) / n);
}

std::optional<double> RecipeMatmulRow::size() const {
  const auto expected = is_signed ? std::nullopt : estimate();
  if (!expected) return impact_rms();
  const double mean = is_resolved(by_step).value_or(false) ? *impact() : 0.0;
  return in_quadrature(*expected, mean);
}

std::vector<RecipeMatmulRow> recipe_matmuls(const Report& report, RunFilter run) {
  return rows_of_runs<RecipeMatmulRow>(report, run, add_recipes_of);
}

}  // namespace ampprof::queries
