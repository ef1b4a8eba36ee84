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
  std::int64_t shorter_than_ns = 0;  ///< these are left out, since there are too many; 0 where none is
};

/// Returns the NVTX ranges that touch a span; where there are more than `most`, the longest of them.
SpanRanges span_ranges(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most);

/// Returns how deep NVTX ranges are nested, by thread: 0 where none lies within another. Only threads that have some.
std::map<std::int32_t, std::int32_t> range_depths(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
