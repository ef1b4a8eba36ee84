// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/losses.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "reports/queries/lookups.h"
#include "reports/records/in_quadrature.h"
#include "reports/records/loss_impact.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

constexpr const char* kLosses =
    "SELECT s.step, l.loss_id, l.value FROM loss l JOIN segment s ON s.run = l.run AND s.id = l.segment "
    "WHERE l.run = ? ORDER BY l.segment, l.rowid";

std::string number_of(DType dtype) { return std::to_string(static_cast<int>(dtype)); }

/// Leaves out runs in reduced precision with a recipe, whose shadow lacks the program's own roundings.
const std::string kLossChanges =
    "SELECT l.run, s.step, sum(iif(r.what_if = '', l.value - l.shadow_value, l.shadow_value - l.value)) "
    "FROM loss l JOIN run r ON r.id = l.run JOIN segment s ON s.run = l.run AND s.id = l.segment "
    "WHERE l.shadow_value IS NOT NULL AND (r.what_if = '' OR NOT EXISTS "
    "(SELECT 1 FROM op_variant v WHERE v.run = l.run AND v.dtype_out IN (" +
    number_of(DType::Half) + ", " + number_of(DType::BFloat16) + "))) AND ";

/// Ignores the gap NoMaster: a shadow starts from the program's own half parameters, so their missing master does not
/// matter.
const std::string kByDecisions =
    "WITH changed AS (SELECT l.run, s.step, l.loss_id, sum(l.value - l.shadow_value) AS change FROM loss l "
    "JOIN run r ON r.id = l.run AND r.what_if = '' JOIN segment s ON s.run = l.run AND s.id = l.segment WHERE " +
    is_of_run("l.run") +
    "GROUP BY 1, 2, 3 HAVING max(l.is_shadow_decided) AND count(*) = count(l.shadow_value)), "
    "predicted AS (SELECT i.run, s.step, i.loss_id, sum(i.impact) AS impact FROM loss_impact i "
    "JOIN segment s ON s.run = i.run AND s.id = i.segment WHERE i.gap <> " +
    std::to_string(static_cast<int>(ImpactGap::NoMaster)) + " AND i.source <> " +
    std::to_string(static_cast<int>(ImpactSource::Decision)) + " AND " + is_of_run("i.run") +
    "GROUP BY 1, 2, 3 HAVING count(*) = count(i.impact)) "
    "SELECT run, step, loss_id, change - impact FROM changed JOIN predicted USING (run, step, loss_id) WHERE NOT "
    "EXISTS (SELECT 1 FROM missing m WHERE m.run = changed.run AND m.what = 'loss impact of op calls')";

using LossInStep = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< run, step, loss id

std::map<LossInStep, double> by_decisions(const Report& report, RunFilter run) {
  const auto read = [](store::Statement& row) {
    const LossInStep loss{row.integer(), row.integer(), row.integer()};
    return std::pair(loss, row.real());
  };
  const auto rows = store::rows_of(report, kByDecisions, read, run);
  return {rows.begin(), rows.end()};
}

constexpr std::size_t kSteps = 10;
constexpr std::size_t kLastSteps = 3;

bool is_finite(double value) { return std::isfinite(value); }

LossWindow window_of(std::span<const double> steps) {
  std::vector<double> finite;
  std::ranges::copy_if(steps, std::back_inserter(finite), is_finite);
  LossWindow window{.nonfinite = static_cast<std::int64_t>(steps.size() - finite.size())};
  if (finite.empty()) return window;
  const auto n = static_cast<double>(finite.size());
  const double mean = std::accumulate(finite.begin(), finite.end(), 0.0) / n;
  window.mean = mean;
  if (finite.size() < 2) return window;
  double sum_sq = 0.0;
  for (const double value : finite) sum_sq += (value - mean) * (value - mean);
  window.noise = std::sqrt(sum_sq / (n - 1) / n);
  return window;
}

/// Returns the sum of the first value of each loss in a step.
double sum_of_first_values(const std::vector<StepLoss>& losses, std::int64_t step) {
  std::set<std::int64_t> seen;
  double sum = 0.0;
  for (const StepLoss& loss : losses) {
    if (loss.step == step && seen.insert(loss.loss_id).second) sum += loss.value;
  }
  return sum;
}

void put_fall(std::span<const double> steps, LossSummary& summary) {
  const std::size_t n = std::min(kSteps, steps.size() / 2);
  const LossWindow first = window_of(steps.first(n));
  const LossWindow last = window_of(steps.last(n));
  if (!first.noise || !last.noise) return;
  summary.fall = *first.mean - *last.mean;
  summary.fall_noise = in_quadrature(*first.noise, *last.noise);
}

bool same_loss(const StepLoss& a, const StepLoss& b) { return a.step == b.step && a.loss_id == b.loss_id; }

}  // namespace

std::vector<StepValue> loss_by_step(std::vector<StepLoss> losses) {
  std::stable_sort(losses.begin(), losses.end(), [](const StepLoss& a, const StepLoss& b) {
    return std::tie(a.step, a.loss_id) < std::tie(b.step, b.loss_id);
  });
  std::vector<StepValue> steps;
  for (std::size_t i = 0, end = 0; i < losses.size(); i = end) {
    double sum = 0.0;
    for (end = i; end < losses.size() && same_loss(losses[end], losses[i]); ++end) sum += losses[end].value;
    if (steps.empty() || losses[i].step != steps.back().step) steps.push_back({losses[i].step, 0.0});
    steps.back().value += sum / static_cast<double>(end - i);
  }
  return steps;
}

LossSummary summarize(std::vector<StepLoss> losses) {
  if (losses.empty()) return {};
  LossSummary summary;
  const auto [first, last] = std::ranges::minmax(losses, {}, &StepLoss::step);
  summary.initial = sum_of_first_values(losses, first.step);
  summary.final = sum_of_first_values(std::vector(losses.rbegin(), losses.rend()), last.step);
  summary.nonfinite = std::ranges::count_if(losses, std::not_fn(is_finite), &StepLoss::value);
  std::vector<double> values;
  for (const StepValue& step : loss_by_step(std::move(losses))) values.push_back(step.value);
  const std::span<const double> steps(values);
  summary.first = window_of(steps.first(std::min(kSteps, steps.size())));
  summary.last = window_of(steps.last(std::min(kSteps, steps.size())));
  summary.ends_nonfinite = std::ranges::none_of(steps.last(std::min(kLastSteps, steps.size())), is_finite);
  put_fall(steps, summary);
  return summary;
}

std::vector<LossRow> losses(const Report& report, RunFilter run) {
  const std::string sql = "SELECT l.run, r.level, coalesce(s.step, 0), " + store::columns_of(store::kLoss, "l.") +
                          " FROM loss l JOIN run r ON r.id = l.run "
                          "LEFT JOIN segment s ON s.run = l.run AND s.id = l.segment "
                          "WHERE " +
                          is_of_run("l.run") +
                          "ORDER BY l.run, l.segment, l.rowid";  // a loss may be written after losses of later steps
  const auto read = [](store::Statement& row) {
    return LossRow{
        .run = row.integer(), .level = row.text(), .step = row.integer(), .loss = store::take(row, store::kLoss)};
  };
  std::vector<LossRow> rows = store::rows_of(report, sql, read, run);
  const std::map<LossInStep, double> effects = by_decisions(report, run);
  for (LossRow& row : rows) {
    const auto effect = effects.find({row.run, row.step, row.loss.loss_id});
    if (effect != effects.end()) row.by_decisions = effect->second;
  }
  return rows;
}

std::vector<LossChange> loss_changes(const Report& report, RunFilter run) {
  const std::string sql = kLossChanges + is_of_run("l.run") + "GROUP BY l.run, s.step ORDER BY l.run, s.step";
  const auto read = [](store::Statement& row) {
    return LossChange{.run = row.integer(), .step = row.integer(), .change = row.real()};
  };
  return store::rows_of(report, sql, read, run);
}

std::vector<StepLoss> step_losses(const Report& report, std::int64_t run) {
  const auto read = [](store::Statement& row) {
    return StepLoss{.step = row.integer(), .loss_id = row.integer(), .value = row.real()};
  };
  return store::rows_of(report, kLosses, read, run);
}

std::vector<StepValue> loss_by_step(const Report& report, std::int64_t run) {
  return loss_by_step(step_losses(report, run));
}

}  // namespace ampprof::queries
