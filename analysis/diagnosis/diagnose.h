// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::analysis {

struct ReportRows;

/// Returns the findings of the runs in ReportRows::shown(), the costliest first. Merges equal findings of several runs.
/// Puts remedies that a run refuted last.
std::vector<Finding> diagnose(const ReportRows& rows);

/// Tells whether two findings, of one run or of two, have the same kind, call site and source line.
bool is_same_finding(const Finding& a, const Finding& b);

}  // namespace ampprof::analysis
