// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/queries.h"

namespace ampprof::analysis {

/// Everything of a report that findings are drawn from.
struct ReportRows {
  std::vector<RunRow> runs;
  std::vector<OpRow> ops;
  std::vector<EventRow> events;
  std::vector<MissingRow> missing;
  std::vector<ImpactRow> impacts = {};
  double threshold = 1e-2;  ///< inherited error, relative L2, from which on an op is said to stray
};

}  // namespace ampprof::analysis
