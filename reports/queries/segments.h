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

/// Holds what the segments of one step come to.
struct WholeStep {
  std::int64_t step = 0;  ///< from 1
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t paused_ns = 0;    ///< of that, what lies between its parts and is of no step: validation, say
  std::int64_t overhead_ns = 0;  ///< ampprof's own, of the rest
  bool recorded = false;         ///< all of it
  bool skipped = false;          ///< an optimizer update was skipped
};

/// Returns the steps of one run, ascending, without what came before the first.
std::vector<WholeStep> whole_steps(const Report& report, std::int64_t run);

/// Returns the step of the newest segment that was written: how far a run that is still going has come. Empty before
/// the first.
std::optional<std::int64_t> last_step(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
