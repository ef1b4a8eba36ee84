// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/phase.h"
#include "reports/records/sketch.h"

namespace ampprof::queries {

/// The sketch of one op call.
struct SketchRow : CallSiteColumns<Phase> {
  std::int32_t ordinal = 0;  ///< ordinal among the calls of this op in this module and phase within a segment
  std::int64_t step = 0;
  Sketch sketch;
};

/// Returns the sketches of a run, in the order in which the calls ended.
std::vector<SketchRow> sketches(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
