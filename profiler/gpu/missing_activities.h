// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profiler/gpu/activity.h"
#include "reports/records/run.h"

namespace ampprof::profiler {

/// Counts the results of correlation. Each activity counts in exactly one of the first five members.
struct CorrelationCounts {
  std::int64_t attributed = 0;      ///< activities attributed to an op call
  std::int64_t outside_ops = 0;     ///< launched by the program outside of any op call
  std::int64_t unknown_launch = 0;  ///< recorded, but its launch is unknown
  std::int64_t unnamed_op = 0;      ///< launched by an op call whose ids need over 32 bits; Source counts the calls
  std::int64_t left_out = 0;        ///< left out of the report; the sum of no_times, ends_early and repeated

  std::int64_t without_api = 0;  ///< attributed without a record of the API call, so without thread and launch time
  std::int64_t no_times = 0;
  std::int64_t ends_early = 0;   ///< activities that end before they start
  std::int64_t repeated = 0;     ///< activities whose record came twice
  std::int64_t graph_nodes = 0;  ///< recorded activities in CUDA graphs, attributed to the launch of the graph
  std::int64_t whole_graphs = 0;
  std::int64_t dropped = 0;  ///< records that CUPTI dropped
  std::int64_t unread = 0;   ///< records of unknown kinds
  std::int64_t cut_records = 0;
  std::int64_t cut_buffers = 0;
  std::array<std::int64_t, kOverheadKinds> overhead_ns{};  ///< CUPTI's own time, by OverheadKind
  std::int64_t peak_pool_bytes = 0;  ///< peak over the sum of all pools of cudaMallocAsync, on all devices

  bool operator==(const CorrelationCounts&) const = default;
};

/// Returns the rows of `missing` for a report; an empty list if nothing is missing.
std::vector<Missing> missing_of(const CorrelationCounts& counts);

}  // namespace ampprof::profiler
