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

/// Measures collectives: their times, the bytes that they move, the waits for the last rank, and the rounding of
/// all-reduces.
namespace ampprof::analysis {

/// The calls of each rank, in program order.
using CallsOfRanks = std::vector<const std::vector<queries::CollectiveRow>*>;

/// Returns for each call, by rank and index, its wait: the milliseconds between the call's start and the arrival of the
/// last rank. The nth call of an op with a group in a step is the same collective on all ranks of the group, as c10d
/// requires. The last rank to arrive has the shortest call; the excess of each other call is its wait. Empty unless all
/// ranks of the group recorded the call with a time.
std::vector<std::vector<std::optional<double>>> waits_of(const CallsOfRanks& ranks);

/// Rounding of one all-reduce: estimates of the squared norm of (result - exact sum), and the squared norm of the
/// result.
struct Rounding {
  double error_sq = 0.0;
  double sum_sq = 0.0;
};

/// Compares the sum of the ranks' input sketches, which are linear in the values, with the sketch of the result. Empty
/// if `reduction` is neither "sum" nor "avg", a value is not finite, sizes differ, or the result is zero.
std::optional<Rounding> rounding_of(const std::vector<Sketch>& put_in, const Sketch& result,
                                    const std::string& reduction);

/// Sums up a collective: all calls of one call site with the same number of bytes, over all ranks of a launch that
/// recorded it.
struct CollectiveSite {
  std::int64_t launch = 1;
  queries::CollectiveRow row;  ///< first call of the collective
  std::int64_t ranks = 0;
  std::int64_t calls = 0;
  std::optional<double> total_ms;     ///< total over the calls with a known time; the times below are of these calls
  std::optional<double> median_ms;    ///< per call
  std::optional<double> p99_ms;       ///< 99th percentile
  std::optional<double> wait_ms;      ///< median wait of a call for the last rank
  std::optional<double> transfer_ms;  ///< median time of a call without the wait
  std::int64_t roundings = 0;         ///< number of all-reduces with sketches of all ranks
  /// Estimate of ||rounded sum - sum|| / ||sum||, pooled over these all-reduces, and its standard error.
  std::optional<double> rounding;
  std::optional<double> rounding_error;

  /// Returns algbw as nccl-tests define it: bytes over time, in bytes per second. If the wait is unknown, the time
  /// includes the wait, and the result is a lower bound.
  std::optional<double> algorithm_bandwidth() const;
  bool bandwidth_is_bound() const { return median_ms && !transfer_ms; }
  /// Returns busbw as nccl-tests define it: the traffic per link, to compare with the speed of a link. Empty if nothing
  /// is moved.
  std::optional<double> bus_bandwidth() const;
};

/// Returns all collectives of these runs, by total time, the longest first. Calls on all ranks of a launch form one
/// row.
std::vector<CollectiveSite> collective_sites(const queries::Report& report, const std::vector<queries::RunRow>& runs);

}  // namespace ampprof::analysis
