// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/calls/call.h"
#include "profiler/overflow/input_values.h"
#include "profiler/overflow/nonfinite_memory.h"

/// Finds running statistics that a normalization writes, although its schema does not mark them as written.
namespace ampprof::profiler {

/// Returns the running statistics in FP16 on the CPU that a call updates. Other types do not overflow, and reading a
/// device would wait.
std::vector<InputTensor> statistics_of(const Call& call);

/// Returns the names and storages of the statistics with NaN or inf whose storage has no event in `known`.
std::vector<std::pair<std::string, NonfiniteMemory::WeakStorage>> overflowed(const std::vector<InputTensor>& statistics,
                                                                             const NonfiniteMemory& known);

}  // namespace ampprof::profiler
