// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/queries.h"

namespace ampprof::analysis {

/// Everything of a report that findings are drawn from.
struct ReportRows {
  std::vector<queries::RunRow> runs;
  std::vector<queries::OpRow> ops;
  std::vector<queries::EventRow> events;
  std::vector<queries::MissingRow> missing;
  std::vector<queries::ImpactRow> impacts = {};
  double threshold = 1e-2;  ///< inherited error, relative L2, from which on an op is said to stray
};

}  // namespace ampprof::analysis
