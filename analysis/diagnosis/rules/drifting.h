// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/records/drift.h"

namespace ampprof::queries {
struct DriftRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Returns the tensors that `is_meant` selects and whose updates are lost or biased, the worst first. Leaves out FP32
/// and FP64 tensors, and tensors that only inherit the drift of their operands.
std::vector<const queries::DriftRow*> drifting(const Symptoms& symptoms, bool (*is_meant)(const queries::DriftRow&));

/// Returns the larger of Drift::lost and |Drift::bias|, at most 1.
double lost_share(const queries::DriftRow& row);

/// Returns a finding about the tensors of `rows`, which is not empty. Its cost is the largest lost_share() times
/// `weight`.
Finding finding_of_drift(const std::vector<const queries::DriftRow*>& rows, double weight);

}  // namespace ampprof::analysis
