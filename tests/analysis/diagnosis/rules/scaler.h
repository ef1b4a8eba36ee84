// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {

/// Returns a run with one step for each of `scales`, its loss scale. The steps in `overflowing` are skipped and halve
/// the scale. If the next scale is twice as large, a step records the growth.
inline ReportRows run_with_scales(const std::vector<double>& scales, const std::vector<std::int64_t>& overflowing) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Backward, "out", "mm");
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto step = static_cast<std::int64_t>(i) + 1;
    const bool overflows = std::ranges::find(overflowing, step) != overflowing.end();
    const bool grows = !overflows && i + 1 < scales.size() && scales[i + 1] == 2 * scales[i];
    queries::ScaleRow& row = rows.scales.emplace_back();
    row.run = 1;
    row.step = step;
    row.update.scale_before = scales[i];
    row.update.scale_after = overflows ? scales[i] / 2 : grows ? scales[i] * 2 : scales[i];
    row.update.overflow = row.update.skipped = overflows;
    if (!overflows) continue;
    queries::EventRow event = too_large(NonfiniteOutcome::Skipped);
    event.by_scaler = true;
    event.scale_before = scales[i];
    event.largest_safe_scale = 50642;
    add_events(rows, op, event, {step});
  }
  return rows;
}

}  // namespace ampprof::analysis::rules_test
