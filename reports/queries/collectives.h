// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/collective.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// One call of a collective. name_collectives() sets the name of its call site.
struct CollectiveRow : CallSiteColumns<Phase> {
  std::int64_t step = 0;
  CollectiveCall call;
  /// Time from the call to its completion; on a GPU, from the start of its first kernel to the end of its last one.
  /// Empty if unknown.
  std::optional<double> ms;
};

/// Returns the calls of collectives of one run, by start. Decodes GPU activities if some calls have no end.
std::vector<CollectiveRow> collectives(const Report& report, std::int64_t run);

/// Returns the inputs and results of a run's all-reduces, if their sketches were recorded.
std::vector<CollectiveSketch> collective_sketches(const Report& report, std::int64_t run);

/// Sets the names of call sites in rows of one run.
void name_collectives(const Report& report, std::int64_t run, std::vector<CollectiveRow>& rows);

}  // namespace ampprof::queries
