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

struct EventRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::string first_op;  ///< call site, "" where unknown
  std::optional<Phase> first_op_phase;
  std::string first_op_source;  ///< file:line, "" where unknown
  std::vector<EventParameter> parameters;
  std::vector<std::string> chain;
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
};

std::vector<EventRow> events(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
