// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/event.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// One non-finite event of one run. NonfiniteEvent describes the fields.
struct EventRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  bool by_scaler = false;  ///< a loss scaler saw NaN or inf
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::string first_op;  ///< call site, "" if unknown
  std::optional<Phase> first_op_phase;
  std::string first_op_source;  ///< file:line, "" if unknown
  std::int64_t calls = 1;
  std::int64_t steps = 1;
  std::optional<std::int64_t> micro_batch;
  NonfiniteCause cause = NonfiniteCause::Unknown;
  std::optional<double> value;
  std::optional<bool> fp32_holds;
  std::optional<bool> shadow_holds;
  NonfiniteOutcome outcome = NonfiniteOutcome::Nothing;
  std::string reached;
  std::string outcome_op;  ///< call site, "" if there is none
  std::vector<EventParameter> parameters;
  std::vector<std::string> chain;
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
};

std::vector<EventRow> events(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
