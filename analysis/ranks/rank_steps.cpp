// SPDX-License-Identifier: Apache-2.0
// Compares the same steps of several ranks: loss scales, skipped steps, times.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/ranks/ranks.h"
#include "reports/compare/rank_test.h"
#include "reports/records/median.h"

namespace ampprof::analysis {
namespace {

constexpr double kAlphaOfStragglers = 0.05;  // chance that any rank is wrongly called slower

/// A value that all ranks must agree on. `rank` is an index into the list of ranks.
struct ReplicatedValue {
  /// Step, segment in the step, loss, and index of the decision on that loss in the segment.
  std::tuple<std::int64_t, std::int32_t, std::int32_t, std::int64_t> when;
  std::size_t rank = 0;
  double value = 0.0;
};

bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::vector<ReplicatedValue> scales_of_ranks(const std::vector<Rank>& ranks) {
  std::vector<ReplicatedValue> values;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::map<std::tuple<std::int64_t, std::int32_t, std::int32_t>, std::int64_t> decisions;
    for (const queries::ScaleRow& row : ranks[rank].record.scales) {
      const std::tuple place(row.step, row.position, row.update.loss_id);
      values.push_back({std::tuple_cat(place, std::tuple(decisions[place]++)), rank, row.update.scale_after});
    }
  }
  return values;
}

/// Returns which steps each rank skipped. Leaves out the last step of a rank that did not end: the rank may have been
/// about to skip this step.
std::vector<ReplicatedValue> skips_of_ranks(const std::vector<Rank>& ranks) {
  std::vector<ReplicatedValue> values;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::vector<queries::RankStep>& steps = ranks[rank].record.steps;
    for (const queries::RankStep& step : steps) {
      if (!ranks[rank].run.complete && &step == &steps.back()) continue;
      values.push_back({{step.step, 0, 0, 0}, rank, step.skipped ? 1.0 : 0.0});
    }
  }
  return values;
}

using Values = std::vector<ReplicatedValue>::const_iterator;

/// Returns the most frequent value; on a tie, that of the lowest rank.
double value_of_most(Values begin, Values end) {
  std::vector<std::pair<double, std::int64_t>> counts;
  for (Values each = begin; each != end; ++each) {
    const auto known = std::ranges::find_if(counts, [&](const auto& one) { return are_same(one.first, each->value); });
    known == counts.end() ? counts.push_back({each->value, 1}) : void(++known->second);
  }
  return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
}

/// Sets Rank::divergence of ranks that differ from most others. Keeps the first divergence of each rank.
void note_divergences(std::vector<ReplicatedValue> values, Replicated what, std::vector<Rank>& ranks) {
  std::ranges::sort(values, {}, [](const ReplicatedValue& each) { return std::pair(each.when, each.rank); });
  for (Values begin = values.cbegin(), end = begin; begin != values.cend(); begin = end) {
    end = std::find_if(begin, values.cend(), [&](const ReplicatedValue& each) { return each.when != begin->when; });
    const double others = value_of_most(begin, end);
    for (Values each = begin; each != end; ++each) {
      const std::int64_t step = std::get<0>(each->when);
      std::optional<Divergence>& first = ranks[each->rank].divergence;
      if (are_same(each->value, others) || (first && first->step <= step)) continue;
      first = Divergence{what, step, each->value, others};
    }
  }
}

/// Returns the median of all values except one that equals `value`; the upper median if their number is even. So one
/// fast rank of three does not make the other two look slow.
double median_without(const std::vector<double>& sorted, double value) {
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sorted, value) - sorted.begin());
  const auto rest = [&](std::size_t i) { return sorted[i < place ? i : i + 1]; };
  return rest((sorted.size() - 1) / 2);
}

/// Milliseconds of one rank in each step that other ranks recorded too.
struct TimesOfSteps {
  std::vector<double> own;         ///< its own time, without waits if they are known
  std::vector<double> others;      ///< median own time of the other ranks
  std::vector<double> waited_for;  ///< how much longer the other ranks waited, in steps with known waits
};

/// A rank's time in a step. Includes the time since the rank's previous step: other ranks also wait for a rank that
/// loads its data late.
struct TimeOfRank {
  std::size_t rank = 0;
  double ms = 0.0;
  std::optional<double> wait = {};
};

std::map<std::int64_t, std::vector<TimeOfRank>> times_by_step(const std::vector<Rank>& ranks) {
  std::map<std::int64_t, std::vector<TimeOfRank>> steps;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const queries::RankStep& step : ranks[i].record.steps) {
      if (!step.ms) continue;
      TimeOfRank& time =
          steps[step.step].emplace_back(TimeOfRank{.rank = i, .ms = step.since_last_ms.value_or(*step.ms)});
      if (const auto wait = ranks[i].waits.find(step.step); wait != ranks[i].waits.end()) time.wait = wait->second;
    }
  }
  return steps;
}

std::vector<double> sorted_values(const std::vector<TimeOfRank>& times, auto value_of) {
  std::vector<double> values;
  for (const TimeOfRank& time : times) values.push_back(value_of(time));
  std::ranges::sort(values);
  return values;
}

void add_step(const std::vector<TimeOfRank>& step, std::vector<TimesOfSteps>& times) {
  const bool knows_waits = std::ranges::all_of(step, [](const TimeOfRank& time) { return time.wait.has_value(); });
  // A collective may overlap with other work of its rank, so its wait may be longer than the rest of the step.
  const auto own_of = [&](const TimeOfRank& time) {
    return knows_waits ? std::max(0.0, time.ms - *time.wait) : time.ms;
  };
  const auto wait_of = [](const TimeOfRank& time) { return time.wait.value_or(0.0); };
  const std::vector<double> owns = sorted_values(step, own_of);
  const std::vector<double> waits = sorted_values(step, wait_of);
  for (const TimeOfRank& time : step) {
    TimesOfSteps& of_rank = times[time.rank];
    of_rank.own.push_back(own_of(time));
    of_rank.others.push_back(median_without(owns, own_of(time)));
    if (knows_waits) of_rank.waited_for.push_back(median_without(waits, wait_of(time)) - wait_of(time));
  }
}

std::vector<TimesOfSteps> times_of_steps(const std::vector<Rank>& ranks) {
  std::vector<TimesOfSteps> times(ranks.size());
  for (const auto& [step, of_ranks] : times_by_step(ranks)) {
    if (of_ranks.size() > 1) add_step(of_ranks, times);
  }
  return times;
}

void judge_pace(const TimesOfSteps& times, double alpha, compare::RankTest& test, Rank& rank) {
  if (times.own.empty()) return;
  const double others = median(times.others);
  if (others > 0) rank.slower_by = median(times.own) / others - 1;
  if (compare::smallest_p(times.own.size(), times.others.size()) > alpha) return;
  const bool is_above = rank.slower_by.value_or(0) >= kLeastSlower;
  rank.pace = is_above && test.p(times.own, times.others) <= alpha ? Pace::Slower : Pace::Even;
  if (rank.pace == Pace::Slower && !times.waited_for.empty()) rank.waited_for_ms = median(times.waited_for);
}

}  // namespace

void find_divergences(std::vector<Rank>& ranks) {
  note_divergences(scales_of_ranks(ranks), Replicated::LossScale, ranks);
  note_divergences(skips_of_ranks(ranks), Replicated::SkippedStep, ranks);
}

void find_stragglers(std::vector<Rank>& ranks) {
  const std::vector<TimesOfSteps> times = times_of_steps(ranks);
  compare::RankTest test;
  const double alpha = kAlphaOfStragglers / static_cast<double>(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) judge_pace(times[i], alpha, test, ranks[i]);
}

}  // namespace ampprof::analysis
