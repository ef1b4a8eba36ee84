// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// Returns the segments of one run, by id.
std::vector<Segment> segments(const Report& report, std::int64_t run);

/// Sums up the segments of one step.
struct WholeStep {
  std::int64_t step = 0;  ///< from 1
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t paused_ns = 0;    ///< time between its segments that belongs to no step, such as validation
  std::int64_t overhead_ns = 0;  ///< ampprof's own part of the segments
  bool recorded = false;         ///< all segments were recorded
  bool skipped = false;          ///< an optimizer update was skipped
};

/// Returns the steps of one run, ascending. Leaves out step 0.
std::vector<WholeStep> whole_steps(const Report& report, std::int64_t run);

/// Returns the step of the newest segment, which shows the progress of a running program. Empty before the first.
std::optional<std::int64_t> last_step(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
