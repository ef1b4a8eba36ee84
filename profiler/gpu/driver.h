// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

/// Returns whether the machine has the NVIDIA driver's library.
bool has_driver();

}  // namespace ampprof::profiler
