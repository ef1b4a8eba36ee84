// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/loss_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

namespace ampprof {
namespace {

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

// One number a step, in order.
std::vector<double> loss_of_each_step(std::span<const StepLoss> sorted) {
  std::vector<double> totals;
  for (std::size_t i = 0, end = 0; i < sorted.size(); i = end) {
    double sum = 0.0;
    for (end = i; end < sorted.size() && same_loss(sorted[end], sorted[i]); ++end) sum += sorted[end].value;
    const bool new_step = i == 0 || sorted[i].step != sorted[i - 1].step;
    if (new_step) totals.push_back(0.0);
    totals.back() += sum / static_cast<double>(end - i);
  }
  return totals;
}

}  // namespace

LossSummary summarize(std::vector<StepLoss> losses) {
  if (losses.empty()) return {};
  std::stable_sort(losses.begin(), losses.end(), [](const StepLoss& a, const StepLoss& b) {
    return std::tie(a.step, a.loss_id) < std::tie(b.step, b.loss_id);
  });
  const std::vector<double> steps = loss_of_each_step(losses);
  const std::span<const double> all(steps);
  const std::size_t n = std::min(kSteps, steps.size());
  return {mean(all.first(n)), mean(all.last(n)), standard_error(all.last(n))};
}

}  // namespace ampprof
