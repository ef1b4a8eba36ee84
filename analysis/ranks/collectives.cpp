// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/collectives.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/ranks/ranks.h"
#include "reports/queries/run_names.h"
#include "reports/records/median.h"

namespace ampprof::analysis {
namespace {

/// Identifies a collective on all ranks: step, group, op, and the index among the calls of that op and group in the
/// step.
using SameOnAllRanks = std::tuple<std::int64_t, std::string, std::string, std::int64_t>;

/// One rank's part in a collective: the rank, and the index of its call.
struct Member {
  std::size_t rank = 0;
  std::size_t place = 0;
};

/// Groups the calls by collective, in the order of ranks. Keeps collectives that all ranks of the group recorded.
std::vector<std::vector<Member>> whole_collectives(const CallsOfRanks& ranks) {
  std::map<SameOnAllRanks, std::vector<Member>> same;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::map<std::tuple<std::int64_t, std::string, std::string>, std::int64_t> seen;
    for (std::size_t place = 0; place < ranks[rank]->size(); ++place) {
      const queries::CollectiveRow& row = (*ranks[rank])[place];
      const std::tuple kind(row.step, row.call.group, row.op);
      same[std::tuple_cat(kind, std::tuple(seen[kind]++))].push_back({rank, place});
    }
  }
  std::vector<std::vector<Member>> whole;
  for (auto& each : same) {
    std::vector<Member>& members = each.second;
    const bool is_whole = std::ranges::all_of(members, [&](const Member& member) {
      return (*ranks[member.rank])[member.place].call.group_size == std::ssize(members);
    });
    if (is_whole) whole.push_back(std::move(members));
  }
  return whole;
}

/// The calls of one launch, by rank and index, with the wait of each call. The rounding of a collective is stored at
/// the call of the first rank of its group.
struct LaunchCalls {
  std::vector<std::vector<queries::CollectiveRow>> ranks;
  std::vector<std::vector<std::optional<double>>> waits;
  std::vector<std::vector<std::optional<Rounding>>> roundings;
};

using SketchOfPlace = std::map<std::pair<std::int64_t, std::int64_t>, Sketch>;  // by segment and call site

struct SketchesOfRank {
  SketchOfPlace put_in, results;
};

SketchesOfRank sketches_of(const queries::Report& report, std::int64_t run) {
  SketchesOfRank sketches;
  for (CollectiveSketch& row : queries::collective_sketches(report, run)) {
    SketchOfPlace& places = row.is_result ? sketches.results : sketches.put_in;
    places[{row.sketch.segment, row.sketch.call_site}] = std::move(row.sketch);
  }
  return sketches;
}

const Sketch* sketch_at(const SketchOfPlace& sketches, const queries::CollectiveRow& row) {
  const auto found = sketches.find({row.call.segment, row.call.call_site});
  return found == sketches.end() ? nullptr : &found->second;
}

/// Returns the rounding of one collective. Takes the first result that a rank recorded: all ranks have the same result.
std::optional<Rounding> rounding_of_one(const std::vector<Member>& members, const CallsOfRanks& ranks,
                                        const std::vector<SketchesOfRank>& sketches) {
  std::vector<Sketch> put_in;
  const Sketch* result = nullptr;
  for (const Member& member : members) {
    const queries::CollectiveRow& row = (*ranks[member.rank])[member.place];
    const Sketch* of_rank = sketch_at(sketches[member.rank].put_in, row);
    if (of_rank == nullptr) return std::nullopt;
    put_in.push_back(*of_rank);
    if (result == nullptr) result = sketch_at(sketches[member.rank].results, row);
  }
  if (result == nullptr) return std::nullopt;
  const Member& first = members.front();
  return rounding_of(put_in, *result, (*ranks[first.rank])[first.place].call.reduction);
}

LaunchCalls calls_of(const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  LaunchCalls launch;
  std::vector<SketchesOfRank> sketches;
  for (const queries::RunRow& run : runs) {
    launch.ranks.push_back(queries::collectives(report, run.run));
    queries::name_collectives(report, run.run, launch.ranks.back());
    sketches.push_back(sketches_of(report, run.run));
  }
  CallsOfRanks ranks;
  for (const auto& calls : launch.ranks) ranks.push_back(&calls);
  launch.waits = waits_of(ranks);
  for (const auto& calls : launch.ranks) launch.roundings.emplace_back(calls.size());
  for (const auto& members : whole_collectives(ranks)) {
    const Member& first = members.front();
    launch.roundings[first.rank][first.place] = rounding_of_one(members, ranks, sketches);
  }
  return launch;
}

/// Returns the key that the calls of one CollectiveSite share.
auto site_key_of(const queries::CollectiveRow& row) {
  return std::tuple(row.phase, row.call_site, row.call.group, row.call.group_size, row.call.reduction, row.call.dtype,
                    row.call.bytes);
}

struct Gathered {
  CollectiveSite site;
  std::set<std::size_t> ranks;
  std::vector<double> times, waits, transfers;
  double error_sq = 0.0, error_fourth = 0.0, sum_sq = 0.0;  ///< sums over the roundings
};

void add_rounding(const Rounding& rounding, Gathered& gathered) {
  ++gathered.site.roundings;
  gathered.error_sq += rounding.error_sq;
  gathered.error_fourth += rounding.error_sq * rounding.error_sq;
  gathered.sum_sq += rounding.sum_sq;
}

/// Sets the pooled rounding and its standard error. An estimate of a squared norm has the relative variance 2 /
/// kSketchSums. Its square root has half that relative standard deviation.
void pool_roundings(const Gathered& gathered, CollectiveSite& site) {
  if (site.roundings == 0) return;
  site.rounding = std::sqrt(gathered.error_sq / gathered.sum_sq);
  const double share = gathered.error_sq > 0 ? std::sqrt(gathered.error_fourth) / gathered.error_sq : 0.0;
  site.rounding_error = *site.rounding * share / std::sqrt(2.0 * static_cast<double>(kSketchSums));
}

void add_call(const queries::CollectiveRow& row, const std::optional<double>& wait, Gathered& gathered) {
  ++gathered.site.calls;
  if (!row.ms) return;
  gathered.times.push_back(*row.ms);
  if (!wait) return;
  gathered.waits.push_back(*wait);
  gathered.transfers.push_back(*row.ms - *wait);
}

std::optional<double> median_of(std::vector<double> values) {
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

/// Returns the 99th percentile by the nearest-rank method.
double percentile_99(std::vector<double> values) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(values.size())));
  return values[rank - 1];
}

CollectiveSite summed_up(Gathered gathered) {
  CollectiveSite site = std::move(gathered.site);
  pool_roundings(gathered, site);
  site.ranks = std::ssize(gathered.ranks);
  if (!gathered.times.empty()) {
    double total = 0.0;
    for (const double ms : gathered.times) total += ms;
    site.total_ms = total;
    site.p99_ms = percentile_99(gathered.times);
  }
  site.median_ms = median_of(std::move(gathered.times));
  site.wait_ms = median_of(std::move(gathered.waits));
  site.transfer_ms = median_of(std::move(gathered.transfers));
  return site;
}

void add_sites_of(const LaunchCalls& launch, std::int64_t number, std::vector<CollectiveSite>& sites) {
  std::map<decltype(site_key_of(queries::CollectiveRow())), Gathered> gathered;
  for (std::size_t rank = 0; rank < launch.ranks.size(); ++rank) {
    for (std::size_t i = 0; i < launch.ranks[rank].size(); ++i) {
      const queries::CollectiveRow& row = launch.ranks[rank][i];
      Gathered& of_site = gathered[site_key_of(row)];
      if (of_site.site.calls == 0) of_site.site.row = row;
      of_site.ranks.insert(rank);
      add_call(row, launch.waits[rank][i], of_site);
      if (const auto& rounding = launch.roundings[rank][i]) add_rounding(*rounding, of_site);
    }
  }
  for (auto& [key, of_site] : gathered) {
    of_site.site.launch = number;
    sites.push_back(summed_up(std::move(of_site)));
  }
}

/// Returns the launches with several ranks, then each other run as a launch of one rank.
std::vector<std::vector<queries::RunRow>> launches_of(const std::vector<queries::RunRow>& runs) {
  auto launches = runs_by_launch(runs);
  for (const queries::RunRow& run : runs) {
    if (!queries::is_one_of_many(run)) launches.push_back({run});
  }
  return launches;
}

}  // namespace

std::vector<std::vector<std::optional<double>>> waits_of(const CallsOfRanks& ranks) {
  std::vector<std::vector<std::optional<double>>> waits;
  for (const auto* calls : ranks) waits.emplace_back(calls->size());
  for (const auto& members : whole_collectives(ranks)) {
    const auto row_of = [&](const Member& member) -> const queries::CollectiveRow& {
      return (*ranks[member.rank])[member.place];
    };
    if (!std::ranges::all_of(members, [&](const Member& member) { return row_of(member).ms.has_value(); })) continue;
    double shortest = *row_of(members.front()).ms;
    for (const Member& member : members) shortest = std::min(shortest, *row_of(member).ms);
    for (const Member& member : members) waits[member.rank][member.place] = *row_of(member).ms - shortest;
  }
  return waits;
}

std::optional<Rounding> rounding_of(const std::vector<Sketch>& put_in, const Sketch& result,
                                    const std::string& reduction) {
  if (reduction != "sum" && reduction != "avg") return std::nullopt;
  const auto fits = [&](const Sketch& each) { return each.elements == result.elements && each.nonfinite == 0; };
  if (put_in.empty() || !std::ranges::all_of(put_in, fits) || !fits(result) || !(result.sum_sq > 0))
    return std::nullopt;
  const double parts = reduction == "avg" ? static_cast<double>(put_in.size()) : 1.0;
  Sketch sum;
  for (const Sketch& each : put_in) {
    for (std::size_t i = 0; i < kSketchSums; ++i) sum.sums[i] += each.sums[i] / parts;
  }
  const double error = distance(sum, result);
  return Rounding{.error_sq = error * error, .sum_sq = result.sum_sq};
}

std::optional<double> CollectiveSite::algorithm_bandwidth() const {
  const std::optional<double> ms = transfer_ms ? transfer_ms : median_ms;
  if (row.call.bytes <= 0 || !ms || !(*ms > 0) || !bus_factor(row.op, row.call.group_size)) return std::nullopt;
  return static_cast<double>(row.call.bytes) / (*ms / 1e3);
}

std::optional<double> CollectiveSite::bus_bandwidth() const {
  const std::optional<double> bandwidth = algorithm_bandwidth();
  return bandwidth ? std::optional(*bandwidth * bus_factor(row.op, row.call.group_size).value_or(0)) : std::nullopt;
}

std::vector<CollectiveSite> collective_sites(const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  std::vector<CollectiveSite> sites;
  std::int64_t number = 0;
  for (const auto& of_launch : launches_of(runs)) add_sites_of(calls_of(report, of_launch), ++number, sites);
  std::ranges::stable_sort(sites, std::greater(),
                           [](const CollectiveSite& site) { return site.total_ms.value_or(-1); });
  return sites;
}

}  // namespace ampprof::analysis
