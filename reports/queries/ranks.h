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

/// Answers what the ranks of a distributed program are compared by, without what only a single rank is asked for.
namespace ampprof::queries {

/// One step of a rank.
struct RankStep {
  std::int64_t step = 0;
  std::optional<double> ms;  ///< empty where it was not recorded, or has not ended
  bool skipped = false;
  std::optional<double> since_last_ms = {};  ///< from the end of the step before, which is recorded too, to its own
};

/// An overflow event, as its rank saw it.
struct RankEvent {
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  SiteInStep first_place{};  ///< that turned finite inputs into NaN or inf; call site 0 where unknown
  Phase first_phase = Phase::Forward;
  std::string first_op;      ///< the same as a call site's name; "" where unknown
  bool is_received = false;  ///< that op is a collective: another rank's NaN or inf came with it
  /// The first that was hit, in the order in which backward made gradients, as far as the origin is known; "" for none.
  std::string parameter;
};

/// Says how much of a rank is read.
enum class RankDetail {
  Comparison,  ///< what ranks are compared by, which is all but collectives, errors and names of call sites
  All
};

/// The figures of one run.
struct RankRecord {
  std::vector<RankStep> steps;   ///< ascending
  std::vector<ScaleRow> scales;  ///< in the order of the run
  std::vector<RankEvent> events;
  std::vector<CollectiveRow> collectives;  ///< by start
  std::int64_t collective_calls = 0;
  double collective_ms = 0.0;               ///< in these calls, added up; a wait outside of op calls is not in it
  std::optional<double> worst_local_error;  ///< the largest of all call sites, relative L2; NaN and inf are larger
  std::string worst_op;                     ///< its call site
  std::optional<std::int64_t> check_every;  ///< parameters are checked in every Nth recorded step; empty: in none
};

RankRecord rank_record(const Report& report, std::int64_t run, RankDetail detail = RankDetail::All);
/// Returns the records of several runs, in their order.
std::vector<RankRecord> rank_records(const Report& report, const std::vector<std::int64_t>& runs,
                                     RankDetail detail = RankDetail::All);

}  // namespace ampprof::queries
