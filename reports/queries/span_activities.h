// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/op_total.h"
#include "reports/records/time_span.h"

namespace ampprof::queries {

/// A GPU activity, and the place that launched it. An unknown place is all zeros.
struct SpanActivity {
  GpuActivity activity;
  SiteInStep place;
};

/// Calls `show` for all GPU activities of one run, in the order of writing.
void each_activity(const Report& report, std::int64_t run, const std::function<void(const SpanActivity&)>& show);

/// Returns the GPU activities that touch a span, by stream and start. Empty if the chunks to decode hold more than
/// `most_activities`.
std::optional<std::vector<SpanActivity>> span_activities(const Report& report, std::int64_t run, const TimeSpan& span,
                                                         std::int64_t most_activities);

}  // namespace ampprof::queries
