// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/nvtx_range.h"
#include "reports/records/time_span.h"

namespace ampprof::queries {

struct SpanRange {
  NvtxRange range;
  std::string text;
};

struct SpanRanges {
  std::vector<SpanRange> ranges;     ///< by thread and start
  std::int64_t shorter_than_ns = 0;  ///< shorter ranges are left out, since there are too many; 0 if none is left out
};

/// Returns the NVTX ranges that touch a span. If there are more than `most`, returns the longest.
SpanRanges span_ranges(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most);

/// Returns the nesting depth of NVTX ranges by thread, 0 without nesting. Lists only threads with ranges.
std::map<std::int32_t, std::int32_t> range_depths(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
