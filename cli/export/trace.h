// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <vector>

#include "reports/queries/queries.h"

namespace ampprof::cli {

/// Writes a trace that ui.perfetto.dev and chrome://tracing open: Chrome's Trace Event Format, JSON, times in
/// microseconds since the run's recorder started. Op calls are written as they are read, never held together.
///
/// Each run is a process with the tracks steps, forward, backward, optimizer and inference, then one for each thread
/// with its op calls, which carry shapes, types and errors. Loss and loss scale are counters, an overflow is an
/// instant. A value that is not finite is left out of a counter, and is a word in the arguments of a call.
void write_trace(const queries::Report& report, const std::vector<queries::RunRow>& runs, std::ostream& out);

}  // namespace ampprof::cli
