// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/ops/op_figures.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/stale_casts.h"

namespace ampprof::analysis {

/// Everything of a report that findings are drawn from: of many ranks, op calls, events and impacts are those of
/// shown() alone.
struct ReportRows {
  std::vector<queries::RunRow> runs;
  std::vector<queries::OpRow> ops;
  std::vector<queries::EventRow> events;
  std::vector<queries::MissingRow> missing;
  std::vector<queries::ImpactRow> impacts = {};
  std::vector<queries::StaleCastRow> stale_casts = {};
  double threshold = kStrays;
  std::optional<Representatives> representatives = {};  ///< of many ranks

  /// Returns the runs that stand side by side.
  const std::vector<queries::RunRow>& shown() const { return representatives ? representatives->runs : runs; }
};

}  // namespace ampprof::analysis
