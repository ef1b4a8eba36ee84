// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string_view>

namespace ampprof::profiler {

struct CuptiApi;

/// Returns whether a function of the CUDA runtime or driver gives a GPU something to do that has a record of its own: a
/// kernel, a graph, a copy, a memset. `function` is CUPTI's name of it, such as "cudaLaunchKernel_v7000".
bool launches(std::string_view function);

/// Records the calls of those functions of a domain (the runtime's or the driver's) that launch something. All others
/// are called far more often, and nothing could be attributed to them. Skips a function that CUPTI refuses. Records all
/// functions of the domain where CUPTI refuses one that launches kernels, or cannot tell functions apart; returns then
/// what CUPTI says of that.
CUptiResult record_launching_calls(const CuptiApi& api, CUpti_CallbackDomain domain);

/// Records no calls of this domain any more.
void stop_recording_calls(const CuptiApi& api, CUpti_CallbackDomain domain);

}  // namespace ampprof::profiler
