// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/nvtx/ranges.h"
#include "profiler/nvtx/sink.h"

namespace ampprof::profiler {

/// Returns a sink that fills `ranges`, one for the process, which must never be freed: a call may be under
/// way whenever that would be. For set_range_sink() of the stub.
const RangeSink& sink_to(Ranges& ranges);

}  // namespace ampprof::profiler
