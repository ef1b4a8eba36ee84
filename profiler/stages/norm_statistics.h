// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/overflow/taken_values.h"

/// Statistics of a module, which a normalization writes although its schema does not say so.
namespace ampprof::profiler {

/// Returns those that a call adds its batch to: in FP16 and on the CPU, where they may overflow, and reading them makes
/// nobody wait.
std::vector<TakenTensor> statistics_of(const Call& call);

/// Returns the names and the memory of those that are not finite, and of which `known` holds no event.
std::vector<std::pair<std::string, NonfiniteMemory::WeakStorage>> overflowed(const std::vector<TakenTensor>& statistics,
                                                                             const NonfiniteMemory& known);

}  // namespace ampprof::profiler
