// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/ranks.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/compare/pairing.h"
#include "reports/queries/run_names.h"
#include "reports/records/saturating_add.h"

namespace ampprof::analysis {
namespace {

/// Identifies a launch by the values that its ranks have in common.
using LaunchKey = std::tuple<std::string, std::string, bool, std::int32_t, std::string, std::optional<std::int64_t>>;

LaunchKey launch_key_of(const queries::RunRow& run) {
  return {run.program, run.level, is_eager(run), run.repeat, run.what_if, run.world_size};
}

/// Returns the sort key of an overflow: the position of its first op in the step, then the rank.
auto order_of_origin(const RankOverflow& overflow) {
  const auto& [site, position] = overflow.event.first_place;
  return std::tuple(position, overflow.event.first_phase, site, overflow.rank);
}

void take_overflow(const RankOverflow& seen, Overflow& overflow) {
  if (seen.event.first_place.first == 0) {
    overflow.unknown.push_back(seen.rank);
  } else if (seen.event.is_received) {
    overflow.received.push_back(seen.rank);
  } else {
    overflow.origins.push_back(seen);
  }
}

void count_overflows_begun(RankedLaunch& launch) {
  for (const Overflow& overflow : launch.overflows) {
    for (const RankOverflow& origin : overflow.origins) {
      const auto rank = std::ranges::find(launch.ranks, origin.rank, [](const Rank& each) { return *each.run.rank; });
      if (rank != launch.ranks.end()) ++rank->overflows_begun;
    }
  }
}

RankedLaunch launch_of(const queries::Report& report, std::vector<queries::RunRow> runs, queries::RankDetail detail) {
  RankedLaunch launch;
  std::ranges::sort(runs, {}, [](const queries::RunRow& run) { return *run.rank; });
  std::vector<std::int64_t> ids;
  for (const queries::RunRow& run : runs) ids.push_back(run.run);
  std::vector<queries::RankRecord> records = queries::rank_records(report, ids, detail);
  std::vector<std::int64_t> recorded;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    recorded.push_back(*runs[i].rank);
    launch.ranks.push_back({.run = std::move(runs[i]), .record = std::move(records[i])});
  }
  launch.missing = missing_ranks(recorded, launch.world_size());
  launch.overflows = overflows_of(launch.ranks);
  count_overflows_begun(launch);
  find_divergences(launch.ranks);
  launch.parameters = check_parameters(report, launch.ranks);
  find_waits(launch.ranks);
  find_stragglers(launch.ranks);
  launch.deaths = deaths_of(launch.ranks);
  return launch;
}

}  // namespace

std::int64_t RankedLaunch::missing_count() const {
  std::int64_t count = 0;
  for (const RankSpan& span : missing) saturating_add(count, span.last - span.first + 1);
  return count;
}

std::vector<std::vector<queries::RunRow>> runs_by_launch(const std::vector<queries::RunRow>& runs) {
  std::vector<std::vector<queries::RunRow>> launches;
  std::map<LaunchKey, std::vector<std::size_t>> known;  // indices into `launches`
  std::vector<std::set<std::int64_t>> ranks;            // for each launch
  for (const queries::RunRow& run : runs) {
    if (!queries::is_one_of_many(run)) continue;
    std::vector<std::size_t>& alike = known[launch_key_of(run)];
    auto place = std::ranges::find_if(alike, [&](std::size_t launch) { return !ranks[launch].contains(*run.rank); });
    if (place == alike.end()) {
      place = alike.insert(alike.end(), launches.size());
      launches.emplace_back();
      ranks.emplace_back();
    }
    launches[*place].push_back(run);
    ranks[*place].insert(*run.rank);
  }
  return launches;
}

std::vector<RankSpan> missing_ranks(const std::vector<std::int64_t>& recorded, std::optional<std::int64_t> world_size) {
  std::vector<RankSpan> missing;
  std::int64_t next = 0;
  for (const std::int64_t rank : recorded) {
    if (rank > next) missing.push_back({next, rank - 1});
    if (rank == std::numeric_limits<std::int64_t>::max()) return missing;
    next = std::max(next, rank + 1);
  }
  if (world_size && next < *world_size) missing.push_back({next, *world_size - 1});
  return missing;
}

std::vector<Overflow> overflows_of(const std::vector<Rank>& ranks) {
  std::map<std::pair<std::int64_t, std::int32_t>, Overflow> overflows;  // by step and loss
  for (const Rank& rank : ranks) {
    std::set<std::pair<std::int64_t, std::int32_t>> seen;  // only the first micro-batch with an overflow counts
    for (const queries::RankEvent& event : rank.record.events) {
      const std::pair key(event.step, event.loss_id);
      if (seen.insert(key).second) take_overflow({*rank.run.rank, event}, overflows[key]);
    }
  }
  std::vector<Overflow> by_step;
  for (auto& [key, overflow] : overflows) {
    std::tie(overflow.step, overflow.loss_id) = key;
    std::ranges::sort(overflow.origins, {}, order_of_origin);
    by_step.push_back(std::move(overflow));
  }
  return by_step;
}

bool stands_out(const Rank& rank) {
  return rank.divergence || rank.pace == Pace::Slower || rank.overflows_begun > 0 || !rank.run.complete;
}

std::vector<RankedLaunch> ranked_launches(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                          queries::RankDetail detail) {
  std::vector<RankedLaunch> launches;
  for (std::vector<queries::RunRow>& of_launch : runs_by_launch(runs)) {
    launches.push_back(launch_of(report, std::move(of_launch), detail));
  }
  return launches;
}

}  // namespace ampprof::analysis
