// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/collectives.h"
#include "reports/queries/report.h"

namespace ampprof::queries {
struct RunRow;
}

/// Tells how long collectives take, how much they move in that time, and which part of it is waiting for a rank.
namespace ampprof::analysis {

/// Calls of each rank, in its order.
using CallsOfRanks = std::vector<const std::vector<queries::CollectiveRow>*>;

/// Returns for each call, by rank and place, how many milliseconds it was under way before the last rank came. The nth
/// call of an op with a group in a step is the same collective on all ranks of the group; the one that came last has it
/// under way for the shortest time, and the others waited as much longer as theirs is. Empty unless all ranks of the
/// group recorded it, with a time.
std::vector<std::vector<std::optional<double>>> waits_of(const CallsOfRanks& ranks);

/// Holds what one all-reduce rounded away: the estimate of the squared norm of the difference of what it gave from the
/// sum that nobody rounded, and the squared norm of what it gave.
struct Rounding {
  double error_sq = 0.0;
  double sum_sq = 0.0;
};

/// Adds up what ranks put in, which is linear in their values, and compares it with what came out. `reduction`: sum or
/// avg. Empty where a value is not finite, sizes differ, or the result is zero.
std::optional<Rounding> rounding_of(const std::vector<Sketch>& put_in, const Sketch& result,
                                    const std::string& reduction);

/// Sums up the calls of one collective from one call site with as many bytes, of all ranks of a launch that recorded
/// it.
struct CollectiveSite {
  std::int64_t launch = 1;
  queries::CollectiveRow row;  ///< its first call
  std::int64_t ranks = 0;
  std::int64_t calls = 0;
  std::optional<double> total_ms;     ///< of the calls whose time is known, as all that follows
  std::optional<double> median_ms;    ///< of a call
  std::optional<double> p99_ms;       ///< 99th percentile
  std::optional<double> wait_ms;      ///< median of what a call waited for the last rank
  std::optional<double> transfer_ms;  ///< median of a call without that
  std::int64_t roundings = 0;         ///< all-reduces that all ranks left sketches of
  /// Estimate of ||rounded sum - sum|| / ||sum||, pooled over these, and its standard error.
  std::optional<double> rounding;
  std::optional<double> rounding_error;

  /// Returns what nccl-tests calls algbw: bytes over time, in bytes a second. Where the waiting is not known it is in
  /// the time, and this is a lower bound.
  std::optional<double> algorithm_bandwidth() const;
  bool bandwidth_is_bound() const { return median_ms && !transfer_ms; }
  /// Returns what nccl-tests calls busbw: what a link carries, which compares with its speed. Empty where nothing is
  /// moved.
  std::optional<double> bus_bandwidth() const;
};

/// Returns all collectives of these runs, those that take longest in all first. Runs of one launch are taken together.
std::vector<CollectiveSite> collective_sites(const queries::Report& report, const std::vector<queries::RunRow>& runs);

}  // namespace ampprof::analysis
