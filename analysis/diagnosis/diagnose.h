// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::analysis {

struct ReportRows;

/// Returns what is wrong with the runs that are shown, the costliest first. The same finding in several runs is one.
/// Remedies that a run has refuted are the last ones.
std::vector<Finding> diagnose(const ReportRows& rows);

/// Tells whether two findings blame the same place for the same fault, be it in different runs.
bool is_same_finding(const Finding& a, const Finding& b);

}  // namespace ampprof::analysis
