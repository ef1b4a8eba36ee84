// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/early_stop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "analysis/search/sequential_test.h"

namespace ampprof::search {
namespace {

constexpr std::size_t kLastLosses = 10;
constexpr std::size_t kLeastSteps = 40;
constexpr std::size_t kPart = 4;         ///< means cover steps / kPart losses; means of references begin at that step
constexpr double kStandardErrors = 5.0;  ///< margin above the only reference run if seeds change nothing
constexpr double kNever = std::numeric_limits<double>::infinity();

double mean_of(std::span<const double> losses) {
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

/// Returns the largest mean over `window` consecutive losses, from step `first` on; kNever if any is not finite.
double worst_mean(std::span<const double> losses, std::size_t first, std::size_t window) {
  std::vector<double> sums(losses.size() + 1, 0.0);
  std::partial_sum(losses.begin(), losses.end(), sums.begin() + 1);
  double worst = -kNever;
  for (std::size_t end = first + window; end <= losses.size(); ++end) {
    worst = std::max(worst, (sums[end] - sums[end - window]) / static_cast<double>(window));
  }
  return std::isfinite(sums.back()) ? worst : kNever;
}

std::size_t steps_of(const LossReference& reference) {
  std::size_t steps = reference.runs.front().size();
  for (const Losses& run : reference.runs) steps = std::min(steps, run.size());
  return steps;
}

/// Returns whether chance does not explain `excess`, if the trial were one more reference run. `excess` is the trial's
/// value minus (the mean of the reference runs, `expected`, plus the tolerance).
bool is_beyond_chance(double excess, const Estimate& expected, const LossReference& reference) {
  if (!expected.standard_error) return reference.noise && excess > kStandardErrors * *reference.noise;
  const auto runs = static_cast<double>(reference.runs.size());
  // Standard deviation of the difference of a new run and the mean of the reference runs.
  const double spread = *expected.standard_error * std::sqrt(runs + 1.0);
  return spread == 0.0 || student_tail(excess / spread, runs - 1.0) <= reference.error;
}

bool is_past_after(std::size_t steps, std::span<const double> losses, const LossReference& reference) {
  const std::size_t window = steps / kPart;
  std::vector<double> worst;
  for (const Losses& run : reference.runs) worst.push_back(worst_mean(run, steps / kPart, window));
  const Estimate expected = estimate_of(worst);
  const double excess = mean_of(losses.subspan(steps - window, window)) - expected.mean - reference.tolerance;
  return std::isfinite(excess) && excess > 0.0 && is_beyond_chance(excess, expected, reference);
}

bool is_past(std::span<const double> losses, const LossReference& reference) {
  const std::size_t all = steps_of(reference);
  const std::array<std::size_t, kEarlyLooks> looks{all / 2, all / 4 * 3};
  return std::ranges::any_of(looks, [&](std::size_t steps) {
    return steps >= kLeastSteps && losses.size() >= steps && is_past_after(steps, losses, reference);
  });
}

bool has_diverged(std::span<const double> losses) {
  if (losses.size() < kLastLosses) return false;
  return std::ranges::none_of(losses.last(kLastLosses), [](double loss) { return std::isfinite(loss); });
}

}  // namespace

bool is_clearly_bad(std::span<const double> losses, const std::optional<LossReference>& reference) {
  return has_diverged(losses) || (reference && !reference->runs.empty() && is_past(losses, *reference));
}

}  // namespace ampprof::search
