// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string_view>

namespace ampprof::profiler {

struct CuptiApi;

/// Returns whether a function of the CUDA runtime or driver launches an activity with a record of its own: a kernel, a
/// graph, a memcpy, a memset. `function` is CUPTI's name for it, such as "cudaLaunchKernel_v7000".
bool launches(std::string_view function);

/// Records the functions of a domain (the runtime's or the driver's) that launch activities. Other functions are called
/// far more often, and their records are of no use for attribution. Skips a function that CUPTI refuses. If CUPTI
/// refuses a function that launches kernels, or cannot select functions, records all functions of the domain and
/// returns CUPTI's result for that.
CUptiResult record_launching_calls(const CuptiApi& api, CUpti_CallbackDomain domain);

/// Stops recording calls of this domain.
void stop_recording_calls(const CuptiApi& api, CUpti_CallbackDomain domain);

}  // namespace ampprof::profiler
