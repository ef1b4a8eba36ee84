// SPDX-License-Identifier: Apache-2.0
// Finds out which ranks did not end well, and in which order.
#include <algorithm>
#include <limits>
#include <tuple>

#include "analysis/ranks/ranks.h"

namespace ampprof::analysis {
namespace {

/// Returns false for a rank whose process may still run.
bool has_died(const queries::RunRow& run) {
  if (run.exit_code) return *run.exit_code != 0;
  return run.ended_ns && !run.peak_bytes;
}

/// Orders ranks without a recorded end last.
auto order_of(const RankDeath& death) {
  return std::tuple(death.ended_ns.value_or(std::numeric_limits<std::int64_t>::max()), death.rank);
}

}  // namespace

const RankDeath* HostDeaths::first() const {
  if (ranks.size() == 1) return &ranks.front();
  if (!are_all_timed()) return nullptr;
  return seconds_between() < kMinDeathGapSeconds ? nullptr : &ranks.front();
}

bool HostDeaths::are_all_timed() const { return ranks.back().ended_ns.has_value(); }

// Computes in double: in a damaged report the difference of two times may not fit into an integer.
double HostDeaths::seconds_between() const {
  const auto of = [](const RankDeath& death) { return static_cast<double>(death.ended_ns.value_or(0)); };
  return ranks.size() < 2 ? 0.0 : (of(ranks[1]) - of(ranks[0])) / 1e9;
}

std::vector<HostDeaths> deaths_of(const std::vector<Rank>& ranks) {
  std::vector<HostDeaths> hosts;
  for (const Rank& rank : ranks) {
    if (!has_died(rank.run)) continue;
    auto host = std::ranges::find(hosts, rank.run.host, &HostDeaths::host);
    if (host == hosts.end()) host = hosts.insert(hosts.end(), {.host = rank.run.host, .ranks = {}});
    host->ranks.push_back({*rank.run.rank, rank.run.exit_code, rank.run.ended_ns});
  }
  for (HostDeaths& host : hosts) std::ranges::sort(host.ranks, {}, order_of);
  return hosts;
}

}  // namespace ampprof::analysis
