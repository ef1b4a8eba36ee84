// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::analysis {

struct ReportRows;

/// Returns the findings of the runs that are shown, the costliest first. Merges the same finding of several runs. Puts
/// remedies that a run refuted last.
std::vector<Finding> diagnose(const ReportRows& rows);

/// Tells whether two findings blame the same place for the same fault, in one run or in two.
bool is_same_finding(const Finding& a, const Finding& b);

}  // namespace ampprof::analysis
