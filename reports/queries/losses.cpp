// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

constexpr const char* kLosses =
    "SELECT s.step, l.loss_id, l.value FROM loss l JOIN segment s ON s.run = l.run AND s.id = l.segment "
    "WHERE l.run = ? ORDER BY l.rowid";

std::string number_of(DType dtype) { return std::to_string(static_cast<int>(dtype)); }

/// The shadow of a recipe has nothing of what a program rounds by itself.
const std::string kLossChanges =
    "SELECT l.run, s.step, sum(iif(r.what_if = '', l.value - l.shadow_value, l.shadow_value - l.value)) "
    "FROM loss l JOIN run r ON r.id = l.run JOIN segment s ON s.run = l.run AND s.id = l.segment "
    "WHERE l.shadow_value IS NOT NULL AND (r.what_if = '' OR NOT EXISTS "
    "(SELECT 1 FROM op_variant v WHERE v.run = l.run AND v.dtype_out IN (" +
    number_of(DType::Half) + ", " + number_of(DType::BFloat16) + "))) AND ";

constexpr std::size_t kSteps = 10;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> standard_error(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double center = mean(values);
  double sum_sq = 0.0;
  for (const double value : values) sum_sq += (value - center) * (value - center);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(sum_sq / (n - 1) / n);
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

LossSummary summarize(const std::vector<StepValue>& losses) {
  if (losses.empty()) return {};
  std::vector<double> values;
  for (const StepValue& step : losses) values.push_back(step.value);
  const std::span<const double> all(values);
  const std::size_t n = std::min(kSteps, values.size());
  return {mean(all.first(n)), mean(all.last(n)), standard_error(all.last(n))};
}

std::vector<LossRow> losses(const Report& report, RunFilter run) {
  const std::string sql = "SELECT l.run, r.level, coalesce(s.step, 0), " + store::columns_of(store::kLoss, "l.") +
                          " FROM loss l JOIN run r ON r.id = l.run "
                          "LEFT JOIN segment s ON s.run = l.run AND s.id = l.segment "
                          "WHERE " +
                          is_of_run("l.run") + "ORDER BY l.run, l.rowid";
  const auto read = [](store::Statement& row) {
    return LossRow{
        .run = row.integer(), .level = row.text(), .step = row.integer(), .loss = store::take(row, store::kLoss)};
  };
  return store::rows_of(report, sql, read, run);
}

std::vector<LossChange> loss_changes(const Report& report, RunFilter run) {
  const std::string sql = kLossChanges + is_of_run("l.run") + "GROUP BY l.run, s.step ORDER BY l.run, s.step";
  const auto read = [](store::Statement& row) {
    return LossChange{.run = row.integer(), .step = row.integer(), .change = row.real()};
  };
  return store::rows_of(report, sql, read, run);
}

std::vector<StepValue> loss_by_step(const Report& report, std::int64_t run) {
  const auto read = [](store::Statement& row) {
    return StepLoss{.step = row.integer(), .loss_id = row.integer(), .value = row.real()};
  };
  return loss_by_step(store::rows_of(report, kLosses, read, run));
}

}  // namespace ampprof::queries
