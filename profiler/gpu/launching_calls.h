// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string_view>

namespace ampprof::profiler {

struct CuptiApi;

/// Whether a function of the CUDA runtime or driver, by CUPTI's name of it ("cudaLaunchKernel_v7000"), gives a GPU
/// something to do that has a record of its own: a kernel, a graph, a copy, a memset.
bool launches(std::string_view function);

/// Switches records on for those functions of a domain that launch something, or off again; all others are called far
/// more often, and have nothing that could be attributed. `domain` is that of the runtime or of the driver. Where CUPTI
/// cannot tell functions apart, all of the kind are switched. Returns what CUPTI said to the first that it refused.
CUptiResult switch_launching_calls(const CuptiApi& api, CUpti_CallbackDomain domain, bool on);

}  // namespace ampprof::profiler
