// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/sentence.h"

namespace ampprof::analysis {
class Targets;
struct ReportRows;
}  // namespace ampprof::analysis

namespace ampprof::views {

/// Warns that times of FP16 that was emulated on a CPU have no meaning.
inline constexpr const char* kTimesOfCpu = "FP16 was emulated on the CPU: errors match Tensor Cores, times do not.";

/// Returns the sentences that sum up a report, the most important first.
std::vector<Sentence> answer(const analysis::ReportRows& rows, const analysis::Targets& targets);

}  // namespace ampprof::views
