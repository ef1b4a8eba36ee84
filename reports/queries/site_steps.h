// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/statistics.h"

namespace ampprof::queries {

/// Measurements of one call site in one step.
struct SiteStepRow {
  std::int64_t step = 0;  ///< 0 outside of steps
  std::int64_t calls = 0;
  std::int64_t nonfinite_calls = 0;  ///< calls with an unexpected NaN or inf
  std::optional<double> scale;       ///< the last loss scale in force
  std::optional<ErrorStats> local;   ///< merged over calls, like the members below
  std::optional<ErrorStats> inherited;
  std::optional<RangeStats> ranges;
};

/// Returns the measurements of one call site of one run by step. Decodes every op call of the run's segments at that
/// position.
std::vector<SiteStepRow> steps_of(const Report& report, std::int64_t run, std::int64_t call_site_id,
                                  std::int32_t position);

}  // namespace ampprof::queries
