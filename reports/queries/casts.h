// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/op_call.h"

namespace ampprof::queries {

/// The casts between one pair of types at one call site.
struct CastRow : CallSiteColumns<Phase> {
  CastRecord total;  ///< over all steps; its segment and call_site are 0
};

/// Returns the casts that AMP inserted. With `steps`, counts only casts in these steps.
std::vector<CastRow> casts(const Report& report, RunFilter run = {}, const StepFilter& steps = {});

}  // namespace ampprof::queries
