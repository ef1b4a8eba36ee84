// SPDX-License-Identifier: Apache-2.0
// Measures how long the collectives of each rank waited for other ranks in each step.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/ranks/collectives.h"
#include "analysis/ranks/ranks.h"
#include "reports/records/median.h"

namespace ampprof::analysis {
namespace {

/// Begin and end of a wait, in milliseconds since the run began.
using Stretch = std::pair<double, double>;

/// Returns the total length of waits; counts overlapping parts once.
double length_of_all(std::vector<Stretch> stretches) {
  std::ranges::sort(stretches);
  double length = 0.0;
  double covered = stretches.front().first;
  for (const auto& [begin, end] : stretches) {
    length += std::max(0.0, end - std::max(begin, covered));
    covered = std::max(covered, end);
  }
  return length;
}

bool waits_for_others(const queries::CollectiveRow& row) {
  return row.call.group_size > 1 && !is_point_to_point(row.op);
}

void add_waits(const std::vector<std::optional<double>>& waits, Rank& rank) {
  std::map<std::int64_t, std::vector<Stretch>> steps;
  std::set<std::int64_t> unknown;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const queries::CollectiveRow& row = rank.record.collectives[i];
    if (!waits_for_others(row)) continue;
    rank.has_collectives = true;
    const double start = static_cast<double>(row.call.start_ns) / 1e6;
    if (waits[i]) {
      steps[row.step].emplace_back(start, start + *waits[i]);
    } else {
      unknown.insert(row.step);
    }
  }
  for (auto& [step, stretches] : steps) {
    if (!unknown.contains(step)) rank.waits[step] = length_of_all(std::move(stretches));
  }
  std::vector<double> of_steps;
  for (const auto& [step, ms] : rank.waits) {
    if (step > 0) of_steps.push_back(ms);  // step 0 is the time before the first step
  }
  if (!of_steps.empty()) rank.wait_ms = median(std::move(of_steps));
}

}  // namespace

void find_waits(std::vector<Rank>& ranks) {
  CallsOfRanks calls;
  for (const Rank& rank : ranks) calls.push_back(&rank.record.collectives);
  const auto waits = waits_of(calls);
  for (std::size_t i = 0; i < ranks.size(); ++i) add_waits(waits[i], ranks[i]);
}

}  // namespace ampprof::analysis
