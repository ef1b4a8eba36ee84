// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/sentence.h"

namespace ampprof::analysis {
class Targets;
struct ReportRows;
}  // namespace ampprof::analysis

namespace ampprof::views {

/// Returns a warning if times of half-precision levels come from a CPU.
inline constexpr const char* kTimesOfCpu = "FP16 is emulated on the CPU: errors are those of a GPU, times are not.";

/// Returns the statements of a report, most important first.
std::vector<Sentence> answer(const analysis::ReportRows& rows, const analysis::Targets& targets);

}  // namespace ampprof::views
