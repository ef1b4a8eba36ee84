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

/// One call of a collective. The name of its call site is left to name_collectives().
struct CollectiveRow : PlaceOfCall<Phase> {
  std::int64_t step = 0;
  CollectiveCall call;
  /// From the call until all of it was done; on a GPU from the start of its first kernel to the end of its last. Empty
  /// where neither is known.
  std::optional<double> ms;
};

/// Returns the calls of collectives of one run, by start. Decodes what GPUs did where some have no end.
std::vector<CollectiveRow> collectives(const Report& report, std::int64_t run);

/// Returns what a run put into all-reduces and got, where sketches of that were asked for.
std::vector<CollectiveSketch> collective_sketches(const Report& report, std::int64_t run);

/// Sets the call sites' names of rows of one run.
void name_collectives(const Report& report, std::int64_t run, std::vector<CollectiveRow>& rows);

}  // namespace ampprof::queries
