// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/drift.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// The drift of a tensor that outlives steps, with the call site of the writes that lost most of its value.
struct DriftRow : CallSiteColumns<Phase> {
  Drift of;
};

std::vector<DriftRow> drifts(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
