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

/// Returns the tensors of a role whose updates are lost or biased, the worst first. Leaves out FP32 and FP64 tensors,
/// and those that only inherit the loss of others.
std::vector<const queries::DriftRow*> drifting(const Symptoms& symptoms, bool (*is_meant)(const queries::DriftRow&));

/// Returns the share of its way that a tensor lost.
double lost_share(const queries::DriftRow& row);

/// Returns a finding about these tensors, at least one. Its cost is multiplied by `weight`.
Finding finding_of_drift(const std::vector<const queries::DriftRow*>& rows, double weight);

}  // namespace ampprof::analysis
