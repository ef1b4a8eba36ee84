// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/overflow/taken_values.h"

/// Finds statistics of a module that a normalization writes, although its schema does not say so.
namespace ampprof::profiler {

/// Returns the statistics that a call adds its batch to. Only those in FP16 may overflow, and only those on the CPU can
/// be read without waiting.
std::vector<TakenTensor> statistics_of(const Call& call);

/// Returns the names and the memory of statistics that are not finite, and that have no event in `known`.
std::vector<std::pair<std::string, NonfiniteMemory::WeakStorage>> overflowed(const std::vector<TakenTensor>& statistics,
                                                                             const NonfiniteMemory& known);

}  // namespace ampprof::profiler
