// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

/// Lets the session hear what the AMP engine does, for programs that use amp_core. Call once.
void listen_to_amp_core();

}  // namespace ampprof::profiler
