// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::analysis {

struct ReportRows;

/// Returns what is wrong with the runs that are shown, the costliest first. The same finding in several runs is one.
std::vector<Finding> diagnose(const ReportRows& rows);

}  // namespace ampprof::analysis
