// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_choice.h"

#include <cstddef>
#include <utility>

namespace ampprof::profiler {
namespace {

constexpr std::size_t kKept = 64;  // number of kept choices, since training loops may be at different steps
constexpr double kNewest = 0.5;    // weight of the latest step in moving averages

/// Returns whether deep steps (Detail::Deep) cost far more than steps in which only local errors are measured.
bool is_costly(const recording::Options& options) { return options.inherited || options.impact; }

void average(double& known, double newest) { known = known == 0.0 ? newest : known + kNewest * (newest - known); }

}  // namespace

bool StepChoice::records(const recording::Options& options, std::int64_t step, std::int64_t now_ns,
                         std::int64_t overhead_ns) {
  if (!is_deep(step) && !is_asked_for(options, step, now_ns)) return false;
  if (options.measures_all() || (!options.overhead && now_ns < kFullNs)) return true;
  if (const auto known = chosen_.find(step); known != chosen_.end()) return known->second != Detail::None;
  const Times now{.program_ns = now_ns - overhead_ns, .overhead_ns = overhead_ns};
  if (!std::exchange(is_bounded_, true)) bounded_since_ = now;
  latest_ = choose(options, step, now);
  chosen_[step] = latest_;
  if (chosen_.size() > kKept) chosen_.erase(chosen_.begin());
  return latest_ != Detail::None;
}

bool StepChoice::is_sampled(const recording::Options& options, std::int64_t step) const {
  return is_deep(step) || options.is_sampled(step);
}

bool StepChoice::is_followed(const recording::Options& options, std::int64_t step) const {
  const auto known = chosen_.find(step);
  return is_sampled(options, step) && (known == chosen_.end() || known->second == Detail::Deep || !is_costly(options));
}

bool StepChoice::is_in_full(std::int64_t step) const {
  const auto known = chosen_.find(step);
  return is_deep(step) || (known != chosen_.end() && known->second == Detail::Deep);
}

bool StepChoice::is_asked_for(const recording::Options& options, std::int64_t step, std::int64_t now_ns) const {
  if (!every_) return options.records(step, now_ns);
  return *every_ > 0 && step % *every_ == 0;
}

void StepChoice::record_deep(std::int64_t first, std::int64_t steps) {
  deep_first_ = first;
  deep_end_ = first + steps;
  chosen_.erase(chosen_.lower_bound(first), chosen_.end());
}

StepChoice::Detail StepChoice::choose(const recording::Options& options, std::int64_t step, const Times& now) {
  learn(step, now);
  const double share = options.overhead.value_or(kDefaultShare);
  const double allowed_ns = share * static_cast<double>(now.program_ns - bounded_since_.program_ns);
  const double taken_ns = static_cast<double>(now.overhead_ns - bounded_since_.overhead_ns);
  const auto is_due = [&](double part, const Account& kind) {
    return step % stride(part * share, kind.cost_ns) == 0 && kind.taken_ns + kind.cost_ns <= part * allowed_ns &&
           taken_ns + kind.cost_ns <= allowed_ns;
  };
  const bool is_close = close_steps_ > 0;
  if (is_close) --close_steps_;
  const bool is_free = step <= kFirstSteps || is_close || is_deep(step);
  if (is_costly(options)) {
    if (is_free || is_due(kDeepPart, deep_)) return Detail::Deep;
    return is_due(1 - kDeepPart, local_) ? Detail::Local : Detail::None;
  }
  return is_free || is_due(1, local_) ? Detail::Local : Detail::None;
}

std::optional<StepChoice::Exceeded> StepChoice::exceeded(const recording::Options& options, std::int64_t now_ns,
                                                         std::int64_t overhead_ns) const {
  constexpr std::int64_t kShortest = 1'000'000'000;  // program time, in ns, from which on shares are reliable
  const std::int64_t program_ns = now_ns - overhead_ns - bounded_since_.program_ns;
  if (!is_bounded_ || program_ns < kShortest) return std::nullopt;
  const std::int64_t latest_ns = latest_ == Detail::None ? 0 : overhead_ns - begun_.overhead_ns;
  const double recording_ns = local_.taken_ns + deep_.taken_ns + static_cast<double>(latest_ns);
  const double passing_ns = static_cast<double>(overhead_ns - bounded_since_.overhead_ns) - recording_ns;
  const Exceeded found{.bound = options.overhead.value_or(kDefaultShare),
                       .share = passing_ns / static_cast<double>(program_ns)};
  return found.share > found.bound ? std::optional(found) : std::nullopt;
}

void StepChoice::learn(std::int64_t step, const Times& now) {
  const Times last = std::exchange(begun_, now);
  const std::int64_t steps = step - std::exchange(last_step_, step);
  if (last.program_ns == 0 || steps <= 0) return;
  average(step_ns_, static_cast<double>(now.program_ns - last.program_ns) / static_cast<double>(steps));
  if (latest_ == Detail::None) return;
  Account& kind = latest_ == Detail::Deep ? deep_ : local_;
  const auto cost_ns = static_cast<double>(now.overhead_ns - last.overhead_ns);
  kind.taken_ns += cost_ns;
  average(kind.cost_ns, cost_ns);
}

/// Returns N for "every Nth step": the largest power of three up to the stride that `share` pays for. Ranks and opt
/// levels have different costs, and with powers of three they still choose common steps; nets that train in turn all
/// get recorded steps. Returns 1 while no cost was measured.
std::int64_t StepChoice::stride(double share, double cost_ns) const {
  constexpr std::int64_t kLongest = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3;
  std::int64_t stride = 1;
  while (stride < kLongest && cost_ns > 0.0 && 3.0 * static_cast<double>(stride) * share * step_ns_ <= cost_ns)
    stride *= 3;
  return stride;
}

void StepChoice::loss_seen(std::int64_t step, bool is_finite) {
  if (!is_finite && is_loss_finite_) {
    close_steps_ = kCloseSteps;
    chosen_.erase(chosen_.upper_bound(step), chosen_.end());
  }
  is_loss_finite_ = is_finite;
}

}  // namespace ampprof::profiler
