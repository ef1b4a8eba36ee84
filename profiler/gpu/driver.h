// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

/// Whether the machine has the NVIDIA driver's library.
bool has_driver();

}  // namespace ampprof::profiler
