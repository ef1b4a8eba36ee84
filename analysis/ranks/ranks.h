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

/// Compares the ranks of a distributed program: which are missing, which died first, where an overflow began, which
/// differ in what all must agree on, which hold the others up.
namespace ampprof::analysis {

/// Names what all ranks must agree on.
enum class Replicated { LossScale, SkippedStep, Parameter };

/// Holds where a rank first differed from most others. Of a step, 1 stands for skipped and 0 for done. A parameter has
/// no values here.
struct Divergence {
  Replicated what = Replicated::LossScale;
  std::int64_t step = 0;
  double own = 0.0;
  double others = 0.0;         ///< what most ranks had; of equally many, what the lowest rank had
  std::string parameter = {};  ///< its name; "" where it is none

  bool operator==(const Divergence&) const = default;
};

/// Tells how a rank's own time in each step compares with that of the others in the same steps: the time of the step
/// without what its collectives waited for other ranks, which makes steps of training in step equally long. Where waits
/// are not known it is all of the step.
enum class Pace {
  CannotTell,  ///< so few steps that chance could order them
  Even,
  Slower,  ///< beyond noise
};

/// One rank with what it recorded.
struct Rank {
  queries::RunRow run;  ///< whose rank is known
  queries::RankRecord record;
  std::optional<Divergence> divergence = {};
  Pace pace = Pace::CannotTell;
  std::optional<double> slower_by = {};  ///< median own time over the others', less 1; empty without common steps
  bool has_collectives = false;          ///< that wait for other ranks
  /// By step, milliseconds in which a collective of this rank was under way before the last rank came to it. Without
  /// steps that have none, or of whose collectives that is not known.
  std::map<std::int64_t, double> waits = {};
  std::optional<double> wait_ms = {};  ///< their median
  /// Tells how many milliseconds the others wait more in a step, at the median, where this rank is slower.
  std::optional<double> waited_for_ms = {};
  std::int64_t overflows_begun = 0;  ///< overflows that began here and not with what came from another rank
};

/// Ranks from the first to the last, both included.
struct RankSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const RankSpan&) const = default;
};

/// An overflow that a rank saw.
struct RankOverflow {
  std::int64_t rank = 0;
  queries::RankEvent event;
};

/// The backward of one loss in one step in which a NaN or inf appeared.
struct Overflow {
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  std::vector<RankOverflow> origins;   ///< where it began before a collective spread it, the earliest op first
  std::vector<std::int64_t> received;  ///< ranks that a collective brought it to
  std::vector<std::int64_t> unknown;   ///< ranks that saw it and cannot say where it began
};

/// The first check in which ranks did not hold the same parameters.
struct ParameterDivergence {
  std::int64_t step = 0;
  std::string parameter;                  ///< the first of those that differ in it, by name
  std::int64_t parameters = 0;            ///< how many differ in it
  bool has_majority = false;              ///< more than half of the ranks hold the same value of that one
  std::vector<std::int64_t> alone;        ///< ranks that hold another value of it than most; of equally many, than the
                                          ///< lowest rank
  std::optional<std::int64_t> agreed_in;  ///< the last step before it in which all held the same value of it; 0 for
                                          ///< before the first update
};

/// Holds what a comparison of the ranks' parameters gave (`run --check-ranks`).
struct ParameterChecks {
  bool was_asked = false;
  std::int64_t steps = 0;     ///< in which two ranks or more were compared
  std::int64_t compared = 0;  ///< parameters
  /// Parameters that differed in their first check without a value that more than half of the ranks held: they are
  /// taken for such as each rank holds a part of, and not compared. By name.
  std::vector<std::string> not_replicated;
  std::optional<ParameterDivergence> divergence;
};

/// A rank that did not end well.
struct RankDeath {
  std::int64_t rank = 0;
  std::optional<int> exit_code = {};          ///< 128 + signal where a signal ended it; empty: nobody knows how
  std::optional<std::int64_t> ended_ns = {};  ///< since 1970; empty where nobody saw it end

  bool operator==(const RankDeath&) const = default;
};

/// Ranks of one host that did not end well. Clocks of several hosts are not compared.
struct HostDeaths {
  std::string host;              ///< "" where it is not known
  std::vector<RankDeath> ranks;  ///< in the order in which they died, at least one; those that nobody saw end come last

  /// Returns the rank that died first; null where that is not sure.
  const RankDeath* first() const;
  bool are_all_timed() const;
  /// Returns how long the second died after the first. Both are timed.
  double seconds_between() const;
};

/// Ranks that end within so many seconds may have ended in another order than they were seen to.
inline constexpr double kSameMoment = 0.01;

/// The runs of one start of a distributed program.
struct RankedLaunch {
  std::vector<Rank> ranks;          ///< ascending, at least one
  std::vector<RankSpan> missing;    ///< ranks that the report does not hold
  std::vector<Overflow> overflows;  ///< by step
  ParameterChecks parameters;
  std::vector<HostDeaths> deaths;  ///< by the lowest rank of each host that died
  std::int64_t missing_count() const;
  std::optional<std::int64_t> world_size() const { return ranks.front().run.world_size; }
};

/// An own time that says more than noise is at least by so much above the others'.
inline constexpr double kLeastSlower = 0.01;

/// Returns runs of one program, level and repeat, each with another rank, in the order of their first runs. Runs that
/// are none of many are left out.
std::vector<std::vector<queries::RunRow>> runs_by_launch(const std::vector<queries::RunRow>& runs);

/// Returns the ranks below `world_size`, or below the last recorded one where that is unknown, that are not among
/// `recorded`, which ascends.
std::vector<RankSpan> missing_ranks(const std::vector<std::int64_t>& recorded, std::optional<std::int64_t> world_size);

/// Returns each overflow that some rank saw.
std::vector<Overflow> overflows_of(const std::vector<Rank>& ranks);

/// Sets Rank::divergence. Compares steps that at least two ranks recorded; a rank that ended early does not differ.
void find_divergences(std::vector<Rank>& ranks);

/// Compares the checksums of parameters that two ranks or more have of the same step. Sets Rank::divergence of the
/// ranks that stand alone, unless they diverged in an earlier step.
ParameterChecks check_parameters(const queries::Report& report, std::vector<Rank>& ranks);

/// Sets Rank::waits, and has_collectives.
void find_waits(std::vector<Rank>& ranks);

/// Sets Rank::pace, slower_by and waited_for_ms by a rank test (compare::RankTest) of each rank's own times against the
/// medians of the others' in the same steps, at a level of 5 % for all of them together. After find_waits().
void find_stragglers(std::vector<Rank>& ranks);

/// Returns the ranks that did not end well, by host.
std::vector<HostDeaths> deaths_of(const std::vector<Rank>& ranks);

/// Tells whether a reader should look at this rank first.
bool stands_out(const Rank& rank);

/// Returns all launches of a report, of `runs` only.
std::vector<RankedLaunch> ranked_launches(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                          queries::RankDetail detail = queries::RankDetail::All);

}  // namespace ampprof::analysis
