// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/nvtx/ranges.h"
#include "profiler/nvtx/sink.h"

namespace ampprof::profiler {

/// A sink that fills `ranges`, of which there is one in a process, and which must never be freed: a call may be under
/// way whenever that would be. For set_range_sink() of the stub.
const RangeSink& sink_to(Ranges& ranges);

}  // namespace ampprof::profiler
