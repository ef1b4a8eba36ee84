// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/ranks.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"

/// Compares the ranks of a distributed program: missing ranks, the first death, the origin of an overflow, ranks that
/// differ in a value that all must share, and ranks that slow down the others.
namespace ampprof::analysis {

/// Values that all ranks must agree on.
enum class Replicated { LossScale, SkippedStep, Parameter };

/// The first difference of a rank from most others. The value of a skipped step is 1, that of an executed step 0. A
/// parameter has no values.
struct Divergence {
  Replicated what = Replicated::LossScale;
  std::int64_t step = 0;
  double own = 0.0;
  double others = 0.0;         ///< value of most ranks; on a tie, that of the lowest rank
  std::string parameter = {};  ///< name of the parameter; "" for other kinds

  bool operator==(const Divergence&) const = default;
};

/// Rates a rank's own time per step against the own times of other ranks in the same steps. Own time is the time of a
/// step without waits for other ranks in collectives, since these waits make steps of synchronous training equally long
/// on all ranks. If waits are unknown, own time is the whole step.
enum class Pace {
  CannotTell,  ///< too few steps to rule out chance
  Even,
  Slower,  ///< slower beyond noise
};

/// The recorded data of one rank.
struct Rank {
  queries::RunRow run;  ///< a run with a known rank
  queries::RankRecord record;
  std::optional<Divergence> divergence = {};
  Pace pace = Pace::CannotTell;
  std::optional<double> slower_by = {};  ///< median own time / that of the other ranks - 1; empty without common steps
  bool has_collectives = false;          ///< has collectives in which ranks wait for each other
  /// Time in ms, by step, that collectives of this rank waited for the last rank. Lacks steps without collectives or
  /// with unknown waits.
  std::map<std::int64_t, double> waits = {};
  std::optional<double> wait_ms = {};  ///< median of `waits` over the steps
  /// Additional time that the other ranks wait because this rank is slower: median over steps, in ms.
  std::optional<double> waited_for_ms = {};
  std::int64_t overflows_begun = 0;  ///< overflows that began on this rank, not with NaN or inf from another rank
};

/// Ranks from first to last, inclusive.
struct RankSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const RankSpan&) const = default;
};

/// An overflow on one rank.
struct RankOverflow {
  std::int64_t rank = 0;
  queries::RankEvent event;
};

/// A NaN or inf in the backward of one loss in one step.
struct Overflow {
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  std::vector<RankOverflow> origins;   ///< overflows that began on their rank, the earliest op first
  std::vector<std::int64_t> received;  ///< ranks that received NaN or inf from a collective
  std::vector<std::int64_t> unknown;   ///< ranks that saw NaN or inf of unknown origin
};

/// The first check in which ranks held different parameters.
struct ParameterDivergence {
  std::int64_t step = 0;
  std::string parameter;                  ///< the first differing parameter, by name
  std::int64_t parameters = 0;            ///< number of differing parameters
  bool has_majority = false;              ///< more than half of the ranks hold the same value of that parameter
  std::vector<std::int64_t> alone;        ///< ranks whose value differs from that of most ranks, or on a tie from that
                                          ///< of the lowest rank
  std::optional<std::int64_t> agreed_in;  ///< last earlier step in which all ranks held the same value; 0 means before
                                          ///< the first update
};

/// Result of comparing the ranks' parameters (`run --check-ranks`).
struct ParameterChecks {
  bool was_asked = false;
  std::int64_t steps = 0;     ///< number of steps in which two ranks or more were compared
  std::int64_t compared = 0;  ///< number of compared parameters
  /// Names of parameters that differed in their first check, with no value that more than half of the ranks held. They
  /// count as sharded and are not compared.
  std::vector<std::string> not_replicated;
  std::optional<ParameterDivergence> divergence;
};

/// A rank that did not end well.
struct RankDeath {
  std::int64_t rank = 0;
  std::optional<int> exit_code = {};          ///< 128 + signal for a signal; empty: unknown
  std::optional<std::int64_t> ended_ns = {};  ///< time since 1970; empty if unknown

  bool operator==(const RankDeath&) const = default;
};

/// The ranks of one host that did not end well. Clocks of different hosts are not compared.
struct HostDeaths {
  std::string host;              ///< "" if unknown
  std::vector<RankDeath> ranks;  ///< in order of death, at least one; ranks without a recorded end come last

  /// Returns the rank that died first; null if that is not sure.
  const RankDeath* first() const;
  bool are_all_timed() const;
  /// Returns the time between the first two deaths. Both times are known.
  double seconds_between() const;
};

/// Deaths less than this many seconds apart may have been observed in the wrong order.
inline constexpr double kMinDeathGapSeconds = 0.01;

/// The runs of one launch of a distributed program.
struct RankedLaunch {
  std::vector<Rank> ranks;          ///< ascending, at least one
  std::vector<RankSpan> missing;    ///< ranks missing from the report
  std::vector<Overflow> overflows;  ///< by step
  ParameterChecks parameters;
  std::vector<HostDeaths> deaths;  ///< by the lowest dead rank of each host
  std::int64_t missing_count() const;
  std::optional<std::int64_t> world_size() const { return ranks.front().run.world_size; }
};

/// A rank is slower only if its own time is at least this share above that of the other ranks.
inline constexpr double kLeastSlower = 0.01;

/// Groups runs of one program, level and repeat that differ in rank, in the order of their first runs. Leaves out runs
/// without other ranks.
std::vector<std::vector<queries::RunRow>> runs_by_launch(const std::vector<queries::RunRow>& runs);

/// Returns the ranks below `world_size` that are not in `recorded`, which ascends. If the world size is unknown, stops
/// at the last recorded rank.
std::vector<RankSpan> missing_ranks(const std::vector<std::int64_t>& recorded, std::optional<std::int64_t> world_size);

/// Returns each overflow that any rank saw.
std::vector<Overflow> overflows_of(const std::vector<Rank>& ranks);

/// Sets Rank::divergence. Compares the steps that at least two ranks recorded. A rank that ended early does not count
/// as different.
void find_divergences(std::vector<Rank>& ranks);

/// Compares parameter checksums of the same step that two ranks or more have. Sets Rank::divergence of the ranks in the
/// minority, unless they diverged in an earlier step.
ParameterChecks check_parameters(const queries::Report& report, std::vector<Rank>& ranks);

/// Sets Rank::waits, wait_ms and has_collectives.
void find_waits(std::vector<Rank>& ranks);

/// Sets Rank::pace, slower_by and waited_for_ms. Uses a rank test (compare::RankTest) of each rank's own times against
/// the medians of the other ranks' own times in the same steps, at a level of 5 % for all ranks together. Call
/// find_waits() first.
void find_stragglers(std::vector<Rank>& ranks);

/// Returns the ranks that did not end well, by host.
std::vector<HostDeaths> deaths_of(const std::vector<Rank>& ranks);

/// Tells whether a rank needs the reader's attention.
bool stands_out(const Rank& rank);

/// Returns all launches of a report, restricted to `runs`.
std::vector<RankedLaunch> ranked_launches(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                          queries::RankDetail detail = queries::RankDetail::All);

}  // namespace ampprof::analysis
