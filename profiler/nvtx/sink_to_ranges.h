// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/nvtx/ranges.h"
#include "profiler/nvtx/sink.h"

namespace ampprof::profiler {

/// Returns a sink that fills `ranges`, for set_range_sink() of the stub. A process has one sink, and each further call
/// redirects it. `ranges` must never be freed, since a call of the sink may be in progress at any time.
const RangeSink& sink_to(Ranges& ranges);

}  // namespace ampprof::profiler
