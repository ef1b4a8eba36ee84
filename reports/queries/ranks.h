// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/collectives.h"
#include "reports/queries/report.h"
#include "reports/queries/scales.h"
#include "reports/records/op_total.h"

/// Reads the data to compare ranks of a distributed program, without data that only views of a single rank need.
namespace ampprof::queries {

/// One step of a rank.
struct RankStep {
  std::int64_t step = 0;
  std::optional<double> ms;  ///< empty if it was not recorded or has not ended
  bool skipped = false;
  std::optional<double> since_last_ms = {};  ///< from the previous step's end to its own, if both steps are recorded
};

/// An overflow event of one rank.
struct RankEvent {
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  SiteInStep first_place{};  ///< the op that turned finite inputs into NaN or inf; call site 0 if unknown
  Phase first_phase = Phase::Forward;
  std::string first_op;      ///< as in a call site's name; "" if unknown
  bool is_received = false;  ///< this op is a collective, which received NaN or inf from another rank
  /// First parameter with NaN or inf in its gradient, in the order in which backward computed gradients, if the origin
  /// is known; "" if there is none.
  std::string parameter;
};

/// How much to read of a rank.
enum class RankDetail {
  Comparison,  ///< data for comparing ranks: all but totals of collectives, errors and names of call sites
  All
};

/// The data of one rank's run.
struct RankRecord {
  std::vector<RankStep> steps;   ///< ascending
  std::vector<ScaleRow> scales;  ///< in the order of the run
  std::vector<RankEvent> events;
  std::vector<CollectiveRow> collectives;  ///< in the order of their start
  std::int64_t collective_calls = 0;
  double collective_ms = 0.0;               ///< sum over calls of collectives; excludes waits outside of op calls
  std::optional<double> worst_local_error;  ///< relative L2, largest over all call sites; NaN and inf are larger
  std::string worst_op;                     ///< its call site
  std::optional<std::int64_t> check_every;  ///< parameters are checked in every Nth recorded step; empty: never
};

RankRecord rank_record(const Report& report, std::int64_t run, RankDetail detail = RankDetail::All);
/// Returns the records of several runs, in order.
std::vector<RankRecord> rank_records(const Report& report, const std::vector<std::int64_t>& runs,
                                     RankDetail detail = RankDetail::All);

}  // namespace ampprof::queries
