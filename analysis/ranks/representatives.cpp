// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/representatives.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "analysis/ranks/ranks.h"
#include "reports/queries/ranks.h"
#include "reports/queries/run_names.h"

namespace ampprof::analysis {
namespace {

constexpr std::size_t kShownOfLaunch = 5;  // runs that fit side by side in columns

/// Adds the run ids of a launch's representatives to `chosen`: the lowest rank, and the first ranks that stand out.
void choose(const RankedLaunch& launch, std::set<std::int64_t>& chosen) {
  chosen.insert(launch.ranks.front().run.run);
  std::size_t shown = 1;
  for (std::size_t i = 1; i < launch.ranks.size() && shown < kShownOfLaunch; ++i) {
    if (!stands_out(launch.ranks[i])) continue;
    chosen.insert(launch.ranks[i].run.run);
    ++shown;
  }
}

RepresentedLaunch represented(const RankedLaunch& launch) {
  RepresentedLaunch of;
  for (const Rank& rank : launch.ranks) {
    of.ranks.push_back(rank.run);
    if (stands_out(rank)) of.standing_out.push_back(*rank.run.rank);
  }
  return of;
}

}  // namespace

Representatives represent(const std::vector<queries::RunRow>& runs, const std::vector<RankedLaunch>& launches) {
  Representatives representatives;
  std::set<std::int64_t> chosen;
  for (const RankedLaunch& launch : launches) {
    choose(launch, chosen);
    representatives.launches.push_back(represented(launch));
  }
  std::ranges::copy_if(runs, std::back_inserter(representatives.runs), [&](const queries::RunRow& run) {
    return !queries::is_one_of_many(run) || chosen.contains(run.run);
  });
  return representatives;
}

bool holds_many_ranks(const std::vector<queries::RunRow>& runs) {
  return static_cast<std::size_t>(std::ranges::count_if(runs, queries::is_one_of_many)) > kMostRanksListed;
}

std::optional<Representatives> representatives_of(const queries::Report& report,
                                                  const std::vector<queries::RunRow>& runs) {
  if (!holds_many_ranks(runs)) return std::nullopt;
  return represent(runs, ranked_launches(report, runs, queries::RankDetail::Comparison));
}

}  // namespace ampprof::analysis
