// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

/// Forwards the AMP engine's events to the session, for programs that use amp_core. Call once.
void listen_to_amp_core();

}  // namespace ampprof::profiler
