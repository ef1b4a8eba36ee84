// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/phase.h"
#include "reports/records/call_facts.h"

namespace ampprof::queries {

/// The calls of one call site that used outdated copies of one parameter.
struct StaleCastRow : CallSiteColumns<Phase> {
  StaleCast total;             ///< over all steps; its segments are 0
  std::int64_t hits = 0;       ///< number of calls
  std::int64_t steps_old = 0;  ///< number of steps between the cast of the oldest copy and its use
};

std::vector<StaleCastRow> stale_casts(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
