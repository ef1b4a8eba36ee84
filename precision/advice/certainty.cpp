// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/certainty.h"

#include <algorithm>
#include <cmath>

#include "precision/advice/cover.h"
#include "reports/records/impact_estimate.h"

namespace ampprof::advice {
namespace {

using Steps = std::vector<StepImpact>;

/// Returns the impacts of a candidate in the steps in which all of its call sites were measured.
Steps steps_of(const FunctionInModule& candidate) {
  if (candidate.steps.empty()) return {};
  Steps sum = *candidate.steps.front();
  for (std::size_t i = 1; i < candidate.steps.size(); ++i) add_steps(sum, *candidate.steps[i]);
  return sum;
}

/// Returns the logarithm of a candidate's impact and the standard deviation of this logarithm, from model error and
/// sampling. The sampling error is that of the ratio to `whole`, so that a batch that scales all gradients adds no
/// uncertainty. Without E (StepImpact::square) the sampling error is 1 / sqrt(2 n), the relative standard error of the
/// root mean square of n signed changes.
UncertainSize size_of(const FunctionInModule& candidate, const Steps& steps, const Steps& whole) {
  const auto ratio = size_ratio(steps, whole);
  const double sampling = ratio ? ratio->sampling : std::sqrt(0.5 / static_cast<double>(steps.size()));
  return {std::log(predicted_impact(candidate.effects)), std::sqrt(kModelError * kModelError + sampling * sampling)};
}

bool is_asked(const FunctionInModule& candidate) {
  return candidate.reasons.empty() && candidate.cannot.empty() && predicted_impact(candidate.effects) > 0.0;
}

}  // namespace

std::optional<double> certainty_of(const std::vector<FunctionInModule>& candidates,
                                   const std::vector<std::size_t>& chosen) {
  std::vector<Steps> steps;
  Steps whole;
  for (const FunctionInModule& candidate : candidates) {
    steps.push_back(is_asked(candidate) ? steps_of(candidate) : Steps{});
    if (!is_asked(candidate)) continue;
    if (steps.back().empty()) return std::nullopt;
    if (whole.empty()) {
      whole = steps.back();
    } else {
      add_steps(whole, steps.back());
    }
  }
  std::vector<UncertainSize> taken;
  std::vector<UncertainSize> left;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!is_asked(candidates[i])) continue;
    const bool is_chosen = std::ranges::find(chosen, i) != chosen.end();
    (is_chosen ? taken : left).push_back(size_of(candidates[i], steps[i], whole));
  }
  if (taken.empty() || left.empty()) return std::nullopt;
  return probability_of_being_largest(taken, left);
}

}  // namespace ampprof::advice
